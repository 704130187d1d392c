// FirstActs: when each user first acted on each item: a user's history at a time is what that user acted on before it.
// [S5.46].
//
// Thread safety: none; owned by one shard. Memory: about 56 bytes for each pair of a user and an item, for as long as it
// lives: for bounded runs. Pairs are told apart by 128 bits of their hash, as users are (UserKey).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recmeter/base/event_time.h"
#include "recmeter/base/user_key.h"

namespace recmeter {

class FirstActs {
 public:
  // Requires: what a user does comes in the order of time.
  void add(const UserKey& user, std::string_view item, EventTime ts) { first_.try_emplace(key_of(user, item), ts); }
  // Whether the user had acted on the item before `ts`. Requires: every act before `ts` has been added.
  [[nodiscard]] bool is_before(const UserKey& user, std::string_view item, EventTime ts);

 private:
  struct Hash {
    std::size_t operator()(const UserKey& key) const noexcept { return key.low; }
  };
  [[nodiscard]] const UserKey& key_of(const UserKey& user, std::string_view item);

  std::unordered_map<UserKey, EventTime, Hash> first_;
  std::string bytes_;  // of the pair being looked for
  UserKey key_;
};

}  // namespace recmeter
