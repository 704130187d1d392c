#include "recmeter/live/checkpoint.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/base/check.h"

namespace recmeter {

namespace {

// Times and counts as they come; an absent time as the one that no event has.
void write(ByteWriter& to, std::optional<EventTime> time) {
  to.add_signed(time.value_or(minus_infinity).ms);
}
std::optional<EventTime> read_time(ByteReader& from) {
  const EventTime time{from.signed_number()};
  return time == minus_infinity ? std::nullopt : std::optional(time);
}

// Candidates and policies stand with their lanes, reasons of duplicates but the first one at the end.
template <class Counts, class Visit>
void for_each_count(Counts& counts, Visit&& visit) {
  const auto stands_elsewhere = [&](const std::uint64_t& count) {
    const bool is_later_reason = &count > &counts.duplicates.front() && &count <= &counts.duplicates.back();
    return &count == &counts.candidates || &count == &counts.policies || is_later_reason;
  };
  EventCounts::for_each([&](auto& count) { stands_elsewhere(count) ? void() : visit(count); }, counts);
}
// In the place of duplicates, all of them.
void write(ByteWriter& to, const EventCounts& counts) {
  for_each_count(
      counts, [&](const std::uint64_t& count) { to.add(&count == &counts.duplicates.front() ? counts.duplicate() : count); });
}
// All duplicates are `again`, until read_duplicates() says otherwise.
EventCounts read_counts(ByteReader& from) {
  EventCounts counts;
  for_each_count(counts, [&](std::uint64_t& count) { count = from.number(); });
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

// In the order in which format 1 counts them; its first release did not know the last.
constexpr std::array<InvalidReason, 18> first_format_reasons{
    InvalidReason::too_long,          InvalidReason::not_json,
    InvalidReason::not_an_object,     InvalidReason::no_type,
    InvalidReason::missing_field,     InvalidReason::wrong_type,
    InvalidReason::empty_id,          InvalidReason::id_too_long,
    InvalidReason::duplicate_key,     InvalidReason::time_out_of_range,
    InvalidReason::too_many_items,    InvalidReason::bad_position,
    InvalidReason::items_and_item_id, InvalidReason::empty_basket,
    InvalidReason::length_mismatch,   InvalidReason::number_out_of_range,
    InvalidReason::bad_propensity,    InvalidReason::segment_too_long};
constexpr std::size_t first_release_reasons = 17;

// Those that occurred, by their names: reasons may be added, wherever they belong.
template <class Reason, std::size_t size>
void write_reasons(ByteWriter& to, const std::array<std::uint64_t, size>& counts) {
  to.add(
      static_cast<std::uint64_t>(std::count_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; })));
  for (std::size_t reason = 0; reason < counts.size(); ++reason) {
    if (counts[reason] == 0) continue;
    to.add_text(to_string(static_cast<Reason>(reason)));
    to.add(counts[reason]);
  }
}
// Whether each is one.
template <class Reason, std::size_t size>
bool read_reasons(ByteReader& from, std::array<std::uint64_t, size>& counts) {
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    const std::string_view name = from.text();
    std::size_t reason = 0;
    while (reason < counts.size() && to_string(static_cast<Reason>(reason)) != name) ++reason;
    if (reason == counts.size()) return false;
    counts[reason] = from.number();
  }
  return true;
}

// The number of the first checkpoint is 1: checkpoints of the first format begin with another number.
constexpr std::uint64_t versioned = 0;
constexpr std::uint64_t version = 6;
// Written where what later ones have is not there.
constexpr std::uint64_t without_duplicate_reasons = 5;
constexpr std::uint64_t without_policies = 4;
constexpr std::uint64_t without_lanes = 3;
constexpr std::uint64_t without_returns = 2;  // counts end with those that are pending

void write(ByteWriter& to, const PartitionPosition& position) {
  to.add_signed(position.next_offset);
  write(to, position.last_record);
  write(to, position.decided);
}
PartitionPosition read_position(ByteReader& from, UnitNumber unit) {
  PartitionPosition position{.unit = unit};
  position.next_offset = from.signed_number();
  position.last_record = read_mark(from);
  position.decided = read_counts(from);
  return position;
}

