#include "recmeter/live/checkpoint.h"

#include <algorithm>
#include <span>

#include "recmeter/base/byte_code.h"
#include "recmeter/base/check.h"

namespace recmeter {

namespace {

constexpr std::string_view key = "c";
constexpr EventTime no_backlog = plus_infinity;  // in its place, where something follows

// Times and counts as they come; an absent time as the one that no event has.
void write(ByteWriter& to, std::optional<EventTime> time) {
  to.add_signed(time.value_or(minus_infinity).ms);
}
std::optional<EventTime> read_time(ByteReader& from) {
  const EventTime time{from.signed_number()};
  return time == minus_infinity ? std::nullopt : std::optional(time);
}

void write(ByteWriter& to, const EventCounts& counts) {
  EventCounts::for_each([&](std::uint64_t count) { to.add(count); }, counts);
}
EventCounts read_counts(ByteReader& from) {
  EventCounts counts;
  EventCounts::for_each([&](std::uint64_t& count) { count = from.number(); }, counts);
  return counts;
}

// One that is absent as the offset before the first.
void write(ByteWriter& to, const std::optional<RecordMark>& mark) {
  to.add_signed(mark ? mark->offset : -1);
  to.add(mark ? mark->hash : 0);
}
std::optional<RecordMark> read_mark(ByteReader& from) {
  RecordMark mark;
  mark.offset = from.signed_number();
  mark.hash = from.number();
  return mark.offset < 0 ? std::nullopt : std::optional(mark);
}

void write(ByteWriter& to, const std::vector<TimeSpan>& spans) {
  to.add(spans.size());
  for (const TimeSpan& span : spans) {
    to.add_signed(span.from.ms);
    to.add_signed(span.to.ms);
  }
}
std::vector<TimeSpan> read_spans(ByteReader& from) {
  std::vector<TimeSpan> spans;
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    const EventTime first{from.signed_number()};
    spans.push_back({first, EventTime{from.signed_number()}});
  }
  return spans;
}

void write(ByteWriter& to, const Sequencer::PartitionState& partition) {
  to.add_text(partition.name);
  write(to, partition.clock.max_time);
  write(to, partition.clock.min_time);
  partition.clock.disorder.write(to);
  write(to, partition.clock.lost);
  write(to, partition.late_after_idle);
  write(to, partition.future_by_clock);
  write(to, partition.counts);
  to.add(partition.records);
  to.add(partition.places);
  to.add(partition.is_cut_at_start ? 1 : 0);
}
Sequencer::PartitionState read_partition(ByteReader& from) {
  Sequencer::PartitionState partition;
  partition.name = from.text();
  partition.clock.max_time = read_time(from);
  partition.clock.min_time = read_time(from);
  partition.clock.disorder = DisorderHistogram::read(from);
  partition.clock.lost = read_spans(from);
  partition.late_after_idle = read_spans(from);
  partition.future_by_clock = read_spans(from);
  partition.counts = read_counts(from);
  partition.records = from.number();
  partition.places = from.number();
  partition.is_cut_at_start = from.number() != 0;
  return partition;
}

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  const std::size_t partitions = checkpoint.sequencer.partitions.size();
  RECMETER_CHECK(checkpoint.next_offsets.size() == partitions && checkpoint.last_records.size() == partitions &&
                     checkpoint.counts.decided.size() == partitions,
                 "a checkpoint knows the same of every partition");
  ByteWriter to;
  to.add(checkpoint.number);
  to.add_signed(checkpoint.sequencer.watermark.ms);
  to.add_signed(checkpoint.sequencer.first_event.ms);
  const std::span reasons(checkpoint.sequencer.invalid_reasons);
  for (const std::uint64_t count : reasons.first(first_invalid_reason_count)) to.add(count);
  to.add(checkpoint.sequencer.partitions.size());
  for (std::size_t p = 0; p < checkpoint.sequencer.partitions.size(); ++p) {
    write(to, checkpoint.sequencer.partitions[p]);
    to.add_signed(checkpoint.next_offsets[p]);
    write(to, checkpoint.last_records[p]);
    write(to, checkpoint.counts.decided[p]);
  }
  OutcomeCounts::for_each([&](std::uint64_t count) { to.add(count); }, checkpoint.counts.outcomes);
  to.add(checkpoint.counts.lists);
  to.add_signed(checkpoint.journal_from.ms);
  to.add_signed(checkpoint.rows_to.ms);
  to.add(checkpoint.rows);
  to.add(checkpoint.published);
  to.add(checkpoint.revision);
  to.add_text(checkpoint.publisher_position);
  // What the first release did not know stands at the end, and only where there is any: a backlog, then later reasons.
  const auto later = reasons.subspan(first_invalid_reason_count);
  const bool has_later = std::any_of(later.begin(), later.end(), [](std::uint64_t count) { return count > 0; });
  if (checkpoint.backlog || has_later) {
    const Backlog backlog = checkpoint.backlog.value_or(Backlog{.to = no_backlog, .events = 0});
    to.add_signed(backlog.to.ms);
    to.add(backlog.events);
  }
  if (has_later) {
    for (const std::uint64_t count : later) to.add(count);
  }
  return to.take();
}

std::optional<Checkpoint> checkpoint_from(std::string_view bytes) {
  ByteReader from(bytes);
  Checkpoint checkpoint;
  checkpoint.number = from.number();
  checkpoint.sequencer.watermark = EventTime{from.signed_number()};
  checkpoint.sequencer.first_event = EventTime{from.signed_number()};
  const std::span reasons(checkpoint.sequencer.invalid_reasons);
  for (std::uint64_t& count : reasons.first(first_invalid_reason_count)) count = from.number();
  for (std::uint64_t partitions = from.number(); partitions > 0 && !from.has_failed(); --partitions) {
    checkpoint.sequencer.partitions.push_back(read_partition(from));
    checkpoint.next_offsets.push_back(from.signed_number());
    checkpoint.last_records.push_back(read_mark(from));
    checkpoint.counts.decided.push_back(read_counts(from));
  }
  OutcomeCounts::for_each([&](std::uint64_t& count) { count = from.number(); }, checkpoint.counts.outcomes);
  checkpoint.counts.lists = from.number();
  checkpoint.journal_from = EventTime{from.signed_number()};
  checkpoint.rows_to = EventTime{from.signed_number()};
  checkpoint.rows = from.number();
  checkpoint.published = from.number();
  checkpoint.revision = from.number();
  checkpoint.publisher_position = from.text();
  if (!from.has_failed() && !from.is_done()) {
    Backlog& backlog = checkpoint.backlog.emplace();
    backlog.to = EventTime{from.signed_number()};
    backlog.events = from.number();
    if (backlog.to == no_backlog) checkpoint.backlog.reset();
  }
  if (!from.has_failed() && !from.is_done()) {
    for (std::uint64_t& count : reasons.subspan(first_invalid_reason_count)) count = from.number();
  }
  return from.is_done() ? std::optional(std::move(checkpoint)) : std::nullopt;
}

Result<std::optional<Checkpoint>> checkpoint_in(const StateStore& store) {
  const auto bytes = store.get(key);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!*bytes) return std::optional<Checkpoint>();
  auto checkpoint = checkpoint_from(**bytes);
  if (!checkpoint) {
    return failure(Errc::state_unusable,
                   "the state is damaged: its checkpoint cannot be read; restore it, or move it away and start anew");
  }
  return checkpoint;
}

void put_checkpoint(StateBatch& batch, const Checkpoint& checkpoint) {
  batch.put(std::string(key), to_bytes(checkpoint));
}

}  // namespace recmeter
