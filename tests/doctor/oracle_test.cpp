// The delay curve against what replays with its horizons credit; the profile against its definitions, slowly.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "doctor/sound_log.h"
#include "support/effort.h"

namespace recmeter::doctor {
namespace {

TEST(DelayCurve, credits_what_a_replay_with_its_horizon_credits) {
  support::for_each_seed(3, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    log.settings["join.actions.purchase"] = seed % 2 == 0 ? "{gain: 3}" : "{gain: 3, after: click}";
    if (seed % 3 == 0) log.settings["join.actions.click"] = "{gain: 1, horizon: 45s}";
    log.settings["join.horizons"] = "[1m]";
    const Record curve = examination(log)["delay_curve"];
    for (const Record& point : curve["horizons"]) {
      const auto horizon = point["horizon_ms"].get<std::int64_t>();
      if (horizon > 3'600'000 && horizon != 86'400'000) continue;  // alike
      log.settings["join.horizons"] = "[" + std::to_string(horizon) + "ms]";
      EXPECT_EQ(examination(log)["credited"], point["credited"]) << "seed " << seed << ", horizon " << horizon;
    }
  });
}

// By the definition, of feedback that names its list: how many of each action each horizon keeps.
TEST(DelayCurve, advises_the_shortest_horizon_that_keeps_99_percent_of_each_action) {
  support::for_each_seed(3, 20, [](std::uint64_t seed) {
    SoundLog log(seed);
    std::erase_if(log.feedback, [](const Record& each) { return !each.contains("list_id"); });
    std::map<std::string, std::int64_t> shown;
    for (const Record& list : log.lists) shown.emplace(list["list_id"], list["ts"]);
    std::map<std::string, std::map<std::pair<std::string, std::string>, std::int64_t>> first;  // by action: list and item
    for (const Record& each : log.feedback) {
      first[each["type"]].emplace(std::pair<std::string, std::string>(each["list_id"], each["item_id"]),
                                  each["ts"].get<std::int64_t>() - shown.at(each["list_id"]));
    }
    const Record curve = examination(log)["delay_curve"];
    for (const auto& [action, delays] : first) {
      const auto keeps = [&delays = delays](const Record& point) {
        const auto kept = std::ranges::count_if(delays, [&](const auto& each) { return each.second < point["horizon_ms"]; });
        return static_cast<double>(kept) >= 0.99 * static_cast<double>(delays.size());
      };
      const auto at = std::ranges::find_if(curve["horizons"], keeps);
      const auto told =
          std::ranges::find_if(curve["actions"], [&action = action](const Record& each) { return each["action"] == action; });
      ASSERT_NE(told, curve["actions"].end());
      EXPECT_EQ((*told)["credited"], delays.size()) << action;
      EXPECT_EQ((*told)["needed_ms"], (*at)["horizon_ms"]) << action;
      EXPECT_GE(curve["advised_ms"], (*at)["horizon_ms"]) << action;
    }
    EXPECT_TRUE(
        std::ranges::any_of(curve["actions"], [&](const Record& each) { return each["needed_ms"] == curve["advised_ms"]; }));
  });
}

// Half of the relative mean difference, over all pairs.
double gini_of(const std::map<std::string, double>& counts) {
  double differences = 0;
  double sum = 0;
  for (const auto& [a, x] : counts) {
    sum += x;
    for (const auto& [b, y] : counts) differences += std::abs(x - y);
  }
  const auto n = static_cast<double>(counts.size());
  return differences / (2 * n * sum);
}

double top_share_of(const std::map<std::string, double>& counts) {
  std::vector<double> sorted;
  double sum = 0;
  for (const auto& [item, count] : counts) sorted.push_back(count), sum += count;
  std::sort(sorted.rbegin(), sorted.rend());
  double top = 0;
  for (std::size_t i = 0; i * 100 < sorted.size(); ++i) top += sorted[i];
  return top / sum;
}

TEST(Profile, is_what_the_log_is_like) {
  support::for_each_seed(3, 20, [](std::uint64_t seed) {
    const SoundLog log(seed);
    std::map<std::string, double> shown;
    std::map<std::string, double> acted;
    std::map<std::string, std::int64_t> first;
    std::map<std::string, double> actions;
    std::set<std::pair<std::string, std::string>> pairs;
    std::set<std::string> items;
    const auto see = [&](const Record& record) {
      const auto ts = record["ts"].get<std::int64_t>();
      const auto at = first.try_emplace(record["user_id"], ts).first;
      at->second = std::min(at->second, ts);
    };
    for (const Record& list : log.lists) {
      see(list);
      for (const std::string item : list["items"]) ++shown[item], items.insert(item);
    }
    for (const Record& action : log.feedback) {
      see(action);
      ++acted[action["item_id"]];
      ++actions[action["user_id"]];
      items.insert(action["item_id"]);
      pairs.emplace(action["user_id"], action["item_id"]);
    }
    const Record profile = examination(log)["profile"];
    EXPECT_EQ(profile["users"], first.size());
    EXPECT_EQ(profile["items"], items.size());
    EXPECT_EQ(profile["lists"], log.lists.size());
    EXPECT_EQ(profile["actions"], log.feedback.size());
    EXPECT_NEAR(profile["density"], static_cast<double>(pairs.size()) / static_cast<double>(first.size() * items.size()),
                1e-12);
    EXPECT_NEAR(profile["actions_per_user"], static_cast<double>(log.feedback.size()) / static_cast<double>(first.size()),
                1e-9);
    double most = 0;
    for (const auto& [user, count] : actions) most = std::max(most, count);
    EXPECT_EQ(profile["actions_per_user_max"], most);
    EXPECT_NEAR(profile["shown"]["gini"], gini_of(shown), 1e-9);
    EXPECT_NEAR(profile["acted"]["gini"], gini_of(acted), 1e-9);
    EXPECT_NEAR(profile["shown"]["top_share"], top_share_of(shown), 1e-12);
    EXPECT_NEAR(profile["acted"]["top_share"], top_share_of(acted), 1e-12);
    std::map<std::int64_t, std::uint64_t> days;
    for (const auto& [user, ts] : first) ++days[ts / 86'400'000 * 86'400'000];
    ASSERT_EQ(profile["new_users"].size(), days.size());
    for (const Record& day : profile["new_users"]) EXPECT_EQ(day[1], days[day[0].get<std::int64_t>()]);
  });
}

}  // namespace
}  // namespace recmeter::doctor
