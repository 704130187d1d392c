// DurationHistogram: how often something took how long, in fixed buckets from 1 ms to a day. A value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "recmeter/base/event_time.h"

namespace recmeter {

class DurationHistogram {
 public:
  // Upper ends of the buckets, inclusive; what is beyond the last one is counted in none of them.
  static constexpr std::array<std::int64_t, 14> ends_ms{
      1, 5, 10, 50, 100, 500, 1'000, 5'000, 10'000, one_minute.ms, 300'000, 1'800'000, 7'200'000, one_day.ms};

  // What is below 0 counts as 0: clocks differ.
  void add(Duration took) {
    const std::int64_t ms = took.ms < 0 ? 0 : took.ms;
    for (std::size_t b = 0; b < ends_ms.size(); ++b) {
      if (ms > ends_ms[b]) continue;
      ++counts_[b];
      break;
    }
    ++count_;
    sum_ms_ += ms;
  }
  // Those that are in bucket `b` and no earlier one.
  [[nodiscard]] std::uint64_t count(std::size_t b) const { return counts_[b]; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] Duration sum() const { return {sum_ms_}; }

 private:
  std::array<std::uint64_t, ends_ms.size()> counts_{};
  std::uint64_t count_ = 0;
  std::int64_t sum_ms_ = 0;
};

}  // namespace recmeter
