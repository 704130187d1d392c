#include "doctor/profile.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "recmeter/base/event_time.h"

namespace recmeter::doctor {
namespace {

double quotient(double part, double whole) {
  return whole == 0 ? 0 : part / whole;
}

}  // namespace

// Of an ordered series of n values x_i: sum over (2 i - n - 1) x_i, of n times their sum.
Spread spread_of(std::vector<std::uint64_t> counts) {
  std::erase(counts, 0U);
  std::sort(counts.begin(), counts.end());
  Spread spread;
  spread.items = counts.size();
  spread.total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const double n = static_cast<double>(counts.size());
  double weighted = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    weighted += (2 * static_cast<double>(i + 1) - n - 1) * static_cast<double>(counts[i]);
  }
  const auto top = static_cast<std::ptrdiff_t>((counts.size() + 99) / 100);
  const std::uint64_t of_top = std::accumulate(counts.end() - top, counts.end(), std::uint64_t{0});
  spread.gini = quotient(weighted, n * static_cast<double>(spread.total));
  spread.top_share = quotient(static_cast<double>(of_top), static_cast<double>(spread.total));
  return spread;
}

Profile profile_of(const JoinedLog& log, const std::map<double, std::uint64_t>& ratings) {
  Profile profile;
  profile.ratings = ratings;
  const Sample& sample = log.sample();
  struct User {
    std::int64_t first = INT64_MAX;
    std::uint64_t actions = 0;
  };
  std::unordered_map<std::uint64_t, User> users;
  std::vector<std::uint64_t> shown(sample.item_count());
  std::vector<std::uint64_t> acted(sample.item_count());
  std::set<std::pair<std::uint64_t, std::uint32_t>> pairs;
  for (const ShownList& list : log.lists()) {
    if (!sample.has(list.first->user.form)) continue;
    ++profile.lists;
    for (const std::uint32_t item : list.items) shown[item] += item == Sample::no_item ? 0U : 1U;
    if (list.first->nobody) continue;
    User& user = users[list.first->user.raw];
    user.first = std::min(user.first, list.first->ts);
  }
  for (const JoinedAction& joined : log.actions()) {
    const SeenAction& action = *joined.action;
    if (!sample.has(action.user.form)) continue;
    ++profile.actions;
    ++acted[action.item];
    if (action.nobody) continue;
    User& user = users[action.user.raw];
    user.first = std::min(user.first, action.ts);
    ++user.actions;
    pairs.emplace(action.user.raw, action.item);
  }
  std::vector<std::uint64_t> per_user;
  for (const auto& [id, user] : users) {
    per_user.push_back(user.actions);
    profile.new_users[user.first / one_day.ms] += sample.one_in();
  }
  for (std::size_t item = 1; item < shown.size(); ++item) profile.items += shown[item] + acted[item] > 0 ? 1U : 0U;
  profile.shown = spread_of(std::move(shown));
  profile.acted = spread_of(std::move(acted));
  const auto in_sample = static_cast<double>(users.size());
  profile.list_length = quotient(static_cast<double>(profile.shown.total), static_cast<double>(profile.lists));
  profile.density = quotient(static_cast<double>(pairs.size()), in_sample * static_cast<double>(profile.items));
  profile.actions_per_user =
      quotient(static_cast<double>(std::accumulate(per_user.begin(), per_user.end(), std::uint64_t{0})), in_sample);
  if (!per_user.empty()) {
    std::sort(per_user.begin(), per_user.end());
    profile.actions_per_user_median = per_user[per_user.size() / 2];
    profile.actions_per_user_max = per_user.back();
  }
  profile.users = users.size() * sample.one_in();
  profile.lists *= sample.one_in();
  profile.actions *= sample.one_in();
  return profile;
}

}  // namespace recmeter::doctor
