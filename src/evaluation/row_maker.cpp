#include "recmeter/evaluation/row_maker.h"

#include <algorithm>

#include "evaluation/incomplete.h"
#include "recmeter/metric/curve.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

namespace {

// Null: nothing of the kind is counted for the metric.
std::shared_ptr<const ShownCounts> shown_counts(const EvaluatorPlan& of, const PlannedMetric& metric,
                                                const RunningSums& sums) {
  const MetricPlan& plan = of.metrics;
  const auto columns_of = [&](std::size_t block) {
    const ShownBlock& one = plan.shown_blocks()[block];
    return sums.columns(one.column, one.columns);
  };
  ShownCounts counts;
  if (metric.rank_block != PlannedMetric::no_column) counts.ranks = ranks_of(columns_of(metric.rank_block), metric.cutoff);
  if (metric.group_block != PlannedMetric::no_column) {
    const std::size_t columns = plan.shown_blocks()[metric.group_block].columns;
    counts.groups = groups_of(columns_of(metric.group_block), columns / group_columns(1));
    counts.groups_id = of.spec->catalog->groups.id;
  }
  return counts.ranks.empty() && counts.groups.empty() ? nullptr : std::make_shared<ShownCounts>(std::move(counts));
}

}  // namespace

Row RowMaker::make(const Of& of, const SlidingWindow<RunningSums>::Segment& segment, const WindowExposure* exposure,
                   const LogStart& log_start) const {
  const EvaluatorSpec& spec = *plan_.spec;
  const WindowSpec& window = spec.windows[of.window];
  const Duration horizon = spec.join.horizons[of.horizon];
  Row row{.evaluator = spec.name,
          .config = spec.config_hash,
          .window = window.name,
          .start = of.start,
          .end = of.end,
          .horizon = horizon,
          .segment = {},
          .stage = of.stage,
          .revision = {},
          .matured = share_of(segment.state->lists() - segment.state->unmatured(), segment.state->lists()),
          .incomplete = incomplete_reasons(spec.join, log_start, of.start, of.end, horizon),
          .lists = segment.state->lists(),
          .feedback = {},
          .metrics = {}};
  for (std::size_t k = 0; k < segment.values.size(); ++k) {
    row.segment.emplace_back(spec.segments[of.combination - 1].keys[k], segment.values[k]);
  }
  for (std::size_t a = 0; a < plan_.actions.size(); ++a) {
    const AssignedFeedback counts = segment.state->feedback(a);
    row.feedback.push_back({plan_.actions[a], counts.credited, counts.repeated});
  }
  fill_metrics(row, *segment.state, exposure == nullptr ? nullptr : &exposure->at(segment.values));
  if (const std::uint32_t k_max = plan_.metrics.curve_cutoff(); k_max > 0) {
    const std::vector<Int128> sums = segment.state->columns(plan_.metrics.curve_column(), curve_columns(k_max));
    row.curve = curve_of(sums, k_max, spec.catalog.has_value());
  }
  return row;
}

void RowMaker::fill_metrics(Row& row, const RunningSums& sums, const std::vector<ExposureSnapshot>* exposure) const {
  const EvaluatorSpec& spec = *plan_.spec;
  const bool keeps_sums =
      row.stage != Stage::provisional && std::ranges::find(spec.group_sums, row.window) != spec.group_sums.end();
  for (const PlannedMetric& metric : plan_.metrics.metrics()) {
    const MetricDefinition& definition = *metric.definition;
    MetricValue& out = row.metrics.emplace_back();
    out.key = metric.key;
    out.definition_id = metric.definition_id;
    if (definition.family == Family::exposure) {
      const ExposureFacts facts = (*exposure)[metric.exposure].facts(spec.catalog ? spec.catalog->size : 0);
      if (facts.distinct <= spec.limits.distinct_items) {
        const ExposureValue value = definition.measure(facts, metric.options, spec.metrics.confidence);
        out.value = value.value;
        out.se = value.se;
        out.ci = value.ci;
      } else if (row.incomplete.empty() || row.incomplete.back() != "distinct_items") {
        row.incomplete.emplace_back("distinct_items");
      }
      continue;
    }
    const Estimate estimate = sums.estimate(metric, spec.metrics.confidence);
    out.value = estimate.value;
    out.se = estimate.se;
    out.ci = estimate.ci;
    out.numerator = estimate.numerator;
    out.denominator = estimate.denominator;
    out.refused = estimate.refused;
    out.is_suspect = estimate.is_suspect;
    if (spec.metrics.left_out) out.left_out = std::make_shared<LeftOutValues>(estimate.left_out);
    if (keeps_sums && is_mean_over_lists(metric)) {
      out.group_sums = std::make_shared<GroupSums>(sums.group_sums(metric));
      out.shown = shown_counts(plan_, metric, sums);
    }
    out.has_evidence = definition.family == Family::list_mean || definition.family == Family::pooled ||
                       definition.family == Family::quantile;
    if (!out.has_evidence) continue;
    if (!definition.is_of_ratings) out.given_relevant = estimate.given_relevant;
    out.relevant_share = estimate.relevant_share;
  }
}

}  // namespace recmeter
