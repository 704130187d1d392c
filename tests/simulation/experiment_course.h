// A made-up experiment from its first look to its last, through the product's sums and comparisons. The table of members here
// is the plain one: the arm of a user is that of its first list.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "recmeter/experiment/comparison.h"
#include "support/experiment_traffic.h"

namespace recmeter {

// The sums of one metric.
class ExperimentCourse {
 public:
  ExperimentCourse(const support::ExperimentTraffic& traffic, support::Dice& dice, bool is_paired = false)
      : lists_(support::made_up_lists(traffic, dice)),
        is_paired_(is_paired),
        members_(traffic.users, nobody),
        before_(traffic.users),
        sums_(traffic.allocation.size()) {
    for (; next_ < lists_.size() && lists_[next_].hour < 0; ++next_) {
      before_[lists_[next_].user].first += lists_[next_].value;
      before_[lists_[next_].user].second += 1;
    }
  }

  // Adds the lists before the end of `hour`; false: there were none.
  bool advance(int hour) {
    const std::size_t from = next_;
    for (; next_ < lists_.size() && lists_[next_].hour <= hour; ++next_) add(lists_[next_]);
    return next_ > from;
  }

  [[nodiscard]] std::optional<Comparison> compare(std::size_t arm, ComparisonRule rule) const {
    rule.is_paired = is_paired_;
    const auto compared = compare_arms(sums_[0], sums_[arm], rule);
    return compared ? std::optional(*compared) : std::nullopt;
  }
  // y of the second arm, without CUPED.
  [[nodiscard]] double plain_difference() const { return std::log(*ratio_of(sums_[1]) / *ratio_of(sums_[0])); }
  // Of the users of all arms, those with lists before.
  [[nodiscard]] double known_share() const {
    double known = 0, all = 0;
    for (std::size_t user = 0; user < members_.size(); ++user) {
      all += members_[user] == nobody ? 0 : 1;
      known += members_[user] == nobody || before_[user].second == 0 ? 0 : 1;
    }
    return all > 0 ? known / all : 0;
  }

 private:
  static constexpr std::uint8_t nobody = 255;

  void add(const support::MadeUpList& list) {
    std::uint8_t& member = members_[list.user];
    SlotSums& sums = sums_[list.arm];
    if (!is_paired_ && member == nobody) {
      member = list.arm;
      sums.m[list.slot] += to_q32(1);
      sums.x[list.slot] += to_q32(before_[list.user].first);
      sums.p[list.slot] += to_q32_wide(before_[list.user].second);
    }
    if (!is_paired_ && member != list.arm) return;
    sums.s[list.slot] += to_q32_wide(list.value);
    sums.n[list.slot] += to_q32(1);
  }

  std::vector<support::MadeUpList> lists_;
  bool is_paired_;
  std::size_t next_ = 0;
  std::vector<std::uint8_t> members_;              // by user
  std::vector<std::pair<double, double>> before_;  // by user: values, lists
  std::vector<SlotSums> sums_;                     // by arm
};

}  // namespace recmeter
