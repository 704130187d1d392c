#include "evaluation/partial_bytes.h"

#include <xxhash.h>

#include <algorithm>
#include <set>
#include <utility>

#include "recmeter/evaluation/lane_spec.h"
#include "recmeter/evaluation/part.h"

namespace recmeter {

namespace {

constexpr std::string_view magic = "recmeter partial";
// 1 knew no returns, 2 wrote items out in each cell and knew no parts by partitions, 3 had one number for all duplicates, 4
// one for all actions.
constexpr std::uint64_t format = 5;

void write(ByteWriter& to, EventTime time) {
  to.add_signed(time.ms);
}
EventTime read_time(ByteReader& from) {
  return {from.signed_number()};
}

// In the order of time, whichever partitions they are of.
void write(ByteWriter& to, std::vector<TimeSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const TimeSpan& a, const TimeSpan& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  to.add(spans.size());
  for (const TimeSpan& span : spans) {
    write(to, span.from);
    write(to, span.to);
  }
}
std::vector<TimeSpan> read_spans(ByteReader& from) {
  std::vector<TimeSpan> spans;
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    const EventTime begin = read_time(from);
    spans.push_back({begin, read_time(from)});
  }
  return spans;
}

// But candidates and policies, which a log without lanes does not have.
template <class Counts, class Visit>
void for_each_count(Counts& counts, Visit&& visit) {
  EventCounts::for_each(
      [&](auto& count) { &count != &counts.candidates && &count != &counts.policies ? visit(count) : void(); }, counts);
}
template <class Counts, class Visit>
void for_each_count_of(Counts& lane, Visit&& visit) {
  for (auto* of : {&lane.candidates, &lane.policies}) {
    visit(of->joined);
    visit(of->orphaned);
  }
  OutcomeCounts::for_each(visit, lane.feedback);
  visit(lane.unpaired);
  visit(lane.judged);
}
void write(ByteWriter& to, const EventCounts& counts) {
  for_each_count(counts, [&](std::uint64_t count) { to.add(count); });
}
EventCounts read_event_counts(ByteReader& from) {
  EventCounts counts;
  for_each_count(counts, [&](std::uint64_t& count) { count = from.number(); });
  return counts;
}

void write(ByteWriter& to, const PartitionReport& partition) {
  to.add_text(partition.name);
  to.add(partition.records);
  write(to, partition.events);
  write(to, partition.watermark.value_or(minus_infinity));
  for (const Duration of : {partition.disorder.max, partition.disorder.p50, partition.disorder.p999}) to.add_signed(of.ms);
  to.add(partition.is_sorted ? 1 : 0);
}
PartitionReport read_partition(ByteReader& from) {
  PartitionReport partition;
  partition.name = from.text();
  partition.records = from.number();
  partition.events = read_event_counts(from);
  const EventTime watermark = read_time(from);
  if (watermark != minus_infinity) partition.watermark = watermark;
  for (Duration* of : {&partition.disorder.max, &partition.disorder.p50, &partition.disorder.p999}) {
    *of = {from.signed_number()};
  }
  partition.is_sorted = from.number() != 0;
  return partition;
}

// Without its place in a batch, which is the run's own.
void write(ByteWriter& to, const InvalidRecord& record) {
  to.add_text(record.partition);
  to.add(static_cast<std::uint64_t>(record.sample.reason));
  to.add(record.sample.line);
  for (const std::string* text : {&record.sample.field, &record.sample.value, &record.sample.record}) to.add_text(*text);
}
InvalidRecord read_invalid(ByteReader& from) {
  InvalidRecord record;
  record.partition = from.text();
  record.sample.reason = static_cast<InvalidReason>(from.number() % invalid_reason_count);
  record.sample.line = from.number();
  for (std::string* text : {&record.sample.field, &record.sample.value, &record.sample.record}) *text = from.text();
  return record;
}

void write(ByteWriter& to, const std::optional<GapAtEnd>& gap) {
  to.add(gap ? 1 : 0);
  if (!gap) return;
  to.add_text(gap->partition);
  to.add(gap->records);
  to.add_signed(gap->step.ms);
  write(to, gap->to);
}
std::optional<GapAtEnd> read_gap(ByteReader& from) {
  if (from.number() == 0) return std::nullopt;
  GapAtEnd gap;
  gap.partition = from.text();
  gap.records = from.number();
  gap.step = {from.signed_number()};
  gap.to = read_time(from);
  return gap;
}

}  // namespace

