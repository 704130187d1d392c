// `latency`, from the words of the specification.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "recmeter/metric/metric_spec.h"
#include "support/batch_join.h"

namespace recmeter::support {

[[nodiscard]] std::optional<double> latency(std::span<const ListRelevance* const> lists, std::size_t k,
                                            const MetricOptions& options);
[[nodiscard]] bool has_latency(const ListRelevance& list, std::size_t k, const MetricOptions& options);

}  // namespace recmeter::support
