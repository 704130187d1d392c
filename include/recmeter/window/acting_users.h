// ActingUsers: the users of one shard who acted within the trailing period, and on what; it tells what changes from step to
// step. A user counts once for an item, however often it acts on it. Users do not span shards, so changes of all shards add
// up.
//
// Thread safety: none; owned by one shard. Memory is bounded by the pairs of a user and an item of one period.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/interner.h"
#include "recmeter/base/user_key.h"
#include "recmeter/window/trailing_period.h"

namespace recmeter {

// From lists of step `step` on, `change` more users have acted on the item.
struct ActingChange {
  std::int64_t step;
  Interner::Id item;  // Interner::none: on anything
  std::int32_t change;
};

class ActingUsers {
 public:
  explicit ActingUsers(const TrailingPeriod& period);
  ~ActingUsers();
  ActingUsers(ActingUsers&&) noexcept;
  ActingUsers& operator=(ActingUsers&&) noexcept;

  // Requires: acts come in the order of their times.
  void add(const UserKey& user, Interner::Id item, EventTime ts);
  // Tells of the acts that lists at `w` no longer look back on. Requires: every act before `w` has been added.
  void advance(EventTime w);
  // Complete for steps up to the one of the last advance().
  [[nodiscard]] std::vector<ActingChange> take_changes();
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Tables;  // who acted, and who on what
  // Who acted in a step, once each.
  struct Acts {
    std::int64_t step;
    std::vector<UserKey> users;
    std::vector<std::uint64_t> pairs;
  };

  // In the newest step, not in the tables yet.
  struct Added {
    UserKey user;
    Interner::Id item;
    std::uint32_t number = 0;  // of the user
  };

  void take_in();
  std::uint32_t number_of(const UserKey& user);
  void take_pair(std::uint32_t user, Interner::Id item);
  void leave(const Acts& acts);

  TrailingPeriod period_;
  std::unique_ptr<Tables> tables_;
  std::vector<std::uint32_t> free_numbers_;  // of users
  std::deque<Acts> acts_;                    // ascending, those of one period
  std::vector<Added> added_;
  std::vector<ActingChange> changes_;
  std::size_t queued_bytes_ = 0;  // of acts_
};

}  // namespace recmeter
