#include "app/explain/preset_requests.h"

#include <algorithm>

#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"

namespace recmeter::explain {

namespace {

// How many planned metrics a request becomes.
std::size_t planned_by(const MetricDefinition& metric, const MetricOptions& options, const MetricSpec& spec) {
  return metric.has_cutoff && options.cut == Cut::k ? spec.cutoffs.size() : 1;
}

}  // namespace

std::vector<PresetMetric> add_presets(MetricSpec& spec, bool knows_users, bool has_catalog) {
  std::vector<PresetMetric> out;
  const std::vector<MetricRequest> configured = spec.requests;
  std::size_t planned = 0;
  for (const MetricRequest& request : configured) {
    planned += planned_by(*find_metric(request.name), request.options, spec);
  }
  std::size_t first = 0;
  for (const MetricRequest& request : configured) {
    const std::size_t width = planned_by(*find_metric(request.name), request.options, spec);
    for (const Preset& preset : all_presets()) {
      const PresetName* name = preset.find(request.name);
      if (name == nullptr) continue;
      const MetricDefinition* metric = find_metric(name->metric);
      const bool fits =
          metric != nullptr && (knows_users || metric->scope == Scope::list) && (has_catalog || !metric->needs_catalog);
      if (!fits || planned_by(*metric, name->options, spec) != width) continue;
      for (std::size_t i = 0; i < width; ++i)
        out.push_back({.preset = preset.name, .configured = first + i, .planned = planned + i});
      planned += width;
      spec.requests.push_back({.name = std::string(name->metric),
                               .as = std::string(preset.name) + " " + std::to_string(out.size()),
                               .options = name->options});
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
    const auto same = std::find_if(said.begin(), said.end(), [&](const auto& other) { return other.first == value; });
    if (same == said.end()) {
      said.emplace_back(value, preset.preset);
    } else {
      same->second += ", " + std::string(preset.preset);
    }
  }
  metrics.erase(metrics.begin() + static_cast<std::ptrdiff_t>(configured), metrics.end());
}

}  // namespace recmeter::explain
