// Pace: event time kept from running faster than a multiple of the reader's, for `replay --speed`.
//
// Thread safety: one thread. Both clocks start with the first question.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "recmeter/base/event_time.h"

namespace recmeter {

// "max", or how many times as fast as events happened: "1x", "60x", "0.5x". Nothing for any other text.
struct Speed {
  std::optional<double> factor;  // none: as fast as it goes
};
[[nodiscard]] std::optional<Speed> parse_speed(std::string_view text);

class Pace {
 public:
  // `factor` > 0. `now`: the reader's clock, in milliseconds that only rise.
  Pace(double factor, std::function<double()> now) : factor_(factor), now_(std::move(now)) {}

  // For how many milliseconds `reached` is ahead of its time, where event time began with `first`.
  [[nodiscard]] double ahead(EventTime first, EventTime reached);

 private:
  double factor_;
  std::function<double()> now_;
  std::optional<double> begun_;
};

}  // namespace recmeter
