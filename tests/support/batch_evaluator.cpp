#include "support/batch_evaluator.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "support/batch_join.h"
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
  total.duplicate += part.duplicate;
  total.impressions += part.impressions;
  total.feedback += part.feedback;
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
  const AcceptedEvents events = accept(spec, std::move(candidates), inputs.size());
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    PartitionReport& partition = report.partitions[p];
    partition.events.duplicate = events.partitions[p].duplicate;
    partition.events.impressions = events.partitions[p].impressions;
    partition.events.feedback = events.partitions[p].feedback;
    report.records += partition.records;
    add(report.events, partition.events);
  }
  report.lists = events.lists.size();
  const BatchJoin join(spec, events);
  report.feedback = join.outcomes();
  result.rows = window_rows(spec, events, join, bounds);
  for (const Row& row : result.rows) ++(row.stage == Stage::final ? report.rows_final : report.rows_truncated);
  return result;
}

}  // namespace recmeter::support
