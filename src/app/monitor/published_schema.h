// PublishedSchema: what an evaluator publishes, by its configuration: which windows, horizons, metrics and segments there
// are.
//
// A value; immutable once made, any thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/why/metric_rule.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

struct PublishedSchema {
  struct Combination {
    std::vector<std::string> keys;  // in configured order; none: the whole
  };

  struct Experiment {
    std::string name;
    std::string key;  // of the segments whose values are its arms
  };

  std::string name;
  std::string config;  // the rows' hash
  std::string version;
  std::vector<WindowSpec> windows;  // those in time: the whole one is none
  std::vector<Duration> horizons;
  Duration final_after;                   // how long after end + horizon a row is final
  std::vector<Combination> combinations;  // the whole first
  std::vector<PlannedMetric> metrics;     // in the order of rows
  double confidence = 0.95;
  std::vector<Experiment> experiments = {};
  std::optional<AttributionSpec> attribution = {};
  std::map<std::string, why::MetricRule> why_rules = {};  // of means over lists
  bool is_logged_apart = false;                           // what was shown is judged by another rule than the lanes beside it

  [[nodiscard]] const WindowSpec* window(std::string_view name) const;
  [[nodiscard]] std::optional<Duration> horizon(std::string_view text) const;
  [[nodiscard]] bool has_metric(std::string_view key) const;
};

// Errors: those of MetricPlan::make.
[[nodiscard]] Result<PublishedSchema> published_schema_of(const Config& config, std::string version);

}  // namespace recmeter
