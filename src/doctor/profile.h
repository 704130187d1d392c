// Profile: what a data set is like, by the features that Herlocker et al. name (Evaluating collaborative filtering
// recommender systems, ACM TOIS 22(1), 2004, section 3.3). Over the sampled users; counts of users, lists and actions are
// scaled to all. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "doctor/joined_log.h"

namespace recmeter::doctor {

// How evenly a count is spread over items.
struct Spread {
  std::uint64_t items = 0;
  std::uint64_t total = 0;
  double gini = 0;       // 0: all alike
  double top_share = 0;  // of the most frequent 1 % of items, at least one
};

struct Profile {
  std::uint64_t users = 0;
  std::uint64_t lists = 0;
  std::uint64_t actions = 0;
  double list_length = 0;       // mean
  std::uint64_t items = 0;      // shown or acted on; of the sampled users
  double density = 0;           // distinct (user, item) acted on, of users times items
  double actions_per_user = 0;  // mean
  std::uint64_t actions_per_user_median = 0;
  std::uint64_t actions_per_user_max = 0;
  Spread shown, acted;
  std::map<std::int64_t, std::uint64_t> new_users;  // by day since the epoch
  std::map<double, std::uint64_t> ratings;          // of all users
};

// `ratings`: how often each value was given.
[[nodiscard]] Profile profile_of(const JoinedLog& log, const std::map<double, std::uint64_t>& ratings);
[[nodiscard]] Spread spread_of(std::vector<std::uint64_t> counts);

}  // namespace recmeter::doctor
