// MetricPlan: the configured metrics, resolved: which columns a list fills and which metrics read them.
//
// Immutable after construction; any thread. Invariants:
//   (1) metrics() are names x cutoffs in configured order; a metric without cutoff stands there once;
//   (2) columns 0 .. evidence_kinds - 1 count lists with evidence, one column per kind; the others hold values in 2^-32.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/metric/definition.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

struct PlannedMetric {
  const MetricDefinition* definition = nullptr;
  MetricOptions options;
  std::string key;           // as rows show it: name, or the configured `as`, and "@k"
  std::uint32_t cutoff = 0;  // 0: none
  std::size_t column = 0;    // list_mean and list_share: where its sum stands
  std::size_t exposure = 0;  // exposure: index into exposure_cutoffs()
};

class MetricPlan {
 public:
  // Fails on an unknown name, with the nearest known one, and on two metrics of one key.
  [[nodiscard]] static Result<MetricPlan> make(const MetricSpec& spec);

  [[nodiscard]] std::span<const PlannedMetric> metrics() const { return metrics_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  // Cutoffs that some exposure metric asks for, ascending.
  [[nodiscard]] std::span<const std::uint32_t> exposure_cutoffs() const { return exposure_cutoffs_; }
  // Whether some metric asks for the user's missed items.
  [[nodiscard]] bool needs_missed() const { return needs_missed_; }
  [[nodiscard]] bool needs_catalog() const { return needs_catalog_; }

  // Adds the list's values to `columns`, which has columns() of them.
  void add_values(const ScoredList& list, std::span<std::int64_t> columns) const;
  // Whether a list without relevant items, shown or missed, changes no column: then it is only counted.
  [[nodiscard]] bool only_counts(const ScoredList& list) const { return !unconditional_ && list.relevant_of_user() == 0; }

 private:
  std::vector<PlannedMetric> metrics_;
  std::vector<std::uint32_t> exposure_cutoffs_;
  std::size_t columns_ = evidence_kinds;
  bool needs_missed_ = false;
  bool needs_catalog_ = false;
  bool unconditional_ = false;  // some metric is not zero without hits
};

}  // namespace recmeter
