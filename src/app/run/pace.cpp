#include "app/run/pace.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace recmeter {

std::optional<Speed> parse_speed(std::string_view text) {
  if (text == "max") return Speed{};
  if (!text.ends_with('x')) return std::nullopt;
  text.remove_suffix(1);
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor, std::chars_format::fixed);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(factor) || factor < 1e-3 || factor > 1e6) {
    return std::nullopt;
  }
  return Speed{factor};
}

double Pace::ahead(EventTime first, EventTime reached) {
  const double now = now_();
  if (!begun_) begun_ = now;
  if (reached <= first) return 0;  // nothing has come yet, too: plus and minus infinity
  return std::max(0.0, *begun_ + static_cast<double>((reached - first).ms) / factor_ - now);
}

}  // namespace recmeter
