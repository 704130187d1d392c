// ListTally: how long the lists of a run are, and what those of each value of a segment key add up to for some metrics, by
// the slots of their users. A table of the run chooses its columns by the lengths, compares arms by the sums, and says by the
// rest what a reader has to know of these lists.
//
// Lists count once, at the longest horizon. Tallies of shards add up to that of the run. Memory: 20 KiB for each value and
// metric. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "recmeter/evaluation/segmenter.h"
#include "recmeter/event/join_key.h"
#include "recmeter/experiment/arm_times.h"
#include "recmeter/experiment/arm_users.h"
#include "recmeter/experiment/slot_sums.h"
#include "recmeter/join/joiner.h"
#include "recmeter/metric/list_halves.h"
#include "recmeter/metric/list_lengths.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

// The sums that are tallied beside lengths.
struct ListTallySpec {
  std::size_t horizon = 0;                 // index of the longest
  std::vector<std::size_t> segments = {};  // combinations of one key each
  std::vector<std::size_t> metrics = {};   // of MetricPlan::metrics(), means over lists
};

// Users, counted exactly where they are few.
class FewUsers {
 public:
  static constexpr std::size_t few_max = 64;

  // `user`: the hash of its id.
  void add(std::uint64_t user) {
    if (users_.size() <= few_max) users_.insert(user);
  }
  FewUsers& operator+=(const FewUsers& other) {
    for (const std::uint64_t user : other.users_) add(user);
    return *this;
  }
  // Beyond few_max: few_max + 1.
  [[nodiscard]] std::size_t count() const { return users_.size(); }

 private:
  std::set<std::uint64_t> users_;
};

class ListTally {
 public:
  static constexpr std::size_t values_max = 10;  // a key with more is not summed

  struct Arm {
    ListLengths lengths;
    ArmTimes times;
    std::vector<SlotSums> sums;  // in the order of ListTallySpec::metrics
  };
  using Arms = std::map<std::string, Arm>;  // by value of the key

  void add(const ListTallySpec& spec, const MetricPlan& metrics, const JoinKey& key, const Segmenter& segmenter,
           const ListView& list, const ScoredList& score);
  // The list added last has less time than its horizon before the log ends.
  void add_cut() { ++cut_; }
  // Some action was credited to a list after the time of that, which a log tells where actions have times of their own.
  void acted_later(bool is_so) { is_acted_on_later_ |= is_so; }
  void has_propensities(bool is_so) { has_propensities_ |= is_so; }
  ListTally& operator+=(const ListTally& other);

  [[nodiscard]] const ListLengths& lengths() const { return lengths_; }
  // Ranks of the items that were acted on, and in which half of their lists these stood.
  [[nodiscard]] const ListLengths& hit_ranks() const { return hit_ranks_; }
  [[nodiscard]] const ListHalves& halves() const { return halves_; }
  // By value of a combination in ListTallySpec::segments; empty: it has more than values_max, or no list.
  [[nodiscard]] Arms arms(std::size_t segment) const;
  // The lengths of each of arms(segment), by value.
  [[nodiscard]] std::vector<ListLengths> lengths_of_arms(std::size_t segment) const;
  [[nodiscard]] bool has_too_many(std::size_t segment) const {
    return segment < arms_.size() && arms_[segment].size() > values_max;
  }
  [[nodiscard]] ArmsOfUsers arms_of_users(std::size_t segment) const {
    return segment < users_of_arms_.size() ? users_of_arms_[segment].arms() : ArmsOfUsers::unknown;
  }
  [[nodiscard]] std::uint64_t cut() const { return cut_; }
  // Lists that were acted on.
  [[nodiscard]] std::uint64_t acted_on() const { return acted_on_; }
  [[nodiscard]] bool is_acted_on_later() const { return is_acted_on_later_; }
  [[nodiscard]] bool has_propensities() const { return has_propensities_; }
  [[nodiscard]] const FewUsers& users() const { return users_; }
  [[nodiscard]] const FewUsers& acting_users() const { return acting_users_; }

 private:
  ListLengths lengths_;
  ListLengths hit_ranks_;
  ListHalves halves_;
  std::uint64_t cut_ = 0;
  std::uint64_t acted_on_ = 0;
  bool is_acted_on_later_ = false;
  bool has_propensities_ = false;
  FewUsers users_;
  FewUsers acting_users_;
  std::vector<ArmUsers> users_of_arms_;  // by segment
  std::vector<Arms> arms_;               // by segment; one value beyond values_max says that there are too many
};

}  // namespace recmeter
