#include "recmeter/window/acting_users.h"

#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

std::uint64_t pair_of(std::uint32_t user, Interner::Id item) {
  return std::uint64_t{user} << 32 | item;
}

// A node of a hash map beside its value, and its share of the buckets.
constexpr std::size_t node_bytes = 3 * sizeof(void*);

}  // namespace

void ActingUsers::add(const UserKey& key, Interner::Id item, EventTime ts) {
  const std::int64_t step = period_.step_of(ts);
  if (acts_.empty() || acts_.back().step != step) {
    RECMETER_CHECK(acts_.empty() || acts_.back().step < step, "acts come in the order of their times");
    // Whoever left before this step comes anew.
    advance(ts);
    acts_.push_back({.step = step, .users = {}, .pairs = {}});
  }
  Acts& acts = acts_.back();
  const auto [at, is_new_user] = users_.try_emplace(key, User{.number = 0, .last = step});
  User& user = at->second;
  if (is_new_user) {
    user.number = static_cast<std::uint32_t>(users_.size() - 1);
    if (!free_numbers_.empty()) {
      user.number = free_numbers_.back();
      free_numbers_.pop_back();
    }
    changes_.push_back({TrailingPeriod::counts_from(step), Interner::none, 1});
  }
  if (is_new_user || std::exchange(user.last, step) != step) {
    acts.users.push_back(key);
    queued_bytes_ += sizeof(UserKey);
  }
  const auto [pair, is_new_pair] = pairs_.try_emplace(pair_of(user.number, item), step);
  if (is_new_pair) changes_.push_back({TrailingPeriod::counts_from(step), item, 1});
  if (is_new_pair || std::exchange(pair->second, step) != step) {
    acts.pairs.push_back(pair->first);
    queued_bytes_ += sizeof(std::uint64_t);
  }
}

void ActingUsers::advance(EventTime w) {
  const std::int64_t step = period_.step_of(w);
  for (; !acts_.empty() && period_.counts_until(acts_.front().step) <= step; acts_.pop_front()) leave(acts_.front());
}

// Pairs before users: a pair knows its user by a number that the user's leaving frees.
void ActingUsers::leave(const Acts& acts) {
  const std::int64_t until = period_.counts_until(acts.step);
  for (const std::uint64_t pair : acts.pairs) {
    const auto at = pairs_.find(pair);
    if (at->second != acts.step) continue;
    pairs_.erase(at);
    changes_.push_back({until, static_cast<Interner::Id>(pair), -1});
  }
  for (const UserKey& user : acts.users) {
    const auto at = users_.find(user);
    if (at->second.last != acts.step) continue;
    free_numbers_.push_back(at->second.number);
    users_.erase(at);
    changes_.push_back({until, Interner::none, -1});
  }
  queued_bytes_ -= acts.users.size() * sizeof(UserKey) + acts.pairs.size() * sizeof(std::uint64_t);
}

std::vector<ActingChange> ActingUsers::take_changes() {
  return std::exchange(changes_, {});
}

std::size_t ActingUsers::memory_bytes() const {
  return queued_bytes_ + pairs_.size() * (node_bytes + 2 * sizeof(std::uint64_t)) +
         users_.size() * (node_bytes + sizeof(UserKey) + sizeof(User));
}

}  // namespace recmeter
