// The metrics of the registry, as the configuration wants to know them.
#pragma once

#include <span>

#include "app/config/known_metric.h"

namespace recmeter {

[[nodiscard]] std::span<const KnownMetric> known_metrics();

}  // namespace recmeter
