#include "recmeter/window/running_users.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "support/dice.h"

namespace recmeter {
namespace {

constexpr std::int64_t one = std::int64_t{1} << q32_fraction_bits;

struct List {
  std::uint64_t user;
  bool nonempty;
  bool evidence;
};

std::size_t group_of(std::uint64_t user) {
  return user % user_groups;
}

UserKey key_of(std::uint64_t user) {
  return {.high = user, .low = user_key(std::to_string(user)).low};
}

void add(UserSums& sums, const List& list) {
  const std::array<std::int64_t, 2> columns{list.evidence ? one : 0, list.evidence ? 1 : 0};
  sums.add_list(key_of(list.user), group_of(list.user), list.nonempty, columns);
}

PlannedMetric metric_over(Over over) {
  PlannedMetric metric;
  metric.over = over;
  metric.user_column = 0;
  return metric;
}

// Against what a plain map counts.
template <class Sums>
void expect_sums(const Sums& sums, const std::vector<List>& lists) {
  struct Counts {
    std::uint64_t lists = 0;
    std::uint64_t nonempty = 0;
    std::uint64_t evidence = 0;
  };
  std::map<std::uint64_t, Counts> users;
  for (const List& list : lists) {
    Counts& counts = users[list.user];
    ++counts.lists;
    counts.nonempty += list.nonempty ? 1U : 0U;
    counts.evidence += list.evidence ? 1U : 0U;
  }
  GroupSums coverage;
  GroupSums means;
  for (const auto& [user, counts] : users) {
    const std::size_t group = group_of(user);
    ++coverage.lists[group];
    coverage.value[group] += counts.nonempty > 0 ? one : 0;
    means.value[group] += to_q32(share_of(counts.evidence, counts.lists));
    means.evidence[group] += counts.evidence > 0 ? 1U : 0U;
  }
  EXPECT_EQ(sums.coverage().lists, coverage.lists);
  EXPECT_EQ(sums.coverage().value, coverage.value);
  const UserSums::Means actual = sums.means(metric_over(Over::all));
  EXPECT_EQ(actual.shown, users.size());
  EXPECT_EQ(actual.sums.lists, coverage.lists);
  EXPECT_EQ(actual.sums.value, means.value);
  EXPECT_EQ(actual.sums.evidence, means.evidence);
}

std::vector<List> random_lists(support::Dice& dice, std::size_t number, std::size_t users) {
  std::vector<List> lists(number);
  for (List& list : lists) list = {.user = dice.below(users), .nonempty = dice.percent(70), .evidence = dice.percent(30)};
  return lists;
}

TEST(UserSums, of_nobody_are_nothing) {
  expect_sums(UserSums{}, {});
}

TEST(UserSums, agree_with_a_plain_map_while_panes_come_and_go) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    support::Dice dice(seed);
    UserSums window;
    std::vector<std::vector<List>> inside;
    const std::size_t users = 1 + dice.below(400);
    for (int step = 0; step < 30; ++step) {
      if (!inside.empty() && dice.percent(40)) {
        UserSums leaving;
        for (const List& list : inside.front()) add(leaving, list);
        window.subtract(leaving);
        inside.erase(inside.begin());
      } else {
        inside.push_back(random_lists(dice, dice.below(150), users));
        UserSums entering;
        for (const List& list : inside.back()) add(entering, list);
        window.merge(entering);
      }
      std::vector<List> all;
      for (const auto& pane : inside) all.insert(all.end(), pane.begin(), pane.end());
      expect_sums(window, all);
    }
  }
}

TEST(UserSums, of_users_all_of_whom_left_take_new_ones) {
  support::Dice dice(7);
  UserSums sums;
  for (int round = 0; round < 3; ++round) {
    const std::vector<List> lists = random_lists(dice, 500, 100);
    UserSums pane;
    for (const List& list : lists) add(pane, list);
    sums.merge(pane);
    expect_sums(sums, lists);
    sums.subtract(pane);
    expect_sums(sums, {});
  }
}

