#include "app/why/asked_metric.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "app/console/text_layout.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter::why {

namespace {

constexpr std::uint32_t ranks_max = 100;
constexpr const char* first_relevant = "first_relevant_of_why";  // the key of what counts first relevant items

AttributionRule rule_of(const MetricDefinition& metric, double confidence) {
  return {.unit = part_unit({metric.low, metric.high}), .confidence = confidence};
}

Result<MetricPlan> plan_of(const EvaluatorSpec& spec) {
  auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  if (!plan) return tl::unexpected(std::move(plan).error());
  return std::move(plan->metrics);
}

const PlannedMetric* find(const MetricPlan& plan, const std::string& key) {
  const auto at = std::ranges::find(plan.metrics(), key, &PlannedMetric::key);
  return at == plan.metrics().end() ? nullptr : &*at;
}

std::optional<RankForm> form_of(const PlannedMetric& metric) {
  const auto form = rank_form(metric.definition->name);
  const bool is_over_k = form != RankForm::precision || metric.options.precision_denominator == PrecisionDenominator::k;
  const bool is_of_all = metric.over == Over::all && metric.cutoff > 0 && metric.cutoff <= ranks_max;
  return is_over_k && is_of_all ? form : std::nullopt;
}

// The metric at each cutoff up to its own, and where another one counts what it is made of, that one.
RankSource add_ranks(EvaluatorSpec& spec, const MetricRequest& request, const PlannedMetric& metric, RankForm form) {
  std::vector<std::uint32_t> cutoffs(metric.cutoff);
  std::iota(cutoffs.begin(), cutoffs.end(), 1U);
  spec.metrics.cutoffs = std::move(cutoffs);
  RankSource source{.form = form, .keys = {}};
  MetricRequest counted = request;
  if (form == RankForm::mrr) {
    counted.name = "hit_rate";
    counted.as = first_relevant;
    spec.metrics.requests.push_back(counted);
  }
  const auto plan = plan_of(spec);
  if (!plan) return {};
  const std::string stem = form == RankForm::mrr ? std::string(first_relevant) : metric.key.substr(0, metric.key.rfind('@'));
  for (std::uint32_t k = 1; k <= metric.cutoff; ++k) {
    const PlannedMetric* at = find(*plan, stem + "@" + std::to_string(k));
    if (at != nullptr) source.keys.push_back(at->key);
  }
  return source;
}

}  // namespace

Result<AskedMetric> asked_metric(const EvaluatorSpec& spec, const std::string& key, const std::string& window) {
  AskedMetric out{.spec = spec, .rule = {}, .ranks = {}};
  out.spec.experiments.clear();
  out.spec.metrics.curves = false;
  out.spec.group_sums = true;
  if (!window.empty()) {
    std::vector<std::string> names;
    for (const WindowSpec& each : spec.windows) names.push_back(each.name);
    std::erase_if(out.spec.windows, [&](const WindowSpec& each) { return each.name != window; });
    if (out.spec.windows.empty()) {
      return failure(Errc::config_invalid, "--window: there is no window `" + window + "`; there are " + joined(", ", names));
    }
  }
  std::vector<std::string> means;
  bool is_there = false;
  for (const MetricRequest& request : spec.metrics.requests) {
    out.spec.metrics.requests = {request};
    const auto plan = plan_of(out.spec);
    if (!plan) return tl::unexpected(plan.error());
    for (const PlannedMetric& metric : plan->metrics()) {
      if (is_mean_over_lists(metric)) means.push_back(metric.key);
    }
    const PlannedMetric* metric = find(*plan, key);
    if (metric == nullptr) continue;
    is_there = true;
    if (!is_mean_over_lists(*metric)) continue;
    out.rule = rule_of(*metric->definition, spec.metrics.confidence);
    if (const auto form = form_of(*metric)) {
      RankSource ranks = add_ranks(out.spec, request, *metric, *form);
      if (ranks.keys.size() == metric->cutoff) out.ranks = std::move(ranks);
    } else if (metric->cutoff > 0 && metric->cutoff != PlannedMetric::no_cut) {
      out.spec.metrics.cutoffs = {metric->cutoff};
    }
    return out;
  }
  return failure(Errc::config_invalid, key +
                                           (is_there ? " is no mean over lists, and only those add up from parts"
                                                     : " is not configured under metrics.names") +
                                           "; there are " + joined(", ", means));
}

Result<AttributionRule> rule_of_key(const std::string& key) {
  if (const MetricDefinition* metric = mean_over_lists(key)) return rule_of(*metric, 0.95);
  if (metric_of_key(key) == nullptr) {
    return failure(Errc::config_invalid, key +
                                             " is no metric, or a name that a configuration gave with `as`; the rows do not "
                                             "say what it is: give the log and --config");
  }
  return failure(Errc::config_invalid,
                 key + " is no mean over lists, and only those add up from parts; choose another metric");
}

}  // namespace recmeter::why
