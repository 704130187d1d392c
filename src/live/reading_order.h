// ReadingOrder: which partitions of a live run are read next, and which of them hold nobody back.
//
// Partitions are read aligned in event time: one that is further than `align` ahead of the slowest waits. A partition that
// has nothing more to be read delays no other, and after its `idle_after` it does not delay the watermark either. Thread
// safety: one thread.
#pragma once

#include <cstddef>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/sequencer.h"
#include "recmeter/live/attach_input.h"

namespace recmeter {

class ReadingOrder {
 public:
  // `sequencer` and `intake` outlive it.
  ReadingOrder(Sequencer& sequencer, const Intake& intake, const std::vector<AttachInput>& inputs, Duration align);

  // Nothing was read before `now`, so nobody was idle.
  void start(EventTime now);
  // The partitions to read, the most wanted first.
  [[nodiscard]] std::vector<std::size_t> next() const;
  // After each round: finds those that are idle at `now`, by the reader's clock. Returns for how long some partition has had
  // more than was read.
  Duration update(EventTime now);
  // As far as events have come in, whatever the lateness: for results that may still change.
  [[nodiscard]] EventTime arrived() const;

 private:
  struct Partition {
    Duration idle_after;
    EventTime last_moved = minus_infinity;      // by the reader's clock
    EventTime last_caught_up = minus_infinity;  // by the reader's clock
  };
  [[nodiscard]] EventTime time_of(std::size_t partition) const;
  // Of the partitions that have more; plus_infinity if none has.
  [[nodiscard]] EventTime slowest() const;

  Sequencer& sequencer_;
  const Intake& intake_;
  std::vector<Partition> partitions_;
  Duration align_;
};

}  // namespace recmeter
