// SortedOrder: what a run knows of a partition whose records were sorted before it reads them. [S3.26] to [S3.30].
#pragma once

#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/time_span.h"
#include "recmeter/event/invalid_sample.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct SortedOrder {
  TimeSpan clocks{.from = minus_infinity, .to = plus_infinity};  // times outside are of wrong clocks
  Disorder found = {};                                           // of the partition before it was sorted
  std::vector<InvalidSample> samples = {};                       // the first for each reason, with their lines
};

}  // namespace recmeter
