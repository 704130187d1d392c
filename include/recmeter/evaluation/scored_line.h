// ScoredLine: one scored list, for tests of significance outside (`replay --lists`).
//
// Lines are ordered by (due, ts, horizon, list id, user id), which does not depend on how the run was cut into steps.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/segmenter.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

struct ScoredLine {
  EventTime due;  // ts + horizon
  EventTime ts;
  std::uint32_t horizon = 0;
  std::string list_id;
  std::string user_id;
  std::string json;  // one object, without the newline

  friend bool operator<(const ScoredLine& a, const ScoredLine& b) {
    return std::tie(a.due, a.ts, a.horizon, a.list_id, a.user_id, a.json) <
           std::tie(b.due, b.ts, b.horizon, b.list_id, b.user_id, b.json);
  }
};

// The list's ids, segments and the value of each of its metrics, as one object.
[[nodiscard]] ScoredLine scored_line(const EvaluatorPlan& plan, const Segmenter& segmenter, const ListView& list,
                                     std::size_t horizon, const ScoredList& score);

}  // namespace recmeter
