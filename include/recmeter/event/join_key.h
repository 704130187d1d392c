// JoinKey: whose timeline an event belongs to. [S4].
//
// A user's events share the user's timeline; those of nobody (a placeholder id, or every event under `key: list`) share the
// timeline of their list id. Feedback of nobody without a list id belongs to the timeline of the empty list id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"

namespace recmeter {

struct JoinKey {
  enum class By : std::uint8_t { user, list };
  By by = By::user;
  std::set<std::string, std::less<>> not_users;

  [[nodiscard]] bool is_nobody(std::string_view user_id) const {
    return by == By::list || user_id.empty() || not_users.contains(user_id);
  }
};

// XXH3-64 with seed 0 of the UTF-8 bytes. The top 6 bits are a user's group for intervals, the top 8 its slot.
[[nodiscard]] std::uint64_t hash_id(std::string_view id) noexcept;

// Slots divide the key space among shards and parts.
inline constexpr std::size_t slot_count = 256;
[[nodiscard]] constexpr std::uint8_t slot_of(std::uint64_t key_hash) {
  return static_cast<std::uint8_t>(key_hash >> 56);
}

// Draws lists by chance, independent of their users: XXH3-64 of the list id with the list's time in milliseconds as seed, so
// that an id used again draws again.
[[nodiscard]] std::uint64_t hash_list(std::string_view list_id, EventTime ts) noexcept;

// Draws users by chance, independent of their slots: XXH3-64 with seed 1 of the user's id.
[[nodiscard]] std::uint64_t hash_to_sample(std::string_view user_id) noexcept;

}  // namespace recmeter
