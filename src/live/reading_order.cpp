#include "live/reading_order.h"

#include <algorithm>

namespace recmeter {

ReadingOrder::ReadingOrder(Sequencer& sequencer, const Intake& intake, const std::vector<AttachInput>& inputs, Duration align)
    : sequencer_(sequencer), intake_(intake), align_(align) {
  for (const AttachInput& input : inputs) partitions_.push_back({.idle_after = input.idle_after});
}

void ReadingOrder::start(EventTime now) {
  for (Partition& partition : partitions_) partition.last_moved = now;
}

EventTime ReadingOrder::time_of(std::size_t partition) const {
  return sequencer_.max_time(partition).value_or(minus_infinity);
}

EventTime ReadingOrder::slowest() const {
  EventTime slowest = plus_infinity;
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    if (!intake_.is_caught_up(p)) slowest = std::min(slowest, time_of(p));
  }
  return slowest;
}

std::vector<std::size_t> ReadingOrder::next() const {
  std::vector<std::size_t> order = sequencer_.partitions_by_time();
  const EventTime slowest = this->slowest();
  if (slowest == minus_infinity || slowest == plus_infinity) return order;
  std::erase_if(order, [&](std::size_t p) { return time_of(p) > slowest + align_; });
  return order;
}

Duration ReadingOrder::update(EventTime now) {
  Duration behind{0};
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    if (sequencer_.take_moved(p)) partition.last_moved = now;
    if (intake_.is_caught_up(p)) {
      partition.last_caught_up = now;
      if (now - partition.last_moved >= partition.idle_after) sequencer_.set_idle(p, true);
    }
    behind = std::max(behind, now - partition.last_caught_up);
  }
  return behind;
}

// A little is waited for what comes in another order.
EventTime ReadingOrder::arrived() const {
  constexpr Duration patience{250};
  EventTime reached = slowest();
  if (reached == plus_infinity) {
    reached = minus_infinity;
    for (std::size_t p = 0; p < partitions_.size(); ++p) reached = std::max(reached, time_of(p));
  }
  return reached == minus_infinity ? reached : reached - patience;
}

}  // namespace recmeter
