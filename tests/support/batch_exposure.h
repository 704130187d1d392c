// What a row's lists showed, to whom, and how alike: the metrics of [S8] and personalisation, from their formulas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_interval.h"
#include "support/batch_lists.h"

namespace recmeter::support {

// In the top k, or with a score.
struct Exposure {
  std::vector<std::uint64_t> counts;             // lists that showed it, for each item shown
  std::vector<std::uint64_t> counts_in_catalog;  // of the items among them that a catalogue file names
  std::uint64_t catalog_size = 0;                // 0: none configured
  bool catalog_has_items = false;
};

[[nodiscard]] std::optional<double> distinct_items(const Exposure& shown, const MetricOptions& options);
[[nodiscard]] std::optional<double> catalog_coverage(const Exposure& shown, const MetricOptions& options);
[[nodiscard]] std::optional<double> gini(const Exposure& shown, const MetricOptions& options);
[[nodiscard]] std::optional<double> entropy(const Exposure& shown, const MetricOptions& options);
[[nodiscard]] std::optional<double> rarefied_items(const Exposure& shown, const MetricOptions& options);

// Of the lists numbered in `lists`; `is_empty`: which of them, in their order, are.
[[nodiscard]] Estimate user_coverage(const AcceptedEvents& events, const std::vector<std::size_t>& lists,
                                     const std::vector<bool>& is_empty, double confidence);
// Null without a pair of lists of two groups. Goes through all pairs of the lists with items; where these are more than
// lists_max, of a sample of them.
[[nodiscard]] std::optional<Estimate> personalisation(const AcceptedEvents& events, const std::vector<std::size_t>& lists,
                                                      std::size_t k, std::size_t lists_max, double confidence);

}  // namespace recmeter::support
