// `compare --plan` against experiments: it says from a log of before how long they have to last, and they say it themselves.
// RECMETER_LONG=1 tries 200 of each kind, as docs/experiments.md has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "app/compare/experiment_plan.h"
#include "recmeter/event/join_key.h"
#include "recmeter/experiment/comparison.h"
#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using support::Dice;

struct Shop {
  std::size_t users = 20'000;
  std::size_t lists_a_day = 6'000;
  double taste_spread = 0.3;  // standard deviation, of the logit
  double mde = 0.04;
  int log_days = 1;
  int days = 21;  // that an experiment is watched
};

constexpr int looks_a_day = 4;
constexpr double alpha = 0.05;
// Seeds that the rules of the plan were not chosen by: those were 1 to 200.
constexpr std::uint64_t first_seed = 20'271'130;

double unit_of(Dice& dice) {
  return (static_cast<double>(dice.below(1U << 30)) + 0.5) / (1U << 30);
}
double normal_of(Dice& dice) {
  return std::sqrt(-2 * std::log(unit_of(dice))) * std::cos(2 * M_PI * unit_of(dice));
}

// Users differ in what they like and in how often they come; the same ones come all the while.
class Users {
 public:
  Users(const Shop& shop, Dice& dice) : dice_(dice) {
    for (std::size_t u = 0; u < shop.users; ++u) {
      const double logit = -2.2 + shop.taste_spread * normal_of(dice);
      users_.push_back({.hash = hash_id(fmt::format("u{}", u)),
                        .share = 1 / (1 + std::exp(-logit)),
                        .keenness = std::pow(unit_of(dice), 2),
                        .is_b = dice.percent(50)});
    }
  }
  struct User {
    std::uint64_t hash;
    double share;
    double keenness;  // of coming, in (0, 1)
    bool is_b;
  };
  const User& next() {
    while (true) {
      const User& user = users_[dice_.below(users_.size())];
      if (unit_of(dice_) < user.keenness) return user;
    }
  }
  // A list of five items.
  double value_of(double share) {
    int clicked = 0;
    for (int item = 0; item < 5; ++item) clicked += unit_of(dice_) < share ? 1 : 0;
    return clicked / 5.0;
  }

 private:
  Dice& dice_;
  std::vector<User> users_;
};

struct Run {
  double planned = 0;       // days; 0: none were said
  std::vector<bool> found;  // by day: an experiment that ends with it has found what is there
};

Run run_of(const Shop& shop, std::uint64_t seed) {
  Dice dice(seed);
  Users users(shop, dice);
  PlanLists log;
  const std::size_t logged = static_cast<std::size_t>(shop.log_days) * shop.lists_a_day;
  for (std::size_t i = 0; i < logged; ++i) {
    const Users::User& user = users.next();
    const std::pair<std::string_view, double> value("precision@5", users.value_of(user.share));
    const double part = static_cast<double>(i) / static_cast<double>(logged);
    log.add(user.hash, EventTime{static_cast<std::int64_t>(part * shop.log_days * 86'400'000.0)}, "", std::span(&value, 1));
  }
  Run run;
  const ExperimentPlan plan = log.plan({.mde = shop.mde, .alpha = alpha});
  run.planned = plan.metrics.at(0).days.value_or(0);

  SlotSums a, b;
  ComparisonRule rule{.mde = shop.mde, .alpha = alpha, .alpha_all = alpha, .range = {.low = 0, .high = 1}};
  bool was_found = false;
  for (int look = 1; look <= shop.days * looks_a_day; ++look) {
    for (std::size_t i = 0; i < shop.lists_a_day / looks_a_day; ++i) {
      const Users::User& user = users.next();
      SlotSums& sums = user.is_b ? b : a;
      const std::size_t slot = user.hash >> 56;
      sums.s[slot] += to_q32_wide(users.value_of(user.is_b ? user.share * (1 + shop.mde) : user.share));
      sums.n[slot] += to_q32(1);
    }
    const auto is_found = [&](PlannedLook at) {
      rule.look = at;
      const auto compared = compare_arms(a, b, rule);
      return compared && compared->evidence.is_sure && compared->evidence.y > 0;
    };
    if (look % looks_a_day == 0) run.found.push_back(was_found || is_found(PlannedLook::last));
    was_found = was_found || is_found(PlannedLook::early);
  }
  return run;
}

struct Days {
  double planned = 0;   // the median of what the logs say
  double found = 0;     // the share of experiments that have found it by then
  double measured = 0;  // with which 80 of 100 experiments have found it, between whole days; 0: watched for too short
  std::size_t runs = 0;
};

Days days_of(const Shop& shop) {
  std::vector<Run> all;
  for (std::uint64_t seed = first_seed; seed < first_seed + (support::at_length() ? 200 : 40); ++seed) {
    all.push_back(run_of(shop, seed));
  }
  std::vector<double> planned;
  for (const Run& run : all) planned.push_back(run.planned > 0 ? run.planned : 1e9);
  std::ranges::sort(planned);
  const auto found_after = [&](std::size_t day) {
    const auto count = std::ranges::count_if(all, [&](const Run& run) { return day > 0 && run.found[day - 1]; });
    return static_cast<double>(count) / static_cast<double>(all.size());
  };
  Days days{.planned = planned[planned.size() / 2], .runs = all.size()};
  for (std::size_t day = 1; day <= static_cast<std::size_t>(shop.days); ++day) {
    const double before = found_after(day - 1), after = found_after(day);
    const double start = static_cast<double>(day) - 1;
    if (days.planned >= start && days.planned < start + 1) days.found = before + (days.planned - start) * (after - before);
    if (days.measured == 0 && after >= 0.8) days.measured = start + (0.8 - before) / (after - before);
  }
  std::cout << fmt::format("{} users, taste {}, log of {} days: planned {:.1f}, found by then {:.3f}, measured {:.1f}\n",
                           shop.users, shop.taste_spread, shop.log_days, days.planned, days.found, days.measured);
  return days;
}

// 40 experiments say the share that has found it, give or take three standard errors. They say no day: after a week the share
// grows by 0.03 a day, half a standard error. 200 do.
void expect_the_days_needed(const Shop& shop) {
  const Days days = days_of(shop);
  EXPECT_NEAR(days.found, 0.8, 3 * std::sqrt(0.8 * 0.2 / static_cast<double>(days.runs)));
  if (!support::at_length()) return;
  ASSERT_GT(days.measured, 0) << "watched for too short";
  EXPECT_NEAR(days.planned, days.measured, 0.2 * days.measured);
}

TEST(PlannedDays, of_the_log_of_a_day_are_those_that_experiments_need) {
  expect_the_days_needed({});
}

TEST(PlannedDays, of_the_log_of_a_week_know_that_the_same_users_come_again) {
  expect_the_days_needed({.taste_spread = 0.6, .mde = 0.05, .log_days = 7});
}

}  // namespace
}  // namespace recmeter
