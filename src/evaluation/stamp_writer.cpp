#include "recmeter/evaluation/stamp_writer.h"

#include <utility>

#include "evaluation/partial_bytes.h"
#include "evaluation/stamped_line.h"
#include "recmeter/event/event_code.h"

namespace recmeter {

StampWriter::StampWriter(const PartialHeader& header, const std::vector<StampedPartition>& partitions,
                         std::function<Result<void>(std::string_view)> write)
    : version_(header.version),
      config_hash_(header.config_hash),
      configuration_(header.configuration),
      write_(std::move(write)) {
  for (const StampedPartition& partition : partitions) {
    hash_of_.push_back(partition_hash(partition.name));
    place_of_.push_back(partition.place);
  }
}

Result<void> StampWriter::accept(const std::vector<std::vector<RoutedBatch>>& routed) {
  std::string lines;
  for (const std::vector<RoutedBatch>& of_shard : routed) {
    for (const RoutedBatch& batch : of_shard) {
      for (const std::uint32_t index : batch.events) {
        const Event& event = batch.batch->events()[index];
        ByteWriter bytes;
        bytes.add_fixed(hash_of_[batch.partition]);
        bytes.add(batch.first_place + index);
        write_event(bytes, *batch.batch, event);
        const std::uint8_t slot = slot_of(event.key_hash);
        add_stamped(lines, slot, event.ts, bytes.bytes());
        ++lines_[slot];
      }
    }
  }
  return write_(lines);
}

Result<void> StampWriter::end(const PartSummary& summary) {
  ByteWriter to;
  to.add_text(stamp_magic);
  to.add(stamp_format);
  to.add_text(version_);
  to.add_text(config_hash_);
  to.add_text(configuration_);
  for (const std::uint64_t lines : lines_) to.add(lines);
  to.add_text(log_to_bytes(summary));
  for (const std::uint64_t place : place_of_) to.add(place);
  std::string line;
  add_stamped(line, std::nullopt, EventTime{0}, to.bytes());
  return write_(line);
}

}  // namespace recmeter
