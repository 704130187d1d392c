#include "app/explain/preset_requests.h"

#include <algorithm>
#include <cmath>

#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"

namespace recmeter::explain {

namespace {

// How many planned metrics a request becomes.
std::size_t planned_by(const MetricDefinition& metric, const MetricOptions& options, const MetricSpec& spec) {
  return metric.has_cutoff && options.cut == Cut::k ? spec.cutoffs.size() : 1;
}

bool holds_for(const Preset& preset, const JoinRule& rule) {
  return !preset.whole_grades ||
         std::ranges::all_of(rule.actions, [](const Action& action) { return action.gain == std::trunc(action.gain); });
}

// Whether the preset can be asked what the entry asks: fed with the one action that it is of, but not with values for grades.
bool takes_entry(const MetricDefinition& metric, const MetricOptions& options, const MetricOptions& entry,
                 const JoinRule& rule) {
  if (entry.grade == Grade::value) return false;
  if (entry.action.empty()) return true;
  const auto action = std::ranges::find(rule.actions, entry.action, &Action::name);
  return takes_action(metric) && !(action->after && looks_beyond_list(metric, options));
}

bool is_of_lists(const MetricDefinition& metric) {
  return metric.family == Family::list_mean || metric.family == Family::list_share;
}

}  // namespace

std::vector<PresetMetric> add_presets(EvaluatorSpec& spec) {
  MetricSpec& metrics = spec.metrics;
  const bool knows_users = spec.join.key.by == JoinKey::By::user;
  std::vector<PresetMetric> out;
  const std::vector<MetricRequest> configured = metrics.requests;
  std::size_t planned = 0;
  for (const MetricRequest& request : configured) {
    planned += planned_by(*find_metric(request.name), request.options, metrics);
  }
  std::size_t first = 0;
  for (const MetricRequest& request : configured) {
    const std::size_t width = planned_by(*find_metric(request.name), request.options, metrics);
    for (const Preset& preset : all_presets()) {
      const PresetName* name = preset.find(request.name);
      const MetricDefinition* metric = name == nullptr ? nullptr : find_metric(name->metric);
      if (metric == nullptr) continue;
      MetricOptions options = name->options;
      const bool is_at_relevant = request.options.cut == Cut::relevant && options.cut == Cut::k;
      if (is_at_relevant) options.cut = Cut::relevant;  // what the tool says at that k
      const bool fits = is_of_lists(*metric) && holds_for(preset, spec.join) &&
                        (knows_users || !looks_beyond_list(*metric, options)) &&
                        (spec.catalog || !asks_for_catalog(*metric, options)) && takes_cut(*metric, options.cut) &&
                        takes_entry(*metric, options, request.options, spec.join);
      if (!fits) continue;
      // One that does not cut at k says the same at every k.
      const bool is_of_k = metric->has_cutoff && options.cut == Cut::k;
      if (is_of_k && request.options.cut != Cut::k) continue;
      const std::size_t own_width = planned_by(*metric, options, metrics);
      if (own_width != width && own_width != 1) continue;
      for (std::size_t i = 0; i < width; ++i) {
        out.push_back({.preset = preset.name, .configured = first + i, .planned = planned + (own_width == 1 ? 0 : i)});
      }
      planned += own_width;
      options.action = request.options.action;
      metrics.requests.push_back({.name = std::string(name->metric),
                                  .as = std::string(preset.name) + " " + std::to_string(out.size()),
                                  .options = std::move(options)});
    }
    first += width;
  }
  return out;
}

void attach_presets(std::vector<WatchedMetric>& metrics, const std::vector<PresetMetric>& presets) {
  std::size_t configured = metrics.size();
  for (const PresetMetric& preset : presets) {
    configured = std::min(configured, preset.planned);
    auto& said = metrics[preset.configured].by_presets;
    const std::optional<double> value = metrics[preset.planned].value;
    auto same = std::ranges::find(said, value, &PresetAnswer::value);
    if (same == said.end()) same = said.insert(said.end(), PresetAnswer{.value = value, .presets = {}});
    same->presets.push_back(preset.preset);
  }
  metrics.erase(metrics.begin() + static_cast<std::ptrdiff_t>(configured), metrics.end());
  for (WatchedMetric& metric : metrics) {
    for (const Preset& preset : all_presets()) {
      const bool says = std::ranges::any_of(metric.by_presets, [&](const PresetAnswer& answer) {
        return std::ranges::find(answer.presets, preset.name) != answer.presets.end();
      });
      if (!says) metric.not_in_presets.push_back(preset.name);
    }
  }
}

}  // namespace recmeter::explain
