// `latency`, from the words of the specification.
#pragma once

#include "support/batch_metrics.h"

namespace recmeter::support {

[[nodiscard]] MetricDefinition latency_definition();
// With `slower_than`.
[[nodiscard]] const MetricDefinition& slower_share_definition();

}  // namespace recmeter::support