// Each partition with its place among all, by which the journal names it.
void write_units(ByteWriter& to, const Checkpoint& checkpoint) {
  std::map<UnitNumber, std::vector<std::size_t>> units;
  for (std::size_t p = 0; p < checkpoint.positions.size(); ++p) units[checkpoint.positions[p].unit].push_back(p);
  to.add(checkpoint.positions.size());
  for (const auto& [unit, places] : units) {
    to.add(static_cast<std::uint64_t>(unit));
    to.add_signed(checkpoint.sequencer.watermark.ms);
    to.add(places.size());
    for (const std::size_t place : places) {
      to.add(place);
      write(to, checkpoint.sequencer.partitions[place]);
      write(to, checkpoint.positions[place]);
    }
  }
}
// Whether each place was there once.
bool read_units(ByteReader& from, Checkpoint& checkpoint) {
  const std::uint64_t partitions = from.number();
  std::map<std::uint64_t, std::pair<Sequencer::PartitionState, PartitionPosition>> by_place;
  checkpoint.sequencer.watermark = plus_infinity;
  while (by_place.size() < partitions && !from.has_failed()) {
    const auto unit = static_cast<UnitNumber>(from.number());
    checkpoint.sequencer.watermark = std::min(checkpoint.sequencer.watermark, EventTime{from.signed_number()});
    for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
      const std::uint64_t place = from.number();
      auto state = read_partition(from);
      if (!by_place.try_emplace(place, std::move(state), read_position(from, unit)).second) return false;
    }
  }
  if (from.has_failed() || by_place.size() != partitions) return false;
  if (partitions == 0) checkpoint.sequencer.watermark = minus_infinity;
  if (partitions > 0 && by_place.rbegin()->first != partitions - 1) return false;
  for (auto& [place, partition] : by_place) {
    checkpoint.sequencer.partitions.push_back(std::move(partition.first));
    checkpoint.positions.push_back(std::move(partition.second));
  }
  return true;
}

// visit(count) for those that the format has.
template <class Counts, class Visit>
void for_each_outcome(Counts& outcomes, std::uint64_t format, Visit&& visit) {
  OutcomeCounts::for_each(
      [&](auto& count) {
        const bool is_later = &count == &outcomes.returned_late || &count == &outcomes.without_value;
        if (format > without_returns || !is_later) visit(count);
      },
      outcomes);
}

void write_totals(ByteWriter& to, const Checkpoint& checkpoint, std::uint64_t format) {
  for_each_outcome(checkpoint.outcomes, format, [&](std::uint64_t count) { to.add(count); });
  to.add(checkpoint.lists);
  to.add_signed(checkpoint.journal_from.ms);
  to.add_signed(checkpoint.rows_to.ms);
  to.add(checkpoint.rows);
  to.add(checkpoint.published);
  to.add(checkpoint.revision);
  to.add_text(checkpoint.publisher_position);
}
void read_totals(ByteReader& from, Checkpoint& checkpoint, std::uint64_t format) {
  for_each_outcome(checkpoint.outcomes, format, [&](std::uint64_t& count) { count = from.number(); });
  checkpoint.lists = from.number();
  checkpoint.journal_from = EventTime{from.signed_number()};
  checkpoint.rows_to = EventTime{from.signed_number()};
  checkpoint.rows = from.number();
  checkpoint.published = from.number();
  checkpoint.revision = from.number();
  checkpoint.publisher_position = from.text();
}

// What the sequencer and the join counted of each partition.
template <class Of, class Visit>
void for_each_partition_counts(Of& checkpoint, Visit&& visit) {
  for (auto& partition : checkpoint.sequencer.partitions) visit(partition.counts);
  for (auto& position : checkpoint.positions) visit(position.decided);
}
bool has_duplicate_reasons(const Checkpoint& checkpoint) {
  bool has_some = false;
  for_each_partition_counts(checkpoint, [&](const EventCounts& counts) {
    has_some = has_some || counts.duplicate() != counts.duplicate(DuplicateReason::again);
  });
  return has_some;
}
void write_duplicates(ByteWriter& to, const Checkpoint& checkpoint) {
  for_each_partition_counts(checkpoint,
                            [&](const EventCounts& counts) { write_reasons<DuplicateReason>(to, counts.duplicates); });
}
// Whether they add up to what was read of them before.
bool read_duplicates(ByteReader& from, Checkpoint& checkpoint) {
  bool are_sound = true;
  for_each_partition_counts(checkpoint, [&](EventCounts& counts) {
    const std::uint64_t all = counts.duplicate();
    counts.duplicates = {};
    are_sound = are_sound && read_reasons<DuplicateReason>(from, counts.duplicates) && counts.duplicate() == all;
  });
  return are_sound;
}