TEST(UserSums, tell_of_one_user_and_forget_it_alone) {
  support::Dice dice(11);
  UserSums sums;
  std::vector<List> lists = random_lists(dice, 600, 90);
  for (const List& list : lists) add(sums, list);
  for (std::uint64_t user = 0; user < 90; user += 2) {
    const auto is_its = [user](const List& list) { return list.user == user; };
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(lists, is_its));
    const auto view = sums.find_user(key_of(user));
    ASSERT_EQ(view.has_value(), count > 0) << user;
    if (!view) continue;
    EXPECT_EQ(view->lists, count);
    sums.forget_user(key_of(user));
    EXPECT_FALSE(sums.find_user(key_of(user)));
    std::erase_if(lists, is_its);
    expect_sums(sums, lists);
  }
}

// A pane as shards or a preview make it: parts of each domain, or of any.
UserParts parts_of(support::Dice& dice, const std::vector<List>& lists, std::uint64_t domains) {
  UserParts pane;
  for (std::uint64_t domain = 0; domain < domains; ++domain) {
    const std::size_t parts = 1 + dice.below(2);
    for (std::size_t part = 0; part < parts; ++part) {
      UserParts some;
      for (std::size_t at = part; at < lists.size(); at += parts) {
        if (lists[at].user % domains == domain) add(some.own(), lists[at]);
      }
      if (domains > 1 || dice.percent(50)) some.share(domains > 1 ? static_cast<UserDomain>(domain + 1) : any_domain);
      pane.merge(std::move(some));
    }
  }
  return pane;
}

TEST(RunningUsers, agree_with_a_plain_map_while_panes_come_and_go) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    support::Dice dice(seed);
    const std::uint64_t domains = 1 + dice.below(4);
    const std::size_t users = 1 + dice.below(300);
    const std::size_t panes_max = 1 + dice.below(4);
    RunningUsers window;
    std::deque<std::pair<std::vector<List>, UserParts>> inside;
    for (int step = 0; step < 30; ++step) {
      if (inside.size() == panes_max || (!inside.empty() && dice.percent(30))) {
        window.leave(inside.front().second);
        inside.pop_front();
      } else {
        const std::vector<List> lists = random_lists(dice, dice.below(100), users);
        inside.emplace_back(lists, parts_of(dice, lists, domains));
        window.enter(inside.back().second);
      }
      std::vector<List> all;
      for (const auto& [lists, pane] : inside) all.insert(all.end(), lists.begin(), lists.end());
      expect_sums(window, all);
      RunningUsers twice = window;
      twice.add(window);
      all.insert(all.end(), all.begin(), all.end());
      expect_sums(twice, all);
      for (const auto& [lists, pane] : inside) {
        UserSums sums = pane.own();
        for (const UserParts::Part& part : pane.merged()) sums.merge(*part.sums);
        expect_sums(sums, lists);
      }
    }
  }
}

TEST(UserParts, hold_what_was_merged_and_no_more_than_a_few_times_their_users) {
  support::Dice dice(4);
  std::vector<List> lists;
  UserParts parts;
  for (int part = 0; part < 40; ++part) {
    UserParts other;
    for (std::uint64_t user = 0; user < 5000; ++user) {  // 200,000 altogether: so many are added up on the way
      lists.push_back({user, dice.percent(50), dice.percent(50)});
      add(other.own(), lists.back());
    }
    if (part % 3 == 0) other.share(any_domain);
    if (part % 2 == 0) {
      parts.merge(std::move(other));
    } else {
      parts.merge(other);
    }
  }
  UserSums sums = parts.own();
  std::size_t held = sums.users();
  for (const UserParts::Part& part : parts.merged()) {
    held += part.sums->users();
    sums.merge(*part.sums);
  }
  expect_sums(sums, lists);
  EXPECT_LT(held, 70'000U);
}

// A cell that has become part of `(other)` goes on: what is said of its lists may still change.
TEST(UserParts, that_nobody_shares_may_be_corrected_once_merged) {
  constexpr std::array<std::int64_t, 1> was{1};
  constexpr std::array<std::int64_t, 1> is{5};
  UserParts cell;
  cell.own().add_list(key_of(1), 0, true, was);
  UserParts other;
  other.own().add_list(key_of(2), 0, true, was);
  other.merge(std::move(cell));
  other.own().correct_list(key_of(1), was, is);
  ASSERT_TRUE(other.own().find_user(key_of(1)));
  EXPECT_EQ(other.own().find_user(key_of(1))->columns[0], 5);
  EXPECT_EQ(other.own().find_user(key_of(2))->columns[0], 1);
}

}  // namespace
}  // namespace recmeter
