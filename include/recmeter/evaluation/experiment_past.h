// ExperimentPast: what the runs before have made of an experiment, for one that goes on from them. [S10.35]. Plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/look_sums.h"
#include "recmeter/evaluation/planned_experiment.h"

namespace recmeter {

// What the row of a look said that does not follow from its sums.
struct LookRemarks {
  std::uint8_t sample = 0;                   // as ExperimentLook's
  std::vector<std::string> incomplete = {};  // without `experiment_users`
};

// A look that a run has made a row of, or that lies before the start and is complete, over all shards.
struct KeptLook {
  LookSums sums;
  LookRemarks remarks;
};

struct ExperimentPast {
  // Lists scored up to this watermark came before the experiment was there. minus_infinity: none did.
  EventTime since = minus_infinity;
  std::vector<KeptLook> looks = {};  // in their order

  // Lists before it are in `looks`, or count nowhere.
  [[nodiscard]] EventTime counts_from(const PlannedExperiment& experiment) const {
    const EventTime first = since == minus_infinity ? minus_infinity : since - experiment.age + Duration{1};
    return looks.empty() ? first : std::max(first, experiment.look_time(looks.back().sums.number()));
  }
};

}  // namespace recmeter
