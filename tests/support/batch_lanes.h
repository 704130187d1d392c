// Lanes, the slow way: for each recommender the ordinary log that its lane amounts to, which is then evaluated like any
// other. docs/semantics.md, section 13.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/report.h"
#include "support/batch_event.h"
#include "support/batch_lists.h"

namespace recmeter::support {

struct BatchLane {
  std::string name;
  EvaluatorSpec spec;  // of its join
  AcceptedEvents events;
  LaneCounts counts;  // without the outcomes of feedback
  bool is_policy = false;
};

// What was shown first, then the recommenders' lists, then their policies. Counts in its partitions what became of all
// candidates and policies. Requires: `candidates` and policies of configured recommenders.
[[nodiscard]] std::vector<BatchLane> make_lanes(const EvaluatorSpec& spec, const AcceptedEvents& logged,
                                                std::vector<BatchEvent> candidates);

}  // namespace recmeter::support
