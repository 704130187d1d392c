// Metrics of the confusion of a list's top k, from the formulas of [S5]: counts of items, told apart one by one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_join.h"

namespace recmeter::support {

// Whole numbers.
struct Counts {
  double tp = 0;
  double fp = 0;
  double fn = 0;
  double tn = 0;
};
[[nodiscard]] Counts counts_at(const ListRelevance& list, std::size_t k, const MetricOptions& options);

// Of one list, or of sums of counts; 0 where [S5] has 0/0.
[[nodiscard]] double fallout(const Counts& counts);
[[nodiscard]] double miss_rate(const Counts& counts);
[[nodiscard]] double inverse_precision(const Counts& counts);
[[nodiscard]] double inverse_recall(const Counts& counts);
[[nodiscard]] double informedness(const Counts& counts);
[[nodiscard]] double markedness(const Counts& counts);
[[nodiscard]] double mcc(const Counts& counts);

// The ROC curve walked item by item.
[[nodiscard]] double roc_area(const ListRelevance& list, std::size_t k, const MetricOptions& options);
// Of all lists together, cut at each rank up to k; nothing where no item is relevant, or all are.
[[nodiscard]] std::optional<double> croc_area(std::span<const ListRelevance* const> lists, std::size_t k,
                                              const MetricOptions& options);
// Concordant less discordant pairs, counted pair by pair, by their number.
[[nodiscard]] double pair_balance(const ListRelevance& list, std::size_t k, const MetricOptions& options);

}  // namespace recmeter::support
