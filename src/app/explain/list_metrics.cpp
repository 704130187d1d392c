#include "app/explain/list_watch.h"
#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter::explain {

namespace {

// What the list adds to sums over lists, as a value of its own.
void explain_sums(WatchedMetric& out, const PlannedMetric& metric, const ScoredList& list,
                  std::span<const std::int64_t> columns) {
  const std::vector<Int128> own(columns.begin() + static_cast<std::ptrdiff_t>(metric.column),
                                columns.begin() + static_cast<std::ptrdiff_t>(metric.column + metric.columns));
  const ColumnSums sums{.lists = out.in_mean ? 1U : 0U, .evidence = out.has_evidence ? 1U : 0U, .columns = own};
  out.value = metric.pooled->value(sums, metric.cutoff, metric.options);
  out.note = "of this list alone; rows sum all lists first";
  if (metric.definition->evaluate != nullptr) {
    out.arithmetic = arithmetic_of(*metric.definition, list, metric.cutoff, metric.options);
  }
}

}  // namespace

std::vector<WatchedMetric> metrics_of(const MetricPlan& plan, const ScoredList& list) {
  std::vector<std::int64_t> columns(plan.columns(), 0);
  std::vector<std::int64_t> user_columns(plan.user_columns(), 0);
  plan.add_values(list, columns);
  plan.add_user_values(list, user_columns);
  std::vector<WatchedMetric> metrics;
  for (const PlannedMetric& metric : plan.metrics()) {
    const MetricDefinition& definition = *metric.definition;
    WatchedMetric& out = metrics.emplace_back(
        WatchedMetric{.key = metric.key, .definition = metric.definition_id, .arithmetic = {}, .value = {}});
    if (definition.family == Family::exposure || definition.family == Family::audience) {
      out.note = definition.family == Family::exposure ? "about the items of all lists of a row, not about one list"
                                                       : "about the users of a row, not about one list";
      continue;
    }
    const bool by_user = metric.user_column != PlannedMetric::no_column;
    if (by_user) {
      out.has_evidence = user_columns[metric.user_column + 1] > 0;
    } else if (metric.evidence_column != PlannedMetric::no_column) {
      out.has_evidence = columns[metric.evidence_column] > 0;
    }
    out.in_mean = recmeter::in_mean(metric, list);
    if (metric.pooled != nullptr) {
      explain_sums(out, metric, list, columns);
      continue;
    }
    out.value = mean_of_q32(by_user ? user_columns[metric.user_column] : columns[metric.column], 1);
    if (!out.in_mean) {
      out.value.reset();
      out.note = "not in the mean";
    } else if (!out.has_evidence) {
      out.note = "no evidence; counts as 0";
    }
    if (out.in_mean && out.has_evidence) out.arithmetic = arithmetic_of(definition, list, metric.cutoff, metric.options);
  }
  return metrics;
}

}  // namespace recmeter::explain
