#include "app/monitor/published_schema.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "recmeter/evaluation/evaluator_plan.h"
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
                         .is_logged_apart = config.spec.lanes.is_wanted() && !config.spec.lanes.is_shadow()};
  std::ranges::remove_copy_if(config.spec.windows, std::back_inserter(schema.windows), &WindowSpec::is_whole);
  for (const ExperimentSpec& experiment : config.spec.experiments) {
    schema.experiments.push_back({experiment.name, experiment.arms.key});
  }
  for (const SegmentSpec& segment : config.spec.segments) schema.combinations.push_back({segment.keys});
  for (PublishedSchema::Combination& one : schema.combinations) {
    if (config.spec.lanes.is_wanted()) one.keys.insert(one.keys.begin(), recommender_key);
  }
  return schema;
}

}  // namespace recmeter
