#include "app/monitor/published_schema.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/why/asked_metric.h"
#include "recmeter/base/lane_names.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/metric/mean_over_lists.h"
#include "recmeter/result/render.h"

namespace recmeter {

const WindowSpec* PublishedSchema::window(std::string_view wanted) const {
  const auto at = std::find_if(windows.begin(), windows.end(), [&](const WindowSpec& one) { return one.name == wanted; });
  return at == windows.end() ? nullptr : &*at;
}

std::optional<Duration> PublishedSchema::horizon(std::string_view text) const {
  const auto at = std::find_if(horizons.begin(), horizons.end(), [&](Duration one) { return render_duration(one) == text; });
  return at == horizons.end() ? std::nullopt : std::optional(*at);
}

bool PublishedSchema::has_metric(std::string_view key) const {
  return std::any_of(metrics.begin(), metrics.end(), [&](const PlannedMetric& one) { return one.key == key; });
}

namespace {

void put_lanes(std::vector<PublishedSchema::Combination>& combinations, bool has_policies) {
  const std::vector<PublishedSchema::Combination> of_segments = combinations;
  combinations.clear();
  for (const char* const lane_key : {recommender_key, policy_key}) {
    if (lane_key == policy_key && !has_policies) break;
    for (PublishedSchema::Combination one : of_segments) {
      one.keys.insert(one.keys.begin(), lane_key);
      combinations.push_back(std::move(one));
    }
  }
}

}  // namespace

Result<PublishedSchema> published_schema_of(const Config& config, std::string version) {
  const auto plan = EvaluatorPlan::make(config.spec, Duration{0}, false);
  if (!plan) return tl::unexpected(plan.error());
  PublishedSchema schema{.name = config.spec.name,
                         .config = config.spec.config_hash,
                         .version = std::move(version),
                         .windows = {},
                         .horizons = config.spec.join.horizons,
                         .final_after = config.spec.join.skew + plan->lane_delay(),
                         .combinations = {{}},
                         .metrics = {plan->metrics.metrics().begin(), plan->metrics.metrics().end()},
                         .confidence = config.spec.metrics.confidence,
                         .attribution = config.spec.attribution,
                         .is_logged_apart = config.spec.lanes.is_wanted() && !config.spec.lanes.is_shadow()};
  for (const PlannedMetric& metric : schema.metrics) {
    if (is_mean_over_lists(metric)) schema.why_rules.emplace(metric.key, why::rule_of(config.spec, metric));
  }
  std::ranges::remove_copy_if(config.spec.windows, std::back_inserter(schema.windows), &WindowSpec::is_whole);
  for (const ExperimentSpec& experiment : config.spec.experiments) {
    schema.experiments.push_back({experiment.name, experiment.arms.key});
  }
  for (const SegmentSpec& segment : config.spec.segments) schema.combinations.push_back({segment.keys});
  if (config.spec.lanes.is_wanted()) put_lanes(schema.combinations, config.spec.off_policy.has_value());
  return schema;
}

}  // namespace recmeter
