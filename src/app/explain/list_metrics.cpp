#include "app/definitions/metric_words.h"
#include "app/explain/list_watch.h"
#include "recmeter/metric/arithmetic.h"

namespace recmeter::explain {

namespace {

std::string note_on(const WatchedMetric& metric, const PlannedMetric& planned) {
  const std::string lacks = "no evidence (" + std::string(evidence_rule(*planned.definition)) + ")";
  if (!metric.in_mean) return metric.has_evidence ? "left out of the mean" : lacks + ": left out of the mean";
  const bool is_own = planned.of_user != nullptr || (planned.pooled != nullptr && planned.options.unit == Unit::list);
  if (is_own && !metric.has_evidence) return lacks + ": left out of the mean";
  if (planned.of_user != nullptr) return "this list alone; rows sum each user's lists first";
  if (planned.pooled != nullptr && !is_own) {
    return metric.has_evidence ? "this list alone; rows sum all lists first" : lacks + ": adds nothing to the sums";
  }
  if (planned.definition->family == Family::quantile) return "this list alone; rows take one value of all lists";
  return metric.has_evidence ? "" : lacks + ": counts as 0";
}

}  // namespace

std::vector<WatchedMetric> metrics_of(const MetricPlan& plan, const ScoredList& list) {
  std::vector<WatchedMetric> metrics;
  for (const PlannedMetric& planned : plan.metrics()) {
    const MetricDefinition& definition = *planned.definition;
    WatchedMetric& out = metrics.emplace_back(
        WatchedMetric{.key = planned.key, .definition = planned.definition_id, .arithmetic = {}, .value = {}});
    if (definition.family == Family::exposure || definition.family == Family::audience) {
      out.of_list = false;
      out.note =
          definition.family == Family::exposure ? "about the items that all lists of a row show" : "about the users of a row";
      continue;
    }
    const ScoredList seen = seen_by(planned, list);
    out.in_mean = in_mean(planned, seen);
    out.has_evidence = has_evidence(planned, seen);
    out.value = MetricPlan::value_of(planned, list);
    out.note = note_on(out, planned);
    if (out.value && out.has_evidence) {
      out.arithmetic = arithmetic_of(definition, seen, cutoff_at(planned, seen), planned.options);
    }
  }
  return metrics;
}

}  // namespace recmeter::explain
