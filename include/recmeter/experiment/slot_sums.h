// SlotSums: what the lists of one arm add up to for one metric, slot by slot. Exact, so that sums of shards, parts and
// restarts merge to the same bits in any order.
//
// The slot of a user is the top 8 bits of its hash; it is the unit of variance, because the lists of one user are not
// independent (Deng, Knoblich, Lu 2018: Applying the delta method in metric analytics; Deng, Xu, Kohavi, Walker 2013 for the
// columns of the time before). A value; thread safety: none.
#pragma once

#include <array>
#include <cstddef>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

inline constexpr std::size_t experiment_slots = 256;

using SlotColumn = std::array<Int128, experiment_slots>;  // in units of 2^-32

struct SlotSums {
  SlotColumn s{};  // the metric's numerator
  SlotColumn n{};  // its denominator: lists, items shown or users
  // Of the same users' lists before the experiment, added once as a user enters its arm. All 0 without CUPED.
  SlotColumn x{};  // numerator
  SlotColumn p{};  // denominator
  SlotColumn m{};  // users of the arm

  SlotSums& operator+=(const SlotSums& other);
};

[[nodiscard]] Int128 total_of(const SlotColumn& column);
// A multiple of 2^-32 as the nearest double, ties to even.
[[nodiscard]] double from_q32(Int128 sum);

}  // namespace recmeter
