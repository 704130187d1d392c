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
#include <span>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/lanes.h"
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
  // looks and pasts are those of the newest. `executor`, `sink` and the memory of joiners outlive this.
  GenerationSet(std::span<const PlannedGeneration> planned, EvaluationOptions&& options, Executor& executor, RowSink& sink);

  // As those of Evaluation.
  void receive(std::vector<std::vector<RoutedBatch>>&& routed);
  void begin(EventTime w, std::vector<std::function<void()>>& tasks);
  [[nodiscard]] Result<void> complete(const LogStart& start);
  [[nodiscard]] Result<void> advance(EventTime w, const LogStart& start);

  // Gives up those that have made all their rows at watermark `w`, and erases them from the store by `batch`.
  void drop_finished(EventTime w, StateBatch& batch);
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
  };

  [[nodiscard]] Result<void> write(const Row& row) override;
  [[nodiscard]] Result<void> hand_over();

  std::vector<std::unique_ptr<Running>> running_;  // the oldest first
  std::vector<Row> due_;                           // of this step, where there is more than one
  RowSink& sink_;
};

}  // namespace recmeter
