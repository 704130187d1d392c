// GenerationSet: the evaluations of a live run, with their lanes, one for each generation that has windows to finish, moved
// on together like one: routed events in, rows out. Each makes the rows of its own windows; the rows of all come out in the
// order of the time at which they became due, end + horizon, and in that of generations where these are equal.
//
// Thread safety: as Evaluation. Invariant: rows and their order do not depend on rounds, threads or shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/lanes.h"
#include "recmeter/live/kept_panes.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// A Generation and what makes its rows, which outlives it.
struct PlannedGeneration {
  const EvaluatorPlan* plan = nullptr;
  std::uint64_t number = 0;
  EventTime from = minus_infinity;
};

class GenerationSet : private RowSink {
 public:
  // `planned`: at least one, the oldest first; the newest alone has experiments. `options`: as of each of their evaluations;
  // looks and pasts are those of the newest. `program`: as of KeptPanes. `executor`, `sink` and the memory of joiners outlive
  // this.
  GenerationSet(std::span<const PlannedGeneration> planned, EvaluationOptions&& options, std::string_view program,
                Executor& executor, RowSink& sink);

  // As those of Evaluation.
  void receive(std::vector<std::vector<RoutedBatch>>&& routed);
  void begin(EventTime w, std::vector<std::function<void()>>& tasks);
  [[nodiscard]] Result<void> complete(const LogStart& start);
  [[nodiscard]] Result<void> advance(EventTime w, const LogStart& start);

  // Gives up those that have made all their rows at watermark `w`, and erases them from the store by `batch`.
  void drop_finished(EventTime w, StateBatch& batch);
  // Before anything is begun: goes on from the sealed panes that the runs before kept, which had come to watermark `to` at
  // checkpoint number `checkpoint`, where all of a generation are there. From which time on each needs the events again;
  // minus_infinity: all that there are. `damaged`: where there were some. Errors: storage_failed.
  struct Reach {
    EventTime events_from = plus_infinity;
    bool is_damaged = false;
  };
  [[nodiscard]] Result<Reach> open_panes(const StateStore& store, std::uint64_t checkpoint, EventTime to);
  // Takes the next of these panes; whether there are more. Until there are none, nothing is begun. Errors:
  // state_unusable, storage_failed.
  [[nodiscard]] Result<bool> restore_panes(const StateStore& store);
  // Keeps what has been sealed since. Panes that are large for the lists they are made of are given up for this run, and
  // dropped: to read the events again costs less then. Arguments as of KeptPanes::save().
  void save_panes(StateBatch& batch, EventTime w, std::uint64_t checkpoint, bool are_all);
  [[nodiscard]] std::size_t unkept_pane_bytes() const;
  // How long before the watermark an event may lie that one of them depends on.
  [[nodiscard]] Duration event_memory() const;
  [[nodiscard]] std::vector<std::vector<KeptLook>> take_new_looks() { return running_.back()->evaluation.take_new_looks(); }
  // Of the newest: fates, outcomes and lists are the same in all.
  [[nodiscard]] EvaluationCounts counts() const { return running_.back()->evaluation.counts(); }

 private:
  struct Running {
    const EvaluatorPlan& plan;
    std::uint64_t number;
    EventTime finished;  // when the watermark is there, all its rows are made
    Lanes evaluation;
    std::optional<KeptPanes> panes;  // where the plan keeps them
    bool is_to_restore = false;
    bool gives_up_panes = false;
    std::uint64_t pane_bytes = 0;  // saved by this run
    std::uint64_t judge_at = 0;    // when there are so many
  };

  [[nodiscard]] Result<void> write(const Row& row) override;
  [[nodiscard]] Result<void> hand_over();
  void judge_panes(Running& running);

  std::vector<std::unique_ptr<Running>> running_;  // the oldest first
  EventTime restored_to_ = minus_infinity;         // where panes are restored
  std::vector<Row> due_;                           // of this step, where there is more than one
  RowSink& sink_;
};

}  // namespace recmeter
