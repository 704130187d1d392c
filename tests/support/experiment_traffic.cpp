#include "support/experiment_traffic.h"

#include <algorithm>
#include <cmath>

namespace recmeter::support {

namespace {

constexpr double lists_shape = 1.3;

// The weight of all hours up to the end of each, as a share of all.
std::vector<double> shares_of_hours(int days_before) {
  std::vector<double> shares;
  double sum = 0;
  for (int hour = -24 * days_before; hour < experiment_hours; ++hour) {
    const int since = hour + 24 * 28;  // never below 0
    const double wave = 1 + 0.8 * std::sin(2 * std::acos(-1.0) * (since % 24 - 9) / 24);
    sum += std::max(0.1, wave) * (since / 24 % 7 >= 5 ? 1.3 : 1);
    shares.push_back(sum);
  }
  for (double& share : shares) share /= sum;
  return shares;
}

std::uint8_t arm_of(const ExperimentTraffic& traffic, Dice& dice) {
  double at = unit_of(dice);
  std::uint8_t arm = 0;
  while (arm + 1U < traffic.allocation.size() && at >= traffic.allocation[arm]) at -= traffic.allocation[arm++];
  return arm;
}

double value_of(const ExperimentTraffic& traffic, double taste, double factor, Dice& dice) {
  if (traffic.value == MadeUpValue::share) {
    const double chance = std::min(1.0, factor / (1 + std::exp(3.2 - taste)));
    int hits = 0;
    for (int item = 0; item < 10; ++item) hits += unit_of(dice) < chance ? 1 : 0;
    return hits / 10.0;
  }
  if (unit_of(dice) >= std::min(0.9, factor * 0.03 * std::exp(0.7 * taste - 0.245))) return 0;
  if (traffic.value == MadeUpValue::conversion) return 1;
  if (traffic.value == MadeUpValue::log_normal_order) return std::exp(3 + normal_of(dice));
  return std::min(traffic.cap, 10 * std::pow(unit_of(dice), -1 / traffic.pareto_shape));
}

}  // namespace

double unit_of(Dice& dice) {
  return (static_cast<double>(dice.below(std::size_t{1} << 53)) + 0.5) * 0x1p-53;
}

double normal_of(Dice& dice) {
  return std::sqrt(-2 * std::log(unit_of(dice))) * std::cos(2 * std::acos(-1.0) * unit_of(dice));
}

std::vector<MadeUpList> made_up_lists(const ExperimentTraffic& traffic, Dice& dice) {
  const std::vector<double> shares = shares_of_hours(traffic.days_before);
  std::vector<MadeUpList> lists;
  for (std::uint32_t user = 0; user < traffic.users; ++user) {
    const auto slot = static_cast<std::uint8_t>(dice.below(256));
    const double taste = traffic.taste_spread * normal_of(dice);
    const double count = std::min(traffic.lists_max, std::floor(std::pow(unit_of(dice), -1 / lists_shape)));
    const double entry = unit_of(dice) * (dice.percent(50) ? 1 : 0.3);
    const std::uint8_t own_arm = arm_of(traffic, dice);
    const bool is_mixed = traffic.mixed_share > 0 && unit_of(dice) < traffic.mixed_share;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      const double at = entry + (1 - entry) * unit_of(dice);
      const auto hour = static_cast<int>(std::ranges::lower_bound(shares, at) - shares.begin()) - 24 * traffic.days_before;
      const std::uint8_t arm = is_mixed ? arm_of(traffic, dice) : own_arm;
      const double lift = traffic.lifts.empty() || hour < 0 ? 0 : traffic.lifts[arm];
      lists.push_back({hour, user, slot, arm, value_of(traffic, taste, 1 + lift, dice)});
    }
  }
  std::ranges::stable_sort(lists, {}, &MadeUpList::hour);
  return lists;
}

}  // namespace recmeter::support
