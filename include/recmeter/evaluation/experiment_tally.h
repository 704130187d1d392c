// ExperimentTally: of one experiment what one shard's users did: who belongs to which arm, and what their lists add up to,
// look by look. [S10.2] to [S10.6].
//
// Lists come in the order of (ts, canonical bytes) among those of one user, at the experiment's horizon, as Joiner scores
// them; so the first list of a user is the first that comes. They are labelled in the same order, but earlier: then the bytes
// of the user's id, or of its list before, are at hand, and it gets the number by which it is known later. Thread safety:
// none; owned by one shard.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/look_sums.h"
#include "recmeter/evaluation/member_table.h"
#include "recmeter/evaluation/planned_experiment.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/join/joiner.h"
#include "recmeter/window/list_values.h"
#include "recmeter/window/user_sums.h"

namespace recmeter {

class ExperimentTally {
 public:
  // `plan` outlives the tally. `experiment`: its place in the plan.
  ExperimentTally(const EvaluatorPlan& plan, std::size_t experiment);

  // Before the first list: lists before `counts_from` are those of runs before; and what looks say of members is noted in
  // them.
  void go_on_from(EventTime counts_from) {
    counts_from_ = counts_from;
    has_notes_ = true;
  }
  // What runs before have noted of a user, and added up of some for the time before; in the order of looks.
  void restore(const MemberNote& note);
  void restore(const UserSums& sums) { before_.merge(sums); }

  // Fetch what is looked at when a list of the user opens, and when this list is scored.
  void prefetch(const UserKey& user) const { members_.prefetch(user); }
  void prefetch(const UpcomingList& list) const;
  // A list opens, and its segment values are labelled: writes the labels of this experiment. `before`: all those of its
  // user's list before; may be empty.
  void label(const EventBatch& batch, const Event& opening, std::span<std::uint32_t> labels,
             std::span<const std::uint32_t> before);
  // Segment values may have other labels than before.
  void forget_labels() { arms_.clear(); }
  // A list is scored; of a team draft it counts, whatever the arm, by its teams.
  void add(const ListView& list, const ScoredList& score, const ListValues& values);
  // Moves to `to` the looks that are complete at this watermark, in order.
  void take(EventTime w, std::deque<LookSums>& to);
  // When the first look that is not taken is complete; plus_infinity: there is none.
  [[nodiscard]] EventTime next_complete() const {
    return looks_.empty() ? plus_infinity : plan_.complete_at(looks_.front().number());
  }
  // From now on members are those whose hash begins with so many zero bits. [S10.8].
  void sample(std::uint8_t zeros);

  [[nodiscard]] std::size_t memory_bytes() const { return members_.memory_bytes() + before_.memory_bytes(); }

 private:
  // In place of a user's number.
  static constexpr std::uint32_t not_sampled = MemberTable::numbers_max;
  static constexpr std::uint32_t nobody = not_sampled + 1;
  static constexpr std::uint32_t not_asked = nobody + 1;  // the list counts nowhere, or whoever was shown it

  static constexpr std::uint32_t unknown_arm = not_asked;

  // The arm that a list names; as many as there are arms: none of them. [S10.2].
  [[nodiscard]] std::uint32_t arm_of(const EventBatch& batch, const Event& opening) const;
  [[nodiscard]] std::uint32_t arm_of(const EventBatch& batch, const Event& opening, std::span<const std::uint32_t> labels);
  [[nodiscard]] std::uint32_t user_of(const EventBatch& batch, const Event& opening);
  [[nodiscard]] bool may_count_user(std::uint32_t arm) const;
  void add_draft(const ListView& list, const ScoredList& score);
  void count_user(std::size_t arm, const ListView& list);
  void add_before(const ListView& list, const ListValues& values);
  // `member`: who was shown the list; null: nobody who is one.
  void add_to(std::size_t arm, Member* member, const ListView& list, const ListValues& values);
  void add_acting(std::span<std::int64_t> row, Member& member, const ListView& list, const ListValues& values);
  // Where a list counts; empty: nowhere, and it is counted where it belongs.
  struct Place {
    std::size_t arm;
    Member* member;  // null: nobody who is one
  };
  [[nodiscard]] std::optional<Place> counting_place(const ListView& list);
  void enter(const Member& member, const ListView& list);
  [[nodiscard]] bool is_nobody(const ListView& list) const {
    return list.user_id.empty() || key_.not_users.contains(list.user_id);
  }
  LookSums& look_at(EventTime ts);

  const PlannedExperiment& plan_;
  const JoinKey& key_;
  std::size_t first_label_;                 // of a list's labels: the first of this experiment
  std::optional<std::size_t> combination_;  // of segment keys: the first that says the arm
  std::vector<std::uint32_t> arms_;         // by its labels; unknown_arm: not asked yet
  MemberTable members_;
  UserSums before_;  // of the time before, of those who are no members yet
  std::uint8_t zeros_ = 0;
  EventTime counts_from_ = minus_infinity;
  bool has_notes_ = false;
  std::deque<LookSums> looks_;         // those that are not complete, in order
  std::vector<std::int64_t> columns_;  // of the list of the time before that is being added
};

}  // namespace recmeter
