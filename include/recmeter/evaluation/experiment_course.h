// ExperimentCourse: an experiment from look to look: the sums of all shards, the sample of its members, and how it stands at
// each look. [S10.4], [S10.7], [S10.8].
//
// Thread safety: one thread. Between two calls of advance() no shard goes beyond the next time of
// PlannedExperiment::next_complete_after(): so who is a member behind a look can depend on how many there were before it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/experiment_past.h"
#include "recmeter/evaluation/experiment_sums.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/evaluation/look_sums.h"

namespace recmeter {

class ExperimentCourse {
 public:
  // `plan` and `experiment`, which is one of its, outlive the course.
  ExperimentCourse(const EvaluatorPlan& plan, const PlannedExperiment& experiment);

  // Before anything is collected: goes on from the looks of runs before, which it tells again, and keeps new ones.
  void go_on_from(ExperimentPast&& past);
  // Looks that advance() has told of, or that lie before the start and are complete, since it was asked last.
  [[nodiscard]] std::vector<KeptLook> take_new() { return std::exchange(new_, {}); }

  // What a shard handed over; all shards have advanced to the same watermark.
  void collect(std::deque<LookSums>&& looks);
  // The looks that watermark `w` makes final, in order; `log_end`: no look is final beyond it, plus_infinity while
  // the log goes on.
  [[nodiscard]] std::vector<ExperimentLook> advance(EventTime w, EventTime log_end, const LogStart& log_start);
  // Members from now on are those whose hash begins with so many zero bits; changes in advance() only.
  [[nodiscard]] std::uint8_t sample() const { return sample_; }

  [[nodiscard]] std::size_t memory_bytes() const { return sums_.memory_bytes(); }

 private:
  void add(std::int64_t number);
  void keep(std::int64_t number, const std::vector<std::string>& incomplete);
  void shrink_sample();
  [[nodiscard]] std::vector<std::string> incomplete_at(std::int64_t number, const LogStart& log_start);
  [[nodiscard]] bool is_final(std::int64_t number, EventTime w, EventTime log_end) const;
  [[nodiscard]] ExperimentLook make_look(std::int64_t number, const LogStart& log_start);

  const EvaluatorPlan& plan_;
  const PlannedExperiment& experiment_;
  ExperimentSums sums_;
  std::map<std::int64_t, std::vector<LookSums>> waiting_;  // by look: what shards handed over
  std::optional<std::int64_t> pending_;                    // the newest look in sums_, if nobody was told of it yet
  bool is_closed_ = false;                                 // the last look was told of
  std::uint8_t sample_ = 0;

  // Of a run that goes on from others, or that others go on from.
  bool keeps_ = false;
  EventTime since_ = minus_infinity;          // lists before it count nowhere
  std::map<std::int64_t, LookRemarks> told_;  // by number: on looks of the runs before that are not told again yet
  std::vector<std::string> incomplete_;       // what a look has lacked, later ones lack
  std::vector<LookSums> pending_sums_;        // of pending_, not kept yet
  std::vector<KeptLook> new_;
};

// The looks of all courses that are final, in the order of (end + horizon, configured order), as rows of windows are.
[[nodiscard]] std::vector<ExperimentLook> advance_all(std::span<ExperimentCourse> courses, EventTime w, EventTime log_end,
                                                      const LogStart& log_start);

}  // namespace recmeter
