// ExperimentLook: an experiment as it stands at one look: who counted where, and the exact sums that comparisons are made of.
// [S10.4] to [S10.6]. A value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/planned_experiment.h"
#include "recmeter/experiment/draft_counts.h"
#include "recmeter/experiment/slot_sums.h"

namespace recmeter {

struct ExperimentLook {
  const PlannedExperiment* experiment;
  std::size_t place = 0;    // of the experiment among those of the plan
  std::int64_t number = 0;  // from 1
  EventTime end;            // the look's time: lists before it are in it
  bool is_closed = false;   // it is the last
  std::vector<std::string> incomplete;
  // Members are those whose hash begins with so many zero bits; above 0, users are counted in this sample, and sums of users
  // and of the time before are not whole.
  std::uint8_t sample = 0;
  struct Arm {
    std::uint64_t lists = 0;
    std::uint64_t users = 0;
    friend bool operator==(const Arm&, const Arm&) = default;
  };
  std::vector<Arm> arms;  // in configured order
  std::uint64_t mixed_users = 0;
  std::uint64_t mixed_lists = 0;
  std::uint64_t other_lists = 0;
  std::uint64_t nobody_lists = 0;
  std::optional<DraftCounts> draft = {};
  std::vector<std::vector<Int128>> uncut;      // of metrics with a cap, by arm: S over all slots without it; else empty
  std::vector<std::vector<SlotSums>> metrics;  // per metric of the plan, by arm
};

}  // namespace recmeter
