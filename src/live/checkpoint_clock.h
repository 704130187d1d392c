// CheckpointClock: when a live run makes its next checkpoint, how many the state has had and how long they took.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>

#include "recmeter/base/event_time.h"
#include "recmeter/result/duration_histogram.h"

namespace recmeter {

class CheckpointClock {
 public:
  explicit CheckpointClock(Duration every) : every_(every) {}

  void resume(std::uint64_t number) { number_ = number; }
  // There is something that the last checkpoint does not hold.
  void change(bool is_changed = true) { has_changed_ = has_changed_ || is_changed; }
  [[nodiscard]] bool has_changed() const { return has_changed_; }
  // At `now`, by the reader's clock.
  [[nodiscard]] bool is_due(EventTime now) const { return has_changed_ && now - last_ >= every_; }

  // Begins the next one, and returns its number.
  std::uint64_t begin(EventTime now) {
    begun_ = now;
    return ++number_;
  }
  // It is kept.
  void end(EventTime now) {
    last_ = now;
    durations_.add(now - begun_);
    has_changed_ = false;
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] EventTime last() const { return last_; }
  [[nodiscard]] const DurationHistogram& durations() const { return durations_; }

 private:
  Duration every_;
  std::uint64_t number_ = 0;
  bool has_changed_ = false;
  EventTime begun_ = minus_infinity;  // by the reader's clock
  EventTime last_ = minus_infinity;   // by the reader's clock
  DurationHistogram durations_;
};

}  // namespace recmeter
