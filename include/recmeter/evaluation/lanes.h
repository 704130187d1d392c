// Lanes: the evaluations of a run, moved on together like one: a single one, or one for each recommender of `lanes`. Each
// lane has a join of its own, of its lists and all feedback; so its rows do not depend on which others there are. [S13].
//
// With lanes everything comes `EvaluatorPlan::lane_delay()` later than without. The rows of all lanes come out in the order
// of the time at which they became due, end + horizon, and in that of lanes where these are equal; scored lists alike. Thread
// safety: as Evaluation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluation.h"
#include "recmeter/evaluation/lane_rows.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

class Lanes {
 public:
  // As that of Evaluation; what is of experiments and for a witness is of what was shown alone. `sealed` takes what every
  // lane seals.
  Lanes(const EvaluatorPlan& plan, EvaluationOptions&& options, Executor& executor, RowSink& sink);

  // As those of Evaluation; watermarks and ends are those of the log.
  void receive(std::vector<std::vector<RoutedBatch>>&& routed);
  void begin(EventTime w, std::vector<std::function<void()>>& tasks);
  [[nodiscard]] Result<void> complete(const LogStart& start);
  [[nodiscard]] Result<void> advance(EventTime w, const LogStart& start);
  [[nodiscard]] Result<void> end(EventTime log_end, EventTime later_end, const LogStart& start);
  [[nodiscard]] Result<void> end_whole(EventTime log_end, const LogStart& start);
  [[nodiscard]] std::vector<std::vector<KeptLook>> take_new_looks() { return evaluations_.front()->take_new_looks(); }
  // As those of Evaluation; where panes are kept there are no lanes.
  void restore(ShardOutput&& panes, EventTime w, EventTime to) { evaluations_.front()->restore(std::move(panes), w, to); }
  [[nodiscard]] std::deque<KeptPane> take_kept() { return evaluations_.front()->take_kept(); }
  [[nodiscard]] std::size_t kept_bytes() const { return evaluations_.front()->kept_bytes(); }
  void keep_no_more() { evaluations_.front()->keep_no_more(); }
  [[nodiscard]] bool is_abandoned() const;
  [[nodiscard]] EvaluationCounts counts() const;
  // The tally of the lists that were shown.
  [[nodiscard]] ListTally lists_tally() const { return evaluations_.front()->lists_tally(); }
  void report(Report& report) const;

 private:
  [[nodiscard]] bool has_lanes() const { return evaluations_.size() > 1; }
  [[nodiscard]] EventTime delayed(EventTime w) const { return lane_time(plan_, w); }
  [[nodiscard]] std::vector<std::vector<RoutedBatch>> of_lane(const std::vector<std::vector<RoutedBatch>>& routed,
                                                              std::size_t lane) const;
  template <class Step>
  [[nodiscard]] Result<void> each(Step&& step);
  [[nodiscard]] Result<void> hand_over();

  const EvaluatorPlan& plan_;
  LaneRows rows_;
  SealedSink* sealed_;
  std::function<Result<void>(const ScoredLine&)> scored_lists_;
  std::vector<std::unique_ptr<Evaluation>> evaluations_;  // what was shown first
  std::vector<ScoredLine> lines_;                         // of this step, where there are lanes
};

}  // namespace recmeter
