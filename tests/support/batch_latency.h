// `latency`, from the words of the specification.
#pragma once

#include "support/batch_metrics.h"

namespace recmeter::support {

[[nodiscard]] MetricDefinition latency_definition();

}  // namespace recmeter::support
