// A made-up experiment from its first look to its last, through the product's sums and comparisons; and what all looks of an
// arm together have said. The table of members here is the plain one: the arm of a user is that of its first list.
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

// What the looks of one comparison have said, and what of it was false.
struct WatchedComparison {
  double truth = 0;              // of y
  bool is_naive_false = false;   // an interval for one look missed 0
  bool is_truth_missed = false;  // an interval for all looks missed the truth
  bool has_wrong_sign = false;
  std::optional<int> found = {};  // the look that knew of a difference
  std::optional<Comparison> last = {};
  double plain_y = 0;      // at the end, without CUPED
  double known_share = 0;  // of users, with lists before

  void look(int hour, const std::optional<Comparison>& at, double alpha) {
    last = at;
    if (!at) return;
    is_naive_false |= at->evidence.p < alpha;
    const auto& decisive = at->decisive();
    const auto scaled = [&](double bound) { return at->relative ? std::log1p(bound) : bound; };
    // Few events are compared by the difference, of which nothing is known here but where it is 0.
    if (decisive.cs && (truth == 0 || !at->is_few)) {
      is_truth_missed |= scaled(decisive.cs->first) > truth || scaled(decisive.cs->second) < truth;
    }
    if (at->evidence.log_e < std::log(1 / alpha)) return;
    if (!found) found = hour + 1;
    has_wrong_sign |= at->evidence.y * truth < 0;
  }

  [[nodiscard]] bool has_ci() const { return last && last->decisive().ci && last->decisive().cs; }
  [[nodiscard]] bool covers() const {
    const auto& ci = *last->decisive().ci;
    const double at = last->relative ? std::expm1(truth) : truth;
    return ci.first <= at && at <= ci.second;
  }
  // The half-width of the sequence by that of one look, in y.
  [[nodiscard]] double width() const {
    const auto width_of = [&](const Interval& of) {
      return last->relative ? std::log1p(of.second) - std::log1p(of.first) : of.second - of.first;
    };
    return width_of(*last->decisive().cs) / width_of(*last->decisive().ci);
  }
};

}  // namespace recmeter
