// Lists of a shop whose better items stand on top, and clicks of which it is known how likely each rank is looked at: what a
// list got is attractiveness x taste x examination, so taste and attractiveness hide it.
#pragma once

#include <array>
#include <cstdint>

#include "app/examination/show_counts.h"

namespace recmeter::examining {

inline constexpr std::array<double, 5> examination_truth{1, 0.62, 0.45, 0.33, 0.25};

enum class Shown : std::uint8_t {
  random,    // in an order by chance
  ranked,    // best first, the same for all users
  variants,  // best first, with neighbours swapped by two more variants; a user has one of the three
};

struct SimulatedShop {
  Shown shown = Shown::random;
  std::size_t users = 1000;   // with one to six lists each, alike in taste
  double taste_spread = 0.6;  // tastes are 1 - spread to 1 + spread
};

[[nodiscard]] ShowCounts simulated_looks(const SimulatedShop& shop, std::uint64_t seed);

}  // namespace recmeter::examining
