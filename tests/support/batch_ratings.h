// Metrics of ratings, of judged items and of scores, from the formulas of [S5] "Ratings" and [S8]. Those of several
// lists take all of them together; those of one list are nothing where they are not defined.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_join.h"

namespace recmeter::support {

using Lists = std::span<const ListRelevance* const>;

[[nodiscard]] bool has_pair(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] bool is_rated_again(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] bool has_extreme_pair(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] bool has_utility(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] bool is_judged(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] bool is_credited(const ListRelevance& list, std::size_t k, const MetricOptions& options);

[[nodiscard]] std::optional<double> mae(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> nmae(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> mae_extremes(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> mse(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> rmse(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> retest_mae(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> retest_rmse(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> reversals(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> pearson(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> half_life_utility(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> rated_auc(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> error_rate(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> prediction_coverage(Lists lists, std::size_t k, const MetricOptions& options);

[[nodiscard]] std::optional<double> spearman(const ListRelevance& list);
[[nodiscard]] std::optional<double> kendall_tau_b(const ListRelevance& list);
[[nodiscard]] std::optional<double> ndpm(const ListRelevance& list);

}  // namespace recmeter::support
