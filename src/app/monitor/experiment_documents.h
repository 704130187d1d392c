// What the API answers about experiments, as JSON. web/API.md has the shapes. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "app/monitor/live_snapshot.h"
#include "app/monitor/row_request.h"
#include "recmeter/base/result.h"

namespace recmeter {

// The newest row of each.
[[nodiscard]] std::string experiments_document(const LiveSnapshot& snapshot);

struct ExperimentRequest {
  std::string name;
  std::string metric;  // "": the first primary
  std::string arm;     // "": the first that is not the control
  TimeRange range;     // of looks: those with from <= end < to
};
// A comparison from look to look. Errors: config_invalid, with what may be asked for.
[[nodiscard]] Result<std::string> experiment_document(const LiveSnapshot& snapshot, const ExperimentRequest& request);

// The experiment that compares these two segments; "": none does.
[[nodiscard]] std::string experiment_of(const LiveSnapshot& snapshot, const SegmentPairs& a, const SegmentPairs& b);

}  // namespace recmeter
