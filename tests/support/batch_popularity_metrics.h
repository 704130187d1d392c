// Metrics of how known the items of a list are, from the words of the specification. [S5.22] to [S5.24].
#pragma once

#include "support/batch_metrics.h"

namespace recmeter::support {

[[nodiscard]] MetricDefinition novelty_definition();
[[nodiscard]] MetricDefinition popularity_definition();
[[nodiscard]] MetricDefinition serendipity_definition();

}  // namespace recmeter::support
