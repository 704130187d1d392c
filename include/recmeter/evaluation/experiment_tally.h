// ExperimentTally: of one experiment what one shard's users did: who belongs to which arm, and what their lists add up to,
// look by look. [S10.2] to [S10.6].
//
// Lists come in the order of (ts, canonical bytes) among those of one user, at the experiment's horizon, as Joiner scores
// them; so the first list of a user is the first that comes. Thread safety: none; owned by one shard.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

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
  // `plan` and `key` outlive the tally.
  ExperimentTally(const PlannedExperiment& plan, const JoinKey& key) : plan_(plan), key_(key) {}

  // Before the first list: lists before `counts_from` are those of runs before; and what looks say of members is noted in
  // them.
  void go_on_from(EventTime counts_from) {
    counts_from_ = counts_from;
    has_notes_ = true;
  }
  // What runs before have noted of a user, and added up of some for the time before; in the order of looks.
  void restore(const MemberNote& note);
  void restore(const UserSums& sums) { before_.merge(sums); }

  // The arm that a list names as it opens; as many as there are arms: none of them. [S10.2].
  [[nodiscard]] std::uint32_t arm_of(const EventBatch& batch, const Event& opening) const;
  // The list is scored soon: fetches what add() will look at.
  void prefetch(const ListView& list) const;
  // A list of this arm is scored; of a team draft, whatever the arm, by its teams.
  void add(const ListView& list, std::uint32_t arm, const ScoredList& score, const ListValues& values);
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
  void add_draft(const ListView& list, const ScoredList& score);
  void add_before(const ListView& list, const ListValues& values);
  // `member`: who was shown the list; null: nobody who is one.
  void add_to(std::size_t arm, Member* member, const ListView& list, const ListValues& values);
  void add_acting(std::span<std::int64_t> row, Member& member, const ListView& list, const ListValues& values);
  // Where a list counts; empty: nowhere, and it is counted where it belongs.
  struct Place {
    std::size_t arm;
    Member* member;  // null: nobody who is one
  };
  [[nodiscard]] std::optional<Place> counting_place(const ListView& list, std::size_t arm);
  Member& enter(const UserKey& user, const Member& member, const ListView& list);
  [[nodiscard]] bool is_nobody(const ListView& list) const {
    return list.user_id.empty() || key_.not_users.contains(list.user_id);
  }
  LookSums& look_at(EventTime ts);

  const PlannedExperiment& plan_;
  const JoinKey& key_;
  MemberTable members_;
  UserSums before_;  // of the time before, of those who are no members yet
  std::uint8_t zeros_ = 0;
  EventTime counts_from_ = minus_infinity;
  bool has_notes_ = false;
  std::deque<LookSums> looks_;         // those that are not complete, in order
  std::vector<std::int64_t> columns_;  // of the list of the time before that is being added
};

}  // namespace recmeter
