// Metrics of one action and of what it brings in, from the formulas of [S5] "One action" and [S8.11]. The lists are as that
// action alone shows them. Those of users say what a list adds to its user's value.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_join.h"

namespace recmeter::support {

using Lists = std::span<const ListRelevance* const>;

[[nodiscard]] double action_rate(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> action_per_item(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] double time_to(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> income(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> reward(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] std::optional<double> coec(Lists lists, std::size_t k, const MetricOptions& options);
[[nodiscard]] double acts(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] double earns(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] double is_there(const ListRelevance& list, std::size_t k, const MetricOptions& options);

}  // namespace recmeter::support
