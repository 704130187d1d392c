// How sure a share is: Wilson's interval (E. B. Wilson, Probable inference, J. Am. Stat. Assoc. 22, 1927) at 99 %, and what
// it says of a threshold. Pure functions; any thread.
#pragma once

#include <cstdint>

namespace recmeter::doctor {

inline constexpr double sure_z = 2.5758293035489004;    // 99.5 % quantile of the normal distribution
inline constexpr double strict_z = 3.2905267314919255;  // 99.95 %: where one log has many tries, such as its hours

struct Interval {
  double low = 0;
  double high = 1;
};

// Requires: cases <= of. Of nothing: [0, 1].
[[nodiscard]] Interval wilson(std::uint64_t cases, std::uint64_t of, double z = sure_z);

enum class Sureness : std::uint8_t { silent, likely, certain };

inline constexpr std::uint64_t records_min = 20;
inline constexpr std::uint64_t cases_min = 10;

// Likely: the whole interval lies beyond the threshold; certain: beyond twice of it, from 50 % on beyond half of the way
// to 1. Silent below records_min and cases_min.
[[nodiscard]] Sureness above(std::uint64_t cases, std::uint64_t of, double threshold);
// The same downwards; certain: below half of it. `of_min`: fewer are silent.
[[nodiscard]] Sureness below(std::uint64_t cases, std::uint64_t of, double threshold, std::uint64_t of_min = records_min,
                             double z = sure_z);

}  // namespace recmeter::doctor
