#include "live/read_positions.h"

namespace recmeter {

ReadPositions::ReadPositions(const std::vector<AttachInput>& inputs) {
  for (const AttachInput& input : inputs) {
    const RecordSource& source = *input.partition.source;
    partitions_.push_back(
        {.name = std::string(source.name()),
         .at = {.unit = input.unit, .next_offset = source.next_offset(), .last_record = {}, .decided = {}}});
  }
}

Result<void> ReadPositions::resume(const Checkpoint& from) {
  for (std::size_t p = 0; p < from.positions.size(); ++p) {
    const std::string& name = from.sequencer.partitions[p].name;
    if (p >= partitions_.size() || partitions_[p].name != name) {
      return failure(Errc::state_unusable,
                     "the state has read " + name +
                         ", which is no longer among the inputs; name its topic again, or start with another state.dir");
    }
    partitions_[p].at.next_offset = from.positions[p].next_offset;
    partitions_[p].at.last_record = from.positions[p].last_record;
  }
  return {};
}

void ReadPositions::begin(const Sequencer& sequencer) {
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    index_.begin(partitions_[p].name, sequencer.max_time(p), partitions_[p].at.next_offset);
  }
}

void ReadPositions::take(std::size_t partition, const Intake::Block& block, EventTime now) {
  Partition& p = partitions_[partition];
  if (block.lost_before) {
    p.at.last_record.reset();
    p.records_lost += block.lost_records;
    last_gap_ = now;
  }
  p.at.next_offset = block.next_offset;
  if (block.last_record) p.at.last_record = block.last_record;
}

std::vector<UnitNumber> ReadPositions::units() const {
  std::vector<UnitNumber> units;
  for (const Partition& partition : partitions_) units.push_back(partition.at.unit);
  return units;
}

std::map<std::string, std::int64_t> ReadPositions::next_offsets() const {
  std::map<std::string, std::int64_t> offsets;
  for (const Partition& partition : partitions_) offsets.emplace(partition.name, partition.at.next_offset);
  return offsets;
}

void ReadPositions::save(const Sequencer& sequencer, const std::vector<EventCounts>& decided, Checkpoint& to,
                         StateBatch& batch) {
  for (std::size_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    partition.at.decided = decided[p];
    to.positions.push_back(partition.at);
    index_.note(batch, partition.name, sequencer.max_time(p), partition.at.next_offset);
  }
}

}  // namespace recmeter
