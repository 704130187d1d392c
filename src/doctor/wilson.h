// How sure a share is: Wilson's interval (E. B. Wilson, Probable inference, J. Am. Stat. Assoc. 22, 1927) at 99.9 %, and what
// it says of a threshold. Pure functions; any thread.
#pragma once

#include <cstdint>

namespace recmeter::doctor {

struct Interval {
  double low = 0;
  double high = 1;
};

// Requires: cases <= of. Of nothing: [0, 1].
[[nodiscard]] Interval wilson(std::uint64_t cases, std::uint64_t of);

enum class Sureness : std::uint8_t { silent, likely, certain };

inline constexpr std::uint64_t records_min = 200;
inline constexpr std::uint64_t cases_min = 10;

// Likely: the whole interval lies beyond the threshold; certain: beyond twice of it, from 50 % on beyond half of the way
// to 1. Silent below records_min and cases_min.
[[nodiscard]] Sureness above(std::uint64_t cases, std::uint64_t of, double threshold);
// The same downwards; certain: below half of it. `of_min`: fewer are silent.
[[nodiscard]] Sureness below(std::uint64_t cases, std::uint64_t of, double threshold, std::uint64_t of_min = records_min);

}  // namespace recmeter::doctor
