// LiveEvaluation: the generations of a live run, moved on as far as the watermark allows, and no further than what they make
// can be kept.
//
// After a restart it first takes up the sealed panes of the runs before, where they are kept, and then evaluates what it
// needs of their journal (live/journal_replay.h); what is routed meanwhile waits. Then it follows the watermark in steps of
// event time: where records are few, those of a round span much of it and make many rows, so steps get longer while they make
// few rows and shorter while they make many, with checkpoints between them (docs/decisions/0041). Thread safety: one thread;
// the tasks of begin() may run on others. Invariant: rows and their order do not depend on the steps.
#pragma once

#include <cstddef>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "live/journal_replay.h"
#include "live/live_experiments.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluation_counts.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/live/generation_set.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct LiveEvaluationOptions {
  std::size_t partitions = 0;
  std::size_t shards = 1;
  std::size_t unkept_bytes_max = 0;  // of rows and events that no checkpoint holds; beyond it no step is made
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();           // as GenerationSet's
  std::function<bool()> abandon = {};                                             // as GenerationSet's
  std::string_view program = {};                                                  // as GenerationSet's
  std::vector<ExperimentPast> pasts = {};                                         // per experiment of the newest generation
  std::function<Result<void>(const SharedExperimentRow&)> write_experiment = {};  // may be empty where there is none
};

class LiveEvaluation {
 public:
  // As GenerationSet.
  LiveEvaluation(std::span<const PlannedGeneration> planned, Executor& executor, RowSink& sink,
                 LiveEvaluationOptions options);

  // Continues the runs that wrote `from`; `piece`: about so many events of the journal are read at a time. `store` outlives
  // this. Which events are read again, and whether sealed panes were damaged, which are made anew of the whole journal.
  // Errors: storage_failed.
  [[nodiscard]] Result<GenerationSet::Reach> resume(const StateStore& store, const Checkpoint& from, std::size_t piece);

  void receive(std::vector<std::vector<RoutedBatch>>&& routed);
  // A step towards the watermark `w`: its tasks; and what is to be done when all of them have been run. `is_full`: too much
  // is not kept yet. Errors: state_unusable, storage_failed, those of the sink.
  void begin(EventTime w, const LogStart& start, bool is_full, std::vector<std::function<void()>>& tasks);
  [[nodiscard]] Result<void> complete(const LogStart& start);
  // The step has made rows of so many bytes.
  void made(std::size_t bytes) { step_bytes_ += bytes; }

  [[nodiscard]] bool is_replaying() const { return replay_.has_value(); }
  // Everything before it is evaluated; while the journal is replayed, what the runs before had evaluated.
  [[nodiscard]] EventTime evaluated_to() const { return replay_ ? replay_->backlog().to : evaluated_; }
  // How far the replay is; nothing when there is none.
  [[nodiscard]] std::optional<EventTime> replayed_to() const;
  [[nodiscard]] bool is_behind(EventTime w) const { return !replay_ && evaluated_ < w; }
  // The replay's backlog has so many events.
  [[nodiscard]] bool is_backlogged(std::uint64_t events_max) const {
    return replay_ && replay_->backlog().events >= events_max;
  }
  // Rows whose end + horizon lies up to here are made.
  [[nodiscard]] EventTime rows_to() const { return evaluated_to() - plan_.spec->join.skew - plan_.lane_delay(); }
  // What has been accepted and is not evaluated, though it lies before the watermark `w`.
  [[nodiscard]] std::optional<Backlog> backlog(EventTime w) const;

  // Of the newest generation.
  [[nodiscard]] const EvaluatorPlan& plan() const { return plan_; }
  // Of all runs of the state.
  [[nodiscard]] EvaluationCounts counts() const;
  // What changes in the state at checkpoint number `checkpoint`: generations that have no rows to make, looks of experiments,
  // sealed panes.
  void save(StateBatch& batch, std::uint64_t checkpoint);
  // Of sealed panes that no checkpoint holds.
  [[nodiscard]] std::size_t unkept_bytes() const { return generations_.unkept_pane_bytes(); }
  [[nodiscard]] Duration event_memory() const { return generations_.event_memory(); }

 private:
  void end_replay();
  [[nodiscard]] EventTime next_step(EventTime w, const LogStart& start, bool is_full);

  const EvaluatorPlan& plan_;
  LiveEvaluationOptions options_;
  LiveExperiments experiments_;
  GenerationSet generations_;
  const StateStore* panes_in_ = nullptr;  // while sealed panes are restored, before the replay
  std::optional<JournalReplay> replay_;   // until the evaluation is where the runs before left it
  EvaluationCounts before_;               // what runs before this one counted beyond the journal; during a replay, all of it
  EventTime evaluated_ = minus_infinity;  // without a replay
  Duration step_;
  bool is_step_ = false;        // the last one did not come to the watermark
  std::size_t step_bytes_ = 0;  // of rows that it made
};

}  // namespace recmeter
