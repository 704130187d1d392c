// DCG and its ideals, from the formulas of [S5.7], [S5.49] and [S5.50].
#pragma once

#include <cstddef>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_join.h"

namespace recmeter::support {

// By the list's grades.
[[nodiscard]] double dcg(const ListRelevance& list, std::size_t k, const MetricOptions& options);
// The same, but that an ideal of ones knows no grades.
[[nodiscard]] double reached_gain(const ListRelevance& list, std::size_t k, const MetricOptions& options);
// By the best order of the list's grades, the missed ones too.
[[nodiscard]] double ideal_gain_of_list(const ListRelevance& list, std::size_t k, const MetricOptions& options);
[[nodiscard]] double ideal_gain_of_user(const ListRelevance& list, std::size_t k, const MetricOptions& options);

}  // namespace recmeter::support
