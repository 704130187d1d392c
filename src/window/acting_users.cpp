#include "recmeter/window/acting_users.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

std::uint64_t pair_of(std::uint32_t user, Interner::Id item) {
  return std::uint64_t{user} << 32 | item;
}

struct Hash {
  using is_avalanching = void;
  std::size_t operator()(const UserKey& key) const { return key.low; }
};

struct User {
  std::uint32_t number;
  std::int64_t last;  // the step in which it acted last
};

}  // namespace

// Looked up only.
struct ActingUsers::Tables {
  boost::unordered_flat_map<UserKey, User, Hash> users;
  // By the user's number and the item: the step in which it acted on it last.
  boost::unordered_flat_map<std::uint64_t, std::int64_t> pairs;
};

ActingUsers::ActingUsers(const TrailingPeriod& period) : period_(period), tables_(std::make_unique<Tables>()) {}
ActingUsers::~ActingUsers() = default;
ActingUsers::ActingUsers(ActingUsers&&) noexcept = default;
ActingUsers& ActingUsers::operator=(ActingUsers&&) noexcept = default;

void ActingUsers::add(const UserKey& user, Interner::Id item, EventTime ts) {
  const std::int64_t step = period_.step_of(ts);
  if (acts_.empty() || acts_.back().step != step) {
    RECMETER_CHECK(acts_.empty() || acts_.back().step < step, "acts come in the order of their times");
    // Whoever left before this step comes anew.
    advance(ts);
    acts_.push_back({.step = step, .users = {}, .pairs = {}});
  }
  added_.push_back({.user = user, .item = item});
}

// All users, then all pairs: what is looked up one right after the other is waited for together.
void ActingUsers::take_in() {
  for (Added& act : added_) act.number = number_of(act.user);
  for (const Added& act : added_) take_pair(act.number, act.item);
  added_.clear();
}

// Of a user who acted in the newest step.
std::uint32_t ActingUsers::number_of(const UserKey& key) {
  Acts& acts = acts_.back();
  const auto [at, is_new] = tables_->users.try_emplace(key, User{.number = 0, .last = acts.step});
  User& user = at->second;
  if (is_new) {
    user.number = static_cast<std::uint32_t>(tables_->users.size() - 1);
    if (!free_numbers_.empty()) {
      user.number = free_numbers_.back();
      free_numbers_.pop_back();
    }
    changes_.push_back({TrailingPeriod::counts_from(acts.step), Interner::none, 1});
  }
  if (is_new || std::exchange(user.last, acts.step) != acts.step) {
    acts.users.push_back(key);
    queued_bytes_ += sizeof(UserKey);
  }
  return user.number;
}

void ActingUsers::take_pair(std::uint32_t number, Interner::Id item) {
  Acts& acts = acts_.back();
  const auto [pair, is_new] = tables_->pairs.try_emplace(pair_of(number, item), acts.step);
  if (is_new) changes_.push_back({TrailingPeriod::counts_from(acts.step), item, 1});
  if (is_new || std::exchange(pair->second, acts.step) != acts.step) {
    acts.pairs.push_back(pair->first);
    queued_bytes_ += sizeof(std::uint64_t);
  }
}

void ActingUsers::advance(EventTime w) {
  take_in();
  const std::int64_t step = period_.step_of(w);
  for (; !acts_.empty() && period_.counts_until(acts_.front().step) <= step; acts_.pop_front()) leave(acts_.front());
}

// Pairs before users: a pair knows its user by a number that the user's leaving frees.
void ActingUsers::leave(const Acts& acts) {
  const std::int64_t until = period_.counts_until(acts.step);
  for (const std::uint64_t pair : acts.pairs) {
    const auto at = tables_->pairs.find(pair);
    if (at->second != acts.step) continue;
    tables_->pairs.erase(at);
    changes_.push_back({until, static_cast<Interner::Id>(pair), -1});
  }
  for (const UserKey& user : acts.users) {
    const auto at = tables_->users.find(user);
    if (at->second.last != acts.step) continue;
    free_numbers_.push_back(at->second.number);
    tables_->users.erase(at);
    changes_.push_back({until, Interner::none, -1});
  }
  queued_bytes_ -= acts.users.size() * sizeof(UserKey) + acts.pairs.size() * sizeof(std::uint64_t);
}

std::vector<ActingChange> ActingUsers::take_changes() {
  take_in();
  return std::exchange(changes_, {});
}

std::size_t ActingUsers::memory_bytes() const {
  const auto bytes = [](const auto& table) { return table.bucket_count() * (sizeof(*table.begin()) + 1); };
  return queued_bytes_ + added_.capacity() * sizeof(Added) + bytes(tables_->pairs) + bytes(tables_->users);
}

}  // namespace recmeter
