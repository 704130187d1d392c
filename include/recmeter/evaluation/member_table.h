// MemberTable: which arm of an experiment a shard's users belong to. [S10.3].
//
// A user is looked up once and gets a number; by its number it costs 4 bytes that lie close together. Ids are not kept
// (UserKey): a cache line holds three of the keys, in a table at most three quarters full. Thread safety: none; owned by one
// ExperimentTally.
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
  static constexpr std::uint8_t no_arm = 0xFF;

  std::uint8_t arm = no_arm;  // none: it is no member, but may become one
  std::uint8_t zeros = 0;     // zero bits that its hash for sampling begins with; [S10.8]
  bool is_mixed = false;      // another arm was shown to it, too
  std::uint8_t acted = 0;     // a bit for each of PlannedExperiment::acting
};

class MemberTable {
 public:
  using Number = std::uint32_t;
  static constexpr Number numbers_max = 0xFFFFFF00;
  static constexpr Number none = 0xFFFFFFFF;

  // Of a user that is in the table; else none.
  [[nodiscard]] Number find(const UserKey& user);
  // Requires: the user is not in the table.
  Number add(const UserKey& user, const Member& member);
  // By its number, which stays as long as the table; a reference until one is added.
  [[nodiscard]] Member& at(Number number) { return members_[number]; }
  // Fetch what find() and at() will look at, ahead of time.
  void prefetch(const UserKey& user) const {
    if (!lines_.empty()) fetch_ahead(&lines_[home(user)]);
  }
  void prefetch(Number number) const {
    if (number < members_.size()) fetch_ahead(&members_[number]);
  }
  // Users with fewer zero bits leave the table: they are of no arm.
  void keep_from(std::uint8_t zeros);

  [[nodiscard]] std::size_t users() const { return used_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return lines_.capacity() * sizeof(Line) + members_.capacity() * sizeof(Member);
  }

 private:
  struct Entry {
    std::array<std::uint32_t, 4> key{};
    Number number = none;
    [[nodiscard]] bool is_used() const { return number != none; }
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
  [[nodiscard]] Entry& entry(const UserKey& user);
  // With those that have so many zero bits.
  void rebuild(std::size_t lines, std::uint8_t zeros);

  // As many as a power of two; what has no room in a line goes into the next.
  std::vector<Line> lines_;
  std::size_t used_ = 0;
  std::vector<Member> members_;  // by number; those that have left are never numbered again
};

}  // namespace recmeter