bool has_policies(const Checkpoint& checkpoint) {
  const auto has_some = [](const PartitionPosition& position) { return position.decided.policies > 0; };
  const auto judges = [](const LaneCounts& lane) { return lane.judged > 0; };
  return std::ranges::any_of(checkpoint.positions, has_some) || std::ranges::any_of(checkpoint.lanes, judges);
}

// Of each partition its candidates, and its policies where there are any, then what each lane counts.
void write_lanes(ByteWriter& to, const Checkpoint& checkpoint, std::uint64_t format) {
  const bool with_policies = format > without_policies;
  for (const PartitionPosition& position : checkpoint.positions) {
    to.add(position.decided.candidates);
    if (with_policies) to.add(position.decided.policies);
  }
  to.add(checkpoint.lanes.size());
  for (const LaneCounts& lane : checkpoint.lanes) {
    to.add(lane.candidates.joined);
    to.add(lane.candidates.orphaned);
    if (with_policies) to.add(lane.policies.joined);
    if (with_policies) to.add(lane.policies.orphaned);
    if (with_policies) to.add(lane.judged);
    to.add(lane.unpaired);
    OutcomeCounts::for_each([&](std::uint64_t count) { to.add(count); }, lane.feedback);
  }
}
void read_lanes(ByteReader& from, Checkpoint& checkpoint, std::uint64_t format) {
  const bool with_policies = format > without_policies;
  for (PartitionPosition& position : checkpoint.positions) {
    position.decided.candidates = from.number();
    if (with_policies) position.decided.policies = from.number();
  }
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    LaneCounts& lane = checkpoint.lanes.emplace_back();
    lane.candidates.joined = from.number();
    lane.candidates.orphaned = from.number();
    if (with_policies) lane.policies.joined = from.number();
    if (with_policies) lane.policies.orphaned = from.number();
    if (with_policies) lane.judged = from.number();
    lane.unpaired = from.number();
    OutcomeCounts::for_each([&](std::uint64_t& count) { count = from.number(); }, lane.feedback);
  }
}

Backlog read_backlog(ByteReader& from) {
  const EventTime to{from.signed_number()};
  return {.to = to, .events = from.number()};
}

// A checkpoint of the first format, after its number. What its first releases did not know stands at the end, where there is
// any: a backlog, or the time of none where something follows, then later reasons.
bool read_first_format(ByteReader& from, Checkpoint& checkpoint) {
  checkpoint.sequencer.watermark = EventTime{from.signed_number()};
  checkpoint.sequencer.first_event = EventTime{from.signed_number()};
  const auto read_counts_of = [&](std::span<const InvalidReason> reasons) {
    for (const InvalidReason reason : reasons) {
      checkpoint.sequencer.invalid_reasons[static_cast<std::size_t>(reason)] = from.number();
    }
  };
  const std::span reasons(first_format_reasons);
  read_counts_of(reasons.first(first_release_reasons));
  for (std::uint64_t partitions = from.number(); partitions > 0 && !from.has_failed(); --partitions) {
    checkpoint.sequencer.partitions.push_back(read_partition(from));
    checkpoint.positions.push_back(read_position(from, UnitNumber{}));
  }
  read_totals(from, checkpoint, 1);
  if (!from.has_failed() && !from.is_done()) {
    checkpoint.backlog = read_backlog(from);
    if (checkpoint.backlog->to == plus_infinity) checkpoint.backlog.reset();
  }
  if (!from.has_failed() && !from.is_done()) {
    read_counts_of(reasons.subspan(first_release_reasons));
  }
  return true;
}

