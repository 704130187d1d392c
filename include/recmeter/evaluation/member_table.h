// MemberTable: which arm of an experiment a shard's users belong to. [S10.3].
//
// A cache line holds three users, in a table at most three quarters full; ids are not kept (UserKey). Thread safety: none;
// owned by one ExperimentTally.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "recmeter/base/fetch_ahead.h"
#include "recmeter/base/user_key.h"

namespace recmeter {

struct Member {
  std::uint8_t arm = 0;
  std::uint8_t zeros = 0;  // zero bits that its hash for sampling begins with; [S10.8]
  bool is_mixed = false;   // another arm was shown to it, too
  std::uint8_t acted = 0;  // a bit for each of PlannedExperiment::acting
};

class MemberTable {
 public:
  // Fetches what find() will look at, ahead of time.
  void prefetch(const UserKey& user) const {
    if (!lines_.empty()) fetch_ahead(&lines_[home(user)]);
  }
  // Null: the user is no member. Valid until the table changes.
  [[nodiscard]] Member* find(const UserKey& user);
  // Requires: the user is no member. Valid until the table changes.
  Member& add(const UserKey& user, const Member& member);
  // Members with fewer zero bits are members no more.
  void keep_from(std::uint8_t zeros);

  [[nodiscard]] std::size_t members() const { return used_; }
  [[nodiscard]] std::size_t memory_bytes() const { return lines_.capacity() * sizeof(Line); }

 private:
  struct Entry {
    static constexpr std::uint8_t nobody = 0xFF;  // in place of an arm

    std::array<std::uint32_t, 4> key{};
    Member member{.arm = nobody};
    [[nodiscard]] bool is_used() const { return member.arm != nobody; }
    [[nodiscard]] UserKey user() const {
      return {.high = std::uint64_t{key[3]} << 32U | key[2], .low = std::uint64_t{key[1]} << 32U | key[0]};
    }
  };
  // Used entries come first.
  struct alignas(64) Line {
    std::array<Entry, 3> entries;
  };
  static_assert(sizeof(Line) == 64);

  // Keys are hashes already.
  [[nodiscard]] std::size_t home(const UserKey& user) const { return user.low & (lines_.size() - 1); }
  // The user's entry, or the free one where it would go. Requires: a free entry.
  [[nodiscard]] Entry& at(const UserKey& user);
  void rebuild(std::size_t lines, std::uint8_t zeros);

  // As many as a power of two; what has no room in a line goes into the next.
  std::vector<Line> lines_;
  std::size_t used_ = 0;
};

}  // namespace recmeter
