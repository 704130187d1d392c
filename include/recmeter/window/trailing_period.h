// TrailingPeriod: which acts a list looks back on. [S5.20].
//
// Time is cut into steps since the epoch. A list in step s looks back on the acts of the `length` steps before s and on none
// of its own, so never ahead; all lists of a step see the same. Immutable; any thread.
#pragma once

#include <cstdint>

#include "recmeter/base/check.h"
#include "recmeter/base/event_time.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

class TrailingPeriod {
 public:
  explicit TrailingPeriod(const PopularitySpec& spec) : step_ms_(spec.step_ms) {
    RECMETER_CHECK(spec.step_ms > 0 && spec.period_ms > 0 && spec.period_ms % spec.step_ms == 0, "a period of whole steps");
    length_ = spec.period_ms / spec.step_ms;
  }

  [[nodiscard]] std::int64_t step_of(EventTime ts) const { return ts.ms / step_ms_ - (ts.ms % step_ms_ < 0 ? 1 : 0); }
  // Acts of a step count for the lists of the steps in [counts_from, counts_until).
  [[nodiscard]] static std::int64_t counts_from(std::int64_t step) { return step + 1; }
  [[nodiscard]] std::int64_t counts_until(std::int64_t step) const { return step + 1 + length_; }
  // An act says nothing of lists so much later than itself.
  [[nodiscard]] Duration reach() const { return {(length_ + 1) * step_ms_}; }

 private:
  std::int64_t step_ms_;
  std::int64_t length_ = 0;
};

}  // namespace recmeter
