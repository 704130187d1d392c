// Replay: a bounded run over partitions of records, from bytes to rows. The one place that knows the order of the stages.
//
// It works in rounds. In a round, at the same time: blocks are read, blocks read before are decoded, and each shard settles
// what was routed to it; then, one after another: decoded events are sequenced, and shards advance step by step, each step
// sealing about one pane, whose windows become rows at once. So memory is bounded by the lateness, the horizon and the
// windows, and rows do not depend on blocks, rounds, threads or shards. Thread safety: run() is called once, from one thread;
// the executor's threads run what may run at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/intake.h"
#include "recmeter/evaluation/merger.h"
#include "recmeter/evaluation/part.h"
#include "recmeter/evaluation/run_status.h"
#include "recmeter/evaluation/run_witness.h"
#include "recmeter/evaluation/sealed_sink.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct ReplayProgress {
  std::uint64_t bytes_read = 0;   // of the stored form
  std::uint64_t bytes_total = 0;  // 0: unknown
  std::uint64_t events = 0;
};

struct ReplayOptions {
  std::vector<DecoderOptions> decoders;
  std::size_t shards = 1;       // 1 to 256
  std::size_t block_bytes = 0;  // 0: chosen by the number of partitions
  std::size_t open_max = 64;    // partitions that hold a descriptor at the same time
  Merger::Range range;
  // Behind it nothing is evaluated: there what was asked for is final. Reading ends, complete, once the watermark is there,
  // unless the rest is read for what it tells of the log.
  EventTime until = plus_infinity;
  bool reads_on = false;
  const std::atomic<bool>* stop = nullptr;  // when it becomes true, reading ends
  std::function<bool()> abandon = {};       // once true, what was read is not evaluated to its end either; may be empty
  std::function<void(const ReplayProgress&)> progress;  // after each round; may be empty
  // After each round: how it stands is told to who wants to know; may be empty.
  std::function<void(const std::function<RunStatus()>&)> status = {};
  // After each block, with the first and the newest event time so far: returns when reading may go on; may be empty.
  std::function<void(EventTime first, EventTime newest)> pace = {};
  std::function<Result<void>(const ScoredLine&)> scored_lists;  // may be empty
  // Of the plan's experiments; may be empty where it has none.
  std::function<Result<void>(const ExperimentLook&)> looks = {};
  // At the end, where the plan asks for it; may be empty.
  std::function<void(const ListTally&)> lists_tally = {};
  RunWitness* witness = nullptr;  // needs one shard; outlives the replay
  // Of the log only the part is evaluated; what it seals goes to `sealed`, which outlives the replay. Null: all of it, to
  // rows.
  Part part = {};
  SealedSink* sealed = nullptr;
  // What is read is some partitions of a log, whose end is not known: cells keep the times of lists that may not have
  // matured. Requires: `sealed`.
  std::optional<PartitionShare> share = {};
  // Where accepted events go instead of being joined, by shard; may be empty. Requires: `sealed`.
  std::function<Result<void>(const std::vector<std::vector<RoutedBatch>>&)> accepted = {};
};

class Replay {
 public:
  // `plan`, `executor` and `sink` outlive the replay.
  Replay(const EvaluatorPlan& plan, std::vector<PartitionInput> inputs, ReplayOptions options, Executor& executor,
         RowSink& sink);
  ~Replay();

  // Reads everything and writes every row. When stopped, writes what is final, or as much of it as there was time
  // for; the report then says complete: false.
  // The report's wall_seconds and events_per_second are the caller's to fill.
  // At the first late event of a partition that ends_when_late, it ends without having written what is left.
  [[nodiscard]] Result<Report> run();
  // The partition that ended it so.
  [[nodiscard]] std::optional<std::size_t> ended_by_late() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
