// Evaluation: the shards and their merger, moved on together: routed events in, rows out. What every kind of run shares.
//
// In a round: receive() what was routed; begin(w) gives the tasks in which shards settle to watermark `w`, and advance to the
// first pane that is sealed or look that is complete on the way, to be run together with whatever else the round does;
// complete() takes the rest of the way, in steps that seal about one pane each, whose windows become rows at once. So memory
// is bounded by the lateness, the horizon and the windows, and rows do not depend on rounds, threads or shards.
//
// Thread safety: one thread, which runs the executor; only the tasks of begin() may run on others, at the same time.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory_resource>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluation_counts.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_course.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/evaluation/merger.h"
#include "recmeter/evaluation/sealed_sink.h"
#include "recmeter/evaluation/shard.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct EvaluationOptions {
  std::size_t partitions = 0;
  std::size_t shards = 1;  // 1 to 256
  Merger::Range range;
  std::function<Result<void>(const ScoredLine&)> scored_lists;  // may be empty
  // Of the plan's experiments; may be empty where it has none.
  std::function<Result<void>(const ExperimentLook&)> looks = {};
  // Per experiment of the plan, where what it makes of them outlives the run; else empty.
  std::vector<ExperimentPast> pasts = {};
  RunWitness* witness = nullptr;  // needs one shard
  // Where what is sealed goes instead of into rows; may be null, outlives the evaluation. Requires: no popularity is wanted.
  // Of experiments all who come are members there.
  SealedSink* sealed = nullptr;
  std::size_t lane = 0;                // its number there
  bool is_end_known = true;            // else sums keep what depends on the log's end open (PaneSums::add_open)
  bool keeps_panes = false;            // as Merger's
  std::function<bool()> abandon = {};  // asked before each step; once true, the way is not gone to its end; may be empty
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();  // JoinerOptions; outlives the evaluation
};

class Evaluation {
 public:
  // `plan`, `executor`, `sink` and the witness outlive the evaluation.
  Evaluation(const EvaluatorPlan& plan, EvaluationOptions options, Executor& executor, RowSink& sink);

  // Per shard.
  void receive(std::vector<std::vector<RoutedBatch>>&& routed);
  void begin(EventTime w, std::vector<std::function<void()>>& tasks);
  // Requires: the tasks of begin() have run. Errors, here and below: the sink's; interrupted when abandoned, and then the
  // rows written are the first ones.
  [[nodiscard]] Result<void> complete(const LogStart& start);
  // A round of its own.
  [[nodiscard]] Result<void> advance(EventTime w, const LogStart& start);
  // The log has ended at `log_end`: all that is left becomes rows, final up to there and truncated beyond. `later_end`: where
  // it would have ended but for GapAtEnd, else the same.
  [[nodiscard]] Result<void> end(EventTime log_end, EventTime later_end, const LogStart& start);

  // The rows of the whole window, where there is one; last of all. Requires: its lists have been scored, by end() or by a
  // watermark behind the range and the longest horizon. `log_end`: as in end(), or that watermark.
  [[nodiscard]] Result<void> end_whole(EventTime log_end, const LogStart& start);

  // Where panes are kept: takes up what runs before had sealed when their watermark was `to`, in the order in which they had;
  // `w`: as far as these panes go, not beyond `to`. Before anything is begun. What is received reaches back to `to` less
  // open_memory(), and makes no pane again that was sealed by then, and no row.
  void restore(ShardOutput&& panes, EventTime w, EventTime to);
  // As those of Merger.
  [[nodiscard]] std::deque<KeptPane> take_kept() { return merger_.take_kept(); }
  [[nodiscard]] std::size_t kept_bytes() const { return merger_.kept_bytes(); }
  void keep_no_more() { merger_.keep_no_more(); }

  // Of experiments with a past, in their order: looks to be kept since it was asked last.
  [[nodiscard]] std::vector<std::vector<KeptLook>> take_new_looks();

  [[nodiscard]] bool is_abandoned() const { return is_abandoned_; }
  [[nodiscard]] EvaluationCounts counts() const;
  // The tally of its lists, where the plan asks for it.
  [[nodiscard]] ListTally lists_tally() const;
  // Adds what is decided here: fates after the watermark, outcomes, lists, rows and memory.
  void report(Report& report) const;

 private:
  void go_on_from(std::size_t experiment, ExperimentPast&& past);
  void settle_all(EventTime w);
  void share_popularity(EventTime w);
  [[nodiscard]] Result<void> advance_to(EventTime w, EventTime log_end, const LogStart& start);
  [[nodiscard]] Result<void> step_to(EventTime w, EventTime log_end, const LogStart& start);
  [[nodiscard]] Result<void> take_step(EventTime w, EventTime log_end, const LogStart& start);
  [[nodiscard]] Result<void> follow_experiments(EventTime w, EventTime log_end, const LogStart& start);
  [[nodiscard]] bool needs_popularity() const { return plan_.metrics.needs(ListPart::popularity); }

  const EvaluatorPlan& plan_;
  EvaluationOptions options_;
  Executor& executor_;
  RowSink& sink_;
  Merger merger_;
  std::deque<Shard> shards_;
  std::vector<ExperimentCourse> courses_;   // per experiment of the plan
  EventTime to_ = minus_infinity;           // where the round goes
  EventTime first_step_ = minus_infinity;   // as far as its tasks go
  EventTime advanced_ = minus_infinity;     // to where all shards have
  EventTime restored_to_ = minus_infinity;  // up to there panes were restored
  EventTime forgets_at_ = plus_infinity;    // what was restored has left all windows then
  bool is_abandoned_ = false;
  std::uint64_t rows_final_ = 0;
  std::uint64_t rows_truncated_ = 0;
  std::uint64_t rows_in_gap_ = 0;  // truncated ones of windows that were over at the later end
  std::uint64_t sums_bytes_max_ = 0;
  std::uint64_t exposure_bytes_max_ = 0;
  std::uint64_t popularity_bytes_max_ = 0;
};

}  // namespace recmeter
