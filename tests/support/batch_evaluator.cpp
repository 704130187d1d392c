#include "support/batch_evaluator.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "support/batch_join.h"
#include "support/batch_lanes.h"
#include "support/batch_lists.h"
#include "support/batch_partition.h"
#include "support/batch_windows.h"

namespace recmeter::support {
namespace {

void add(EventCounts& total, const EventCounts& part) {
  total.read += part.read;
  total.invalid += part.invalid;
  total.ignored += part.ignored;
  total.future += part.future;
  total.late += part.late;
  for (std::size_t i = 0; i < duplicate_reason_count; ++i) total.duplicates[i] += part.duplicates[i];
  total.impressions += part.impressions;
  total.feedback += part.feedback;
  total.candidates += part.candidates;
  total.policies += part.policies;
}

// Each lane as a log of its own, which ends `assemble` earlier: what is in whose place is known by then.
void evaluate_lanes(const std::vector<BatchLane>& lanes, LogBounds bounds, BatchResult& result) {
  if (bounds.last) *bounds.last -= lanes.front().spec.join.assemble.ms;
  for (const BatchLane& lane : lanes) {
    const BatchJoin join(lane.spec, lane.events);
    std::vector<Row> rows = window_rows(lane.spec, lane.events, join, bounds);
    const std::string key = lane.is_policy ? "target_policy" : "recommender";
    for (Row& row : rows) row.segment.insert(row.segment.begin(), {key, lane.name});
    std::ranges::move(rows, std::back_inserter(result.rows));
    if (&lane == &lanes.front()) {
      result.report.feedback = join.outcomes();
      continue;
    }
    LaneCounts counts = lane.counts;
    counts.feedback = join.outcomes();
    result.report.lanes.push_back({.name = lane.name, .is_policy = lane.is_policy, .counts = counts});
  }
  std::ranges::stable_sort(result.rows, {}, [&](const Row& row) {
    const auto window = std::ranges::find(lanes.front().spec.windows, row.window, &WindowSpec::name);
    return std::pair(window->is_whole(), row.end + row.horizon);
  });
}

}  // namespace

BatchResult evaluate_in_batch(const EvaluatorSpec& spec, std::span<const BatchInput> inputs) {
  BatchResult result;
  Report& report = result.report;
  std::vector<BatchEvent> candidates;
  LogBounds bounds;
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    BatchPartition partition = judge_partition(spec, inputs[p], p);
    std::move(partition.candidates.begin(), partition.candidates.end(), std::back_inserter(candidates));
    for (std::size_t i = 0; i < invalid_reason_count; ++i) report.invalid_reasons[i] += partition.invalid_reasons[i];
    const auto raise = [](std::optional<std::int64_t>& bound, std::optional<std::int64_t> time) {
      if (time) bound = std::max(bound.value_or(*time), *time);
    };
    raise(bounds.last, partition.last_time);
    if (inputs[p].is_cut_at_start) raise(bounds.first_after_cut, partition.first_time);
    report.partitions.push_back(std::move(partition.report));
  }
  std::vector<BatchEvent> of_lanes;
  std::erase_if(candidates, [&](const BatchEvent& event) {
    if (!is_of_lane(event)) return false;
    of_lanes.push_back(event);
    return true;
  });
  AcceptedEvents events = accept(spec, std::move(candidates), inputs.size());
  std::vector<BatchLane> lanes;
  if (spec.lanes.is_wanted()) {
    lanes = make_lanes(spec, events, std::move(of_lanes));
    events.partitions = lanes.front().events.partitions;
  }
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    PartitionReport& partition = report.partitions[p];
    partition.events.duplicates = events.partitions[p].duplicates;
    partition.events.impressions = events.partitions[p].impressions;
    partition.events.feedback = events.partitions[p].feedback;
    partition.events.candidates = events.partitions[p].candidates;
    partition.events.policies = events.partitions[p].policies;
    report.records += partition.records;
    add(report.events, partition.events);
  }
  report.lists = events.lists.size();
  if (lanes.empty()) {
    const BatchJoin join(spec, events);
    report.feedback = join.outcomes();
    result.rows = window_rows(spec, events, join, bounds);
  } else {
    evaluate_lanes(lanes, bounds, result);
  }
  for (const Row& row : result.rows) ++(row.stage == Stage::final ? report.rows_final : report.rows_truncated);
  return result;
}

}  // namespace recmeter::support
