// LostRecords: which event times the records may have had that a partition lost (retention, deletion) before they were read.
//
// Between what was read before and the first event after a loss lie times from M_p - L_p, since what is older would be late,
// to L_p behind M_p after that event, since that event is not late. Until it has come, the end is open.
// Thread safety: none; a value. Invariant: spans rise and do not touch; only the last may be open.
#pragma once

#include <utility>
#include <vector>

#include "recmeter/evaluation/time_span.h"

namespace recmeter {

class LostRecords {
 public:
  LostRecords() = default;
  explicit LostRecords(std::vector<TimeSpan> spans) : spans_(std::move(spans)) {}

  // Records are lost whose times lie at or after `from`.
  void open(EventTime from) {
    if (!spans_.empty() && from <= spans_.back().to) {
      spans_.back().to = plus_infinity;
    } else {
      spans_.push_back({from, plus_infinity});
    }
  }
  [[nodiscard]] bool is_open() const { return !spans_.empty() && spans_.back().to == plus_infinity; }
  // Requires: is_open().
  void close(EventTime to) { spans_.back().to = to; }
  // Those that end before `time` touch nothing any more.
  void forget(EventTime time) {
    std::erase_if(spans_, [&](const TimeSpan& span) { return span.to < time; });
  }
  [[nodiscard]] const std::vector<TimeSpan>& spans() const { return spans_; }

 private:
  std::vector<TimeSpan> spans_;
};

}  // namespace recmeter
