// ReadPositions: where each partition of a live run is read on, for checkpoints and for the index of positions.
//
// Thread safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "live/position_index.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/sequencer.h"
#include "recmeter/live/attach_input.h"

namespace recmeter {

class ReadPositions {
 public:
  explicit ReadPositions(const std::vector<AttachInput>& inputs);

  // As the state has it, whose partitions come first. Errors: state_unusable, where they are not among the inputs any more.
  [[nodiscard]] Result<void> resume(const Checkpoint& from);
  // Before the first record, and after resume().
  void begin(const Sequencer& sequencer);
  // The block has been read; `now`: by the reader's clock.
  void take(std::size_t partition, const Intake::Block& block, EventTime now);

  [[nodiscard]] std::vector<UnitNumber> units() const;
  [[nodiscard]] std::int64_t next_offset(std::size_t partition) const { return partitions_[partition].at.next_offset; }
  [[nodiscard]] std::map<std::string, std::int64_t> next_offsets() const;
  // Since the run began.
  [[nodiscard]] std::uint64_t records_lost(std::size_t partition) const { return partitions_[partition].records_lost; }
  [[nodiscard]] EventTime last_gap() const { return last_gap_; }
  // Puts them into the checkpoint, with what the join decided by partition, and what is new of the index into `batch`.
  void save(const Sequencer& sequencer, const std::vector<EventCounts>& decided, Checkpoint& to, StateBatch& batch);

 private:
  struct Partition {
    std::string name;
    PartitionPosition at;
    std::uint64_t records_lost = 0;
  };
  std::vector<Partition> partitions_;
  PositionIndex index_;
  EventTime last_gap_ = minus_infinity;  // by the reader's clock
};

}  // namespace recmeter
