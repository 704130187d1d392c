// MarkedTimes: the times of events whose fate depended on when they were read, so that a replay may judge them otherwise:
// rows that such a time touches say so. [S3], [S7].
//
// Bounded: times less than a second apart become one span, and where there would be more than spans_max, the two nearest do:
// a row may be marked too much, never too little. Thread safety: none; a value. Invariant: spans rise and do not touch.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "recmeter/evaluation/time_span.h"

namespace recmeter {

class MarkedTimes {
 public:
  static constexpr std::size_t spans_max = 1000;

  MarkedTimes() = default;
  // Of a run before.
  explicit MarkedTimes(std::vector<TimeSpan> spans) : spans_(std::move(spans)) {}

  void add(EventTime time);
  // Those that end before `time` touch nothing any more.
  void forget(EventTime time) {
    std::erase_if(spans_, [&](const TimeSpan& span) { return span.to < time; });
  }
  [[nodiscard]] const std::vector<TimeSpan>& spans() const { return spans_; }

 private:
  std::vector<TimeSpan> spans_;
};

}  // namespace recmeter