std::string parts_text(const std::set<std::uint32_t>& parts, std::uint32_t count) {
  std::string text = parts.size() == 1 ? "part" : "parts";
  for (const std::uint32_t part : parts) {
    text += (part == *parts.begin() ? " " : ", ") + std::to_string(part) + "/" + std::to_string(count);
  }
  return text;
}

std::uint64_t frame_checksum(std::string_view payload, std::uint64_t number) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), number);
}

CellShape cell_shape(const EvaluatorPlan& plan) {
  const auto cutoffs = plan.metrics.exposure_cutoffs();
  return {.columns = plan.metrics.columns(),
          .user_columns = plan.metrics.user_columns(),
          .actions = plan.actions.size(),
          .buckets = plan.metrics.buckets(),
          .cutoffs = cutoffs.size(),
          .cutoff_max = cutoffs.empty() ? 0 : cutoffs.back(),
          .compared_lists = plan.spec->limits.compared_lists};
}

std::string to_bytes(const PartialHeader& header) {
  ByteWriter to;
  to.add(static_cast<std::uint64_t>(PartialFrame::header));
  to.add_text(magic);
  to.add(format);
  to.add(header.count);
  to.add(header.parts.size());
  for (const std::uint32_t part : header.parts) to.add(part);
  to.add(header.ends ? 1 : 0);
  if (header.ends) to.add_fixed(*header.ends);
  for (const EventTime time : {header.range.from, header.range.to, header.range.starts_before}) write(to, time);
  to.add_text(header.version);
  to.add_text(header.config_hash);
  to.add_text(header.configuration);
  return to.take();
}

std::optional<PartialHeader> header_from_bytes(std::string_view bytes) {
  ByteReader from(bytes);
  const bool is_header = from.number() == static_cast<std::uint64_t>(PartialFrame::header);
  if (!is_header || from.text() != magic || from.number() != format) return std::nullopt;
  PartialHeader header;
  header.count = static_cast<std::uint32_t>(from.number());
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    header.parts.insert(static_cast<std::uint32_t>(from.number()));
  }
  if (from.number() != 0) header.ends = from.fixed();
  for (EventTime* time : {&header.range.from, &header.range.to, &header.range.starts_before}) *time = read_time(from);
  header.version = from.text();
  header.config_hash = from.text();
  header.configuration = from.text();
  const bool are_parts = !header.parts.empty() && *header.parts.rbegin() < header.count && header.count <= parts_max;
  if (!from.is_done() || !are_parts) return std::nullopt;
  return header;
}

std::string log_to_bytes(const PartSummary& summary) {
  ByteWriter to;
  for (const EventTime time : {summary.log.final_to, summary.later_end, summary.evaluated_to, summary.start.first_event,
                               summary.start.first_after_cut}) {
    write(to, time);
  }
  for (const auto* spans : {&summary.start.lost, &summary.start.late_after_idle, &summary.start.future_by_clock}) {
    write(to, *spans);
  }
  write(to, summary.log.gap_at_end);
  for (const std::uint64_t count : summary.log.invalid_reasons) to.add(count);
  to.add(summary.log.invalid_records.size());
  for (const InvalidRecord& record : summary.log.invalid_records) write(to, record);
  to.add(summary.log.partitions.size());
  for (const PartitionReport& partition : summary.log.partitions) write(to, partition);
  return to.take();
}

bool log_from_bytes(std::string_view bytes, PartSummary& summary) {
  ByteReader from(bytes);
  for (EventTime* time : {&summary.log.final_to, &summary.later_end, &summary.evaluated_to, &summary.start.first_event,
                          &summary.start.first_after_cut}) {
    *time = read_time(from);
  }
  for (auto* spans : {&summary.start.lost, &summary.start.late_after_idle, &summary.start.future_by_clock}) {
    *spans = read_spans(from);
  }
  summary.log.gap_at_end = read_gap(from);
  for (std::uint64_t& count : summary.log.invalid_reasons) count = from.number();
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    summary.log.invalid_records.push_back(read_invalid(from));
  }
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    summary.log.partitions.push_back(read_partition(from));
  }
  std::set<std::string_view> names;
  for (const PartitionReport& partition : summary.log.partitions) names.insert(partition.name);
  const bool are_of_log = std::ranges::all_of(summary.log.invalid_records,
                                              [&](const auto& record) { return names.contains(record.partition); }) &&
                          (!summary.log.gap_at_end || names.contains(summary.log.gap_at_end->partition));
  return from.is_done() && names.size() == summary.log.partitions.size() && are_of_log;
}

