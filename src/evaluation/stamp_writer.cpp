#include "recmeter/evaluation/stamp_writer.h"

#include <algorithm>
#include <utility>

#include "evaluation/partial_bytes.h"
#include "evaluation/stamped_line.h"
#include "recmeter/event/event_code.h"

namespace recmeter {

namespace {

// A line of a 256th of this is long enough for what it costs by itself, and short enough for a part that holds one of each
// slot of many files.
constexpr std::size_t bytes_per_partition = std::size_t{1} << 20;
constexpr std::size_t bytes_of_all_max = std::size_t{64} << 20;

}  // namespace

StampWriter::StampWriter(const PartialHeader& header, const std::vector<StampedPartition>& partitions,
                         std::function<Result<void>(std::string_view)> write, std::size_t waiting_bytes_max)
    : version_(header.version),
      config_hash_(header.config_hash),
      configuration_(header.configuration),
      write_(std::move(write)),
      waiting_bytes_max_(waiting_bytes_max > 0 ? waiting_bytes_max
                                               : std::min(bytes_of_all_max, bytes_per_partition * partitions.size())),
      lots_(partitions.size()) {
  for (const StampedPartition& partition : partitions) {
    hash_of_.push_back(partition_hash(partition.name));
    place_of_.push_back(partition.place);
  }
}

void StampWriter::Lot::add(const EventBatch& batch, const Event& event) {
  is_in_order = is_in_order && (marks.empty() || marks.back().ts <= event.ts);
  marks.push_back({.ts = event.ts, .begin = code.bytes().size()});
  write_event(code, batch, event);
}

void StampWriter::Lot::sort() {
  if (is_in_order) return;
  const std::string bytes = code.take();
  std::vector<std::pair<Mark, std::string_view>> events;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::size_t end = i + 1 < marks.size() ? marks[i + 1].begin : bytes.size();
    events.emplace_back(marks[i], std::string_view(bytes).substr(marks[i].begin, end - marks[i].begin));
  }
  std::ranges::stable_sort(events, {}, [](const auto& event) { return event.first.ts; });
  marks.front() = events.front().first;
  for (const auto& [mark, event] : events) code.add_bytes(event);
}

void StampWriter::Lot::clear() {
  code.clear();
  marks.clear();
  is_in_order = true;
}

Result<void> StampWriter::accept(const std::vector<std::vector<RoutedBatch>>& routed) {
  for (const std::vector<RoutedBatch>& of_shard : routed) {
    for (const RoutedBatch& batch : of_shard) {
      for (const std::uint32_t index : batch.events) {
        const Event& event = batch.batch->events()[index];
        Lot& lot = lots_[batch.partition][slot_of(event.key_hash)];
        const std::size_t before = lot.code.bytes().size();
        lot.add(*batch.batch, event);
        waiting_bytes_ += lot.code.bytes().size() - before;
      }
      if (waiting_bytes_ < waiting_bytes_max_) continue;
      if (auto written = write_lots(); !written) return written;
    }
  }
  return {};
}

Result<void> StampWriter::write_lots() {
  for (std::size_t partition = 0; partition < lots_.size(); ++partition) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      Lot& lot = lots_[partition][slot];
      if (lot.marks.empty()) continue;
      lot.sort();
      const std::string bytes = to_bytes({.partition = hash_of_[partition], .code = lot.code.bytes()});
      add_stamped(lines_, static_cast<std::uint8_t>(slot), lot.marks.front().ts, bytes);
      written_[slot].add(bytes);
      lot.clear();
    }
  }
  waiting_bytes_ = 0;
  auto written = write_(lines_);
  lines_.clear();
  return written;
}

Result<void> StampWriter::end(const PartSummary& summary) {
  if (auto written = write_lots(); !written) return written;
  ByteWriter to;
  to.add_text(stamp_magic);
  to.add(stamp_format);
  to.add_text(version_);
  to.add_text(config_hash_);
  to.add_text(configuration_);
  for (const SlotLine& of_slot : written_) {
    to.add(of_slot.lines);
    to.add_fixed(of_slot.sum);
  }
  to.add_text(log_to_bytes(summary));
  for (const std::uint64_t place : place_of_) to.add(place);
  std::string line;
  add_stamped(line, std::nullopt, EventTime{0}, to.bytes());
  return write_(line);
}

}  // namespace recmeter
