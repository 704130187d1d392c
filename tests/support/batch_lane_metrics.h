// What a list of a lane has in common with the lists that were shown. docs/semantics.md, section 13.
#pragma once

#include "support/batch_metrics.h"

namespace recmeter::support {

[[nodiscard]] MetricDefinition judged_share_definition();
[[nodiscard]] MetricDefinition overlap_definition();

}  // namespace recmeter::support
