// SealedSink: where what the shards of a part seal goes instead of into windows. A run with one makes no rows.
//
// Thread safety: one thread, the run's.
#pragma once

#include <cstddef>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluation_counts.h"
#include "recmeter/evaluation/key_sample.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/evaluation/shard.h"
#include "recmeter/result/report.h"

namespace recmeter {

// What a run of a part knows at its end beside the panes.
struct PartSummary {
  // Of all that was read, partitions with the fates that are known before the join, and final_to: the whole log, the same in
  // all parts, or some partitions of it (`places`).
  Report log;
  LogStart start;
  EventTime later_end = minus_infinity;     // where the log would have ended but for GapAtEnd, else final_to
  EventTime evaluated_to = minus_infinity;  // windows over by then have rows; plus_infinity where the log was read to its end
  // Where `log` has some partitions only, their places among those of all of it, from 1, or 0 where they are not known: the
  // order is then that of the names. Else empty.
  std::vector<std::uint64_t> places = {};
  KeySample keys = {};  // of those partitions, where parts are cut by partitions
  // Of the part alone.
  EvaluationCounts counts;
};

class SealedSink {
 public:
  SealedSink() = default;
  SealedSink(const SealedSink&) = delete;
  SealedSink& operator=(const SealedSink&) = delete;
  virtual ~SealedSink() = default;

  // What each shard has sealed since the last call, in the evaluation of `lane`: 0 without lanes, else its place among
  // EvaluatorPlan::lanes. In the last call before end(), maybe, the panes of the whole window.
  [[nodiscard]] virtual Result<void> take(std::vector<ShardOutput>&& outputs, std::size_t lane) = 0;
  // Every lane has been taken as far as the same time; what comes is sealed later.
  [[nodiscard]] virtual Result<void> step_done() { return {}; }
  // The run is complete. Once, last; not called where it was interrupted.
  [[nodiscard]] virtual Result<void> end(const PartSummary& summary) = 0;
};

}  // namespace recmeter
