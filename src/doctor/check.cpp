#include "doctor/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "recmeter/result/render.h"

namespace recmeter::doctor {

std::string_view to_string(Weight weight) noexcept {
  constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
  return names[static_cast<std::size_t>(weight)];
}

std::uint64_t Tally::cases() const {
  std::uint64_t sum = 0;
  for (const Count& file : files_) sum += file.cases;
  return sum;
}

Judged Tally::above(double threshold) const {
  Count all;
  std::size_t with = 0;
  for (const Count& file : files_) {
    all.cases += file.cases;
    all.of += file.of;
    with += file.of > 0 ? 1 : 0;
  }
  for (std::size_t i = 0; with > 1 && i < files_.size(); ++i) {
    if (files_[i].cases * 50 < all.cases * 49 || all.cases == 0) continue;
    Judged judged = share_above(files_[i].cases, files_[i].of, threshold);
    judged.file = evidence_.inputs[i].name;
    return judged;
  }
  return share_above(all.cases, all.of, threshold);
}

Judged share_above(std::uint64_t cases, std::uint64_t of, double threshold) {
  return {.sureness = above(cases, of, threshold), .cases = cases, .of = of};
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(double share) {
  const double hundred = 100 * share;
  if (hundred == 0 || hundred >= 99.95) return fmt::format("{:.0f} %", hundred);
  return fmt::format("{:.{}f} %", hundred, hundred < 0.1 ? 3 : hundred < 10 ? 2 : 1);
}

Duration rounded_up(std::int64_t ms) {
  constexpr std::int64_t s = 1000;
  constexpr std::int64_t m = 60 * s;
  constexpr std::int64_t h = 60 * m;
  constexpr std::int64_t d = 24 * h;
  for (const std::int64_t step :
       {s,      2 * s, 5 * s, 10 * s, 20 * s, 30 * s, m,     2 * m,  5 * m, 10 * m, 15 * m, 20 * m,
        30 * m, h,     2 * h, 3 * h,  4 * h,  6 * h,  8 * h, 12 * h, d,     2 * d,  3 * d,  7 * d}) {
    if (ms <= step) return Duration{step};
  }
  return Duration{(ms + d - 1) / d * d};
}

std::string round_span(std::int64_t ms) {
  return render_duration(rounded_up(ms));
}

std::string span_text(std::int64_t ms) {
  const double size = std::abs(static_cast<double>(ms));
  const char* const sign = ms < 0 ? "-" : "";
  if (size < 1000) return fmt::format("{} ms", ms);
  if (size < 60e3) return fmt::format("{}{:.3g} s", sign, size / 1e3);
  if (size < 3600e3) return fmt::format("{}{:.3g} min", sign, size / 60e3);
  if (size < 48 * 3600e3) return fmt::format("{}{:.2f} h", sign, size / 3600e3);
  return fmt::format("{}{:.3g} days", sign, size / 86400e3);
}

std::string signed_span(std::int64_t ms) {
  return (ms < 0 ? "" : "+") + span_text(ms);
}

}  // namespace recmeter::doctor