bool read_later_format(ByteReader& from, Checkpoint& checkpoint, std::uint64_t format) {
  checkpoint.number = from.number();
  checkpoint.sequencer.first_event = EventTime{from.signed_number()};
  if (!read_reasons<InvalidReason>(from, checkpoint.sequencer.invalid_reasons) || !read_units(from, checkpoint)) return false;
  read_totals(from, checkpoint, format);
  if (from.number() != 0) checkpoint.backlog = read_backlog(from);
  if (format > without_lanes) read_lanes(from, checkpoint, format);
  return format <= without_duplicate_reasons || read_duplicates(from, checkpoint);
}

}  // namespace

EvaluationCounts Checkpoint::counts() const {
  EvaluationCounts counts{.decided = {}, .outcomes = outcomes, .lists = lists, .lane = {}, .lanes = lanes};
  for (const PartitionPosition& position : positions) counts.decided.push_back(position.decided);
  return counts;
}

std::string to_bytes(const Checkpoint& checkpoint) {
  RECMETER_CHECK(checkpoint.positions.size() == checkpoint.sequencer.partitions.size(),
                 "a checkpoint knows the same of every partition");
  const bool has_later = checkpoint.outcomes.returned_late > 0 || checkpoint.outcomes.without_value > 0;
  const std::uint64_t format = has_duplicate_reasons(checkpoint) ? version
                               : has_policies(checkpoint)        ? without_duplicate_reasons
                               : !checkpoint.lanes.empty()       ? without_policies
                               : has_later                       ? without_lanes
                                                                 : without_returns;
  ByteWriter to;
  to.add(versioned);
  to.add(format);
  to.add(checkpoint.number);
  to.add_signed(checkpoint.sequencer.first_event.ms);
  write_reasons<InvalidReason>(to, checkpoint.sequencer.invalid_reasons);
  write_units(to, checkpoint);
  write_totals(to, checkpoint, format);
  to.add(checkpoint.backlog ? 1 : 0);
  if (checkpoint.backlog) {
    to.add_signed(checkpoint.backlog->to.ms);
    to.add(checkpoint.backlog->events);
  }
  if (format > without_lanes) write_lanes(to, checkpoint, format);
  if (format > without_duplicate_reasons) write_duplicates(to, checkpoint);
  return to.take();
}

std::optional<Checkpoint> checkpoint_from(std::string_view bytes) {
  ByteReader from(bytes);
  Checkpoint checkpoint;
  checkpoint.number = from.number();
  const std::uint64_t format = checkpoint.number == versioned ? from.number() : 1;
  if (format < 1 || format > version) return std::nullopt;
  const bool is_sound = format > 1 ? read_later_format(from, checkpoint, format) : read_first_format(from, checkpoint);
  return is_sound && from.is_done() ? std::optional(std::move(checkpoint)) : std::nullopt;
}

namespace {

// Checkpoints are whole: what they write is nowhere without one.
Result<std::optional<Checkpoint>> nothing_in(const StateStore& store) {
  bool is_something = false;
  for (const char kind : {state_key::journal, state_key::position, state_key::outbox, state_key::pane, state_key::kept_row,
                          state_key::comparable, state_key::kept_series, state_key::kept_sums, state_key::look}) {
    auto scanned = store.scan(state_key::first(kind), state_key::after(kind), [&](std::string_view, std::string_view) {
      is_something = true;
      return false;
    });
    if (!scanned) return tl::unexpected(std::move(scanned).error());
  }
  if (!is_something) return std::optional<Checkpoint>();
  return failure(Errc::state_unusable,
                 "the state is damaged: its checkpoint is missing; restore it, or move it away and start again");
}

}  // namespace

Result<std::optional<Checkpoint>> checkpoint_in(const StateStore& store) {
  const auto bytes = store.get(state_key::checkpoint);
  if (!bytes) return tl::unexpected(bytes.error());
  if (!*bytes) return nothing_in(store);
  auto checkpoint = checkpoint_from(**bytes);
  if (!checkpoint) {
    return failure(Errc::state_unusable,
                   "the state is damaged: its checkpoint cannot be read; restore it, or move it away and start again");
  }
  return checkpoint;
}

void put_checkpoint(StateBatch& batch, const Checkpoint& checkpoint) {
  batch.put(std::string(state_key::checkpoint), to_bytes(checkpoint));
}

}  // namespace recmeter
