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

StampWriter::StampWriter(PartialHeader header, StampedShare share, std::function<Result<void>(std::string_view)> write,
                         std::size_t waiting_bytes_max)
    : header_(std::move(header)),
      share_(std::move(share)),
      write_(std::move(write)),
      waiting_bytes_max_(waiting_bytes_max > 0 ? waiting_bytes_max
                                               : std::min(bytes_of_all_max, bytes_per_partition * share_.partitions.size())),
      lots_(share_.partitions.size()) {}

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
    const std::uint64_t hash = partition_hash(share_.partitions[partition].name);
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      Lot& lot = lots_[partition][slot];
      if (lot.marks.empty()) continue;
      lot.sort();
      ByteWriter to;
      to.reserve(sizeof(hash) + lot.code.bytes().size());
      to.add_fixed(hash);
      to.add_bytes(lot.code.bytes());
      const std::string bytes = to.take();
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
  to.add_text(header_.version);
  to.add_text(header_.config_hash);
  to.add_text(header_.configuration);
  to.add(header_.ends ? 1 : 0);
  if (header_.ends) to.add_fixed(*header_.ends);
  for (const SlotLine& of_slot : written_) {
    to.add(of_slot.lines);
    to.add_fixed(of_slot.sum);
  }
  to.add_text(log_to_bytes(summary));
  to.add(share_.of);
  if (share_.of > 0) {
    for (const StampedPartition& partition : share_.partitions) to.add(partition.place);
  }
  ByteWriter checked;
  checked.add_fixed(stamp_checksum(to.bytes()));
  checked.add_bytes(to.bytes());
  std::string line;
  add_stamped(line, std::nullopt, EventTime{0}, checked.bytes());
  return write_(line);
}

}  // namespace recmeter
