// EarlierRatings: whether a user rates an item above the mean of what the user rated before. [S4.27].
//
// Ratings count as multiples of 2^-32 ([S6.8]), and the comparison is one of integers: value * count > sum. So what comes out
// depends on the ratings alone. Thread safety: none; owned by one Joiner. Memory: 64 bytes for each user who rated, for as
// long as it lives: for bounded runs.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "recmeter/base/exact_sum.h"
#include "recmeter/base/user_key.h"

namespace recmeter {

class EarlierRatings {
 public:
  // Files a rating, and says whether it is above the mean of those of the user filed before; the first is not.
  // Requires: |value| < 2^30; ratings of a user come in the order of [S2.26].
  bool add(const UserKey& user, double value);

 private:
  struct Hash {
    std::size_t operator()(const UserKey& key) const noexcept { return key.low; }
  };
  struct Ratings {
    Int128 sum = 0;  // in units of 2^-32
    std::uint64_t count = 0;
  };
  std::unordered_map<UserKey, Ratings, Hash> by_user_;
};

}  // namespace recmeter