void write_counts(ByteWriter& to, const EvaluationCounts& counts) {
  for (const EventCounts& of_partition : counts.decided) write(to, of_partition);
  to.add(counts.by_action.size());
  for (const OutcomeCounts& of_action : counts.by_action) {
    OutcomeCounts::for_each([&](std::uint64_t count) { to.add(count); }, of_action);
  }
  to.add(counts.lists);
}

EvaluationCounts read_counts(ByteReader& from, std::size_t partitions) {
  EvaluationCounts counts{.decided = {}, .outcomes = {}};
  for (std::size_t p = 0; p < partitions; ++p) counts.decided.push_back(read_event_counts(from));
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    OutcomeCounts& of_action = counts.by_action.emplace_back();
    OutcomeCounts::for_each([&](std::uint64_t& count) { count = from.number(); }, of_action);
    counts.outcomes += of_action;
  }
  counts.lists = from.number();
  return counts;
}

void write_lane_counts(ByteWriter& to, const EvaluationCounts& counts) {
  to.add(counts.lanes.size());
  if (counts.lanes.empty()) return;
  for (const LaneCounts& lane : counts.lanes) for_each_count_of(lane, [&](std::uint64_t count) { to.add(count); });
  for (const EventCounts& of_partition : counts.decided) {
    to.add(of_partition.candidates);
    to.add(of_partition.policies);
  }
}

bool read_lane_counts(ByteReader& from, EvaluationCounts& counts) {
  const std::uint64_t lanes = from.number();
  if (lanes > 2 * lanes_max) return false;
  if (lanes == 0) return true;
  counts.lanes.resize(lanes);
  for (LaneCounts& lane : counts.lanes) for_each_count_of(lane, [&](std::uint64_t& count) { count = from.number(); });
  for (EventCounts& of_partition : counts.decided) {
    of_partition.candidates = from.number();
    of_partition.policies = from.number();
  }
  return !from.has_failed();
}

void write_span(ByteWriter& to, const std::optional<TimeSpan>& span) {
  to.add(span ? 1 : 0);
  if (!span) return;
  write(to, span->from);
  write(to, span->to);
}

std::optional<TimeSpan> read_span(ByteReader& from) {
  if (from.number() == 0) return std::nullopt;
  const EventTime begin = read_time(from);
  return TimeSpan{begin, read_time(from)};
}

void write_share(ByteWriter& to, const PartSummary& summary) {
  for (const std::uint64_t place : summary.places) to.add(place);
  to.add(summary.keys.mask());
  const std::vector<KeySample::Key> keys = summary.keys.keys();
  to.add(keys.size());
  for (const KeySample::Key& key : keys) {
    to.add_fixed(key.hash);
    to.add(key.part);
    to.add_text(key.id);
  }
}

bool read_share(ByteReader& from, const PartialHeader& header, PartSummary& summary) {
  for (std::size_t p = 0; p < summary.log.partitions.size(); ++p) summary.places.push_back(from.number());
  const std::uint64_t mask = from.number();
  summary.keys.raise(mask);
  std::optional<std::uint64_t> last;
  for (std::uint64_t left = from.number(); left > 0 && !from.has_failed(); --left) {
    KeySample::Key key;
    key.hash = from.fixed();
    key.part = static_cast<std::uint32_t>(from.number());
    key.id = from.text();
    const bool is_next = (!last || *last < key.hash) && summary.keys.lacks(key.hash) && header.parts.contains(key.part);
    if (!is_next) return false;
    last = key.hash;
    summary.keys.add(std::move(key));
  }
  return summary.keys.mask() == mask && (mask & (mask + 1)) == 0;
}

}  // namespace recmeter
