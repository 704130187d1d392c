// EvaluationCounts: what an Evaluation has decided so far; counts of several runs of one state can be added and taken away.
#pragma once

#include <cstdint>
#include <vector>

#include "recmeter/join/outcome_counts.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct EvaluationCounts {
  std::vector<EventCounts> decided;  // per partition: duplicate, impressions, feedback, candidates
  OutcomeCounts outcomes;
  // In configured order, adding up to `outcomes`. Of a log that is read from its beginning to its end: a state that goes on
  // has none, for its configuration may have had other actions.
  std::vector<OutcomeCounts> by_action = {};
  std::uint64_t lists = 0;
  LaneCounts lane = {};                // of one whose lists were not shown
  std::vector<LaneCounts> lanes = {};  // of all of these, in configured order

  // Requires: as many partitions.
  EvaluationCounts& operator+=(const EvaluationCounts& other);
  // Modulo 2^64: adding what was taken away, and more, is exact.
  EvaluationCounts& operator-=(const EvaluationCounts& other);
};

}  // namespace recmeter
