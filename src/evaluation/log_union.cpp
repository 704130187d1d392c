#include "evaluation/log_union.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace recmeter {

namespace {

using Place = std::pair<std::uint64_t, std::string>;  // of a partition, and its name

void add_spans(std::vector<TimeSpan>& to, const std::vector<TimeSpan>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void add(LogStart& to, const LogStart& from) {
  to.first_event = std::min(to.first_event, from.first_event);
  to.first_after_cut = std::max(to.first_after_cut, from.first_after_cut);
  add_spans(to.lost, from.lost);
  add_spans(to.late_after_idle, from.late_after_idle);
  add_spans(to.future_by_clock, from.future_by_clock);
}

// Of equal ones that of the first partition.
std::optional<GapAtEnd> furthest_gap(std::span<const PartSummary> summaries, EventTime log_end,
                                     const std::map<std::string, Place>& place_of) {
  std::optional<GapAtEnd> furthest;
  for (const PartSummary& summary : summaries) {
    const auto& gap = summary.log.gap_at_end;
    if (!gap || gap->to <= log_end || (furthest && gap->to < furthest->to)) continue;
    const bool is_behind =
        furthest && gap->to == furthest->to && place_of.at(furthest->partition) < place_of.at(gap->partition);
    if (!is_behind) furthest = gap;
  }
  return furthest;
}

// Of each reason that of the first partition.
std::vector<InvalidRecord> first_samples(std::span<const PartSummary> summaries,
                                         const std::map<std::string, Place>& place_of) {
  std::map<InvalidReason, InvalidRecord> samples;
  for (const PartSummary& summary : summaries) {
    for (const InvalidRecord& record : summary.log.invalid_records) {
      const auto [known, is_new] = samples.try_emplace(record.sample.reason, record);
      if (!is_new && place_of.at(record.partition) < place_of.at(known->second.partition)) known->second = record;
    }
  }
  std::vector<InvalidRecord> records;
  for (auto& [reason, record] : samples) records.push_back(std::move(record));
  return records;
}

}  // namespace

PartSummary joined(std::span<const PartSummary> summaries) {
  PartSummary all;
  all.log.final_to = minus_infinity;
  all.evaluated_to = plus_infinity;
  std::map<Place, std::pair<const PartitionReport*, EventCounts>> partitions;
  std::map<std::string, Place> place_of;
  for (const PartSummary& summary : summaries) {
    all.log.final_to = std::max(all.log.final_to, summary.log.final_to);
    add(all.start, summary.start);
    for (std::size_t r = 0; r < invalid_reason_count; ++r) all.log.invalid_reasons[r] += summary.log.invalid_reasons[r];
    for (std::size_t p = 0; p < summary.places.size(); ++p) {
      const PartitionReport& partition = summary.log.partitions[p];
      const Place place{summary.places[p], partition.name};
      const auto& decided = summary.counts.decided;
      partitions[place] = {&partition, decided.empty() ? EventCounts() : decided[p]};
      place_of[partition.name] = place;
    }
    all.counts.outcomes += summary.counts.outcomes;
    all.counts.by_action.resize(std::max(all.counts.by_action.size(), summary.counts.by_action.size()));
    for (std::size_t a = 0; a < summary.counts.by_action.size(); ++a) all.counts.by_action[a] += summary.counts.by_action[a];
    all.counts.lists += summary.counts.lists;
    all.counts.lanes.resize(std::max(all.counts.lanes.size(), summary.counts.lanes.size()));
    for (std::size_t l = 0; l < summary.counts.lanes.size(); ++l) all.counts.lanes[l] += summary.counts.lanes[l];
    all.keys.add(summary.keys);
  }
  for (const auto& [place, partition] : partitions) {
    all.log.partitions.push_back(*partition.first);
    all.places.push_back(place.first);
    all.counts.decided.push_back(partition.second);
  }
  all.log.invalid_records = first_samples(summaries, place_of);
  all.log.gap_at_end = furthest_gap(summaries, all.log.final_to, place_of);
  all.later_end = all.log.gap_at_end ? all.log.gap_at_end->to : all.log.final_to;
  return all;
}

}  // namespace recmeter
