// Made-up traffic of six surfaces on two days, of users of whom a few look at very many lists: what is planted in the second
// day is known. [S16], docs/why.md.
//
// The number of lists of a user is Pareto distributed with index 1.3, at most 300; a click at rank i has the logit
// -3.4 - 0.12 i, and beside it what the user (N(0, 1)), the surface, the hour of the day and the hour itself add.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "support/batch_interval.h"

namespace recmeter::support {

inline constexpr std::size_t surfaces = 6;
inline constexpr std::array<double, surfaces> surface_shares{0.25, 0.20, 0.15, 0.12, 0.18, 0.10};

enum class Planted : std::uint8_t {
  nothing,
  visits_move,         // from the best surface to the worst
  ranker_of_a_fifth,   // the ranker of one surface gets worse
  ranker_of_a_few,     // of one with 15 % of the lists
  clicks_lost,         // on all surfaces
  clicks_lost_of_few,  // of one with 12 % of the lists
  opposed              // each surface gets better by 4 %, and visits move
};
struct Plant {
  Planted what = Planted::nothing;
  double fall = 0;  // of precision@10 of all lists
};

// A day's traffic.
struct Day {
  std::array<double, surfaces> share = surface_shares;
  std::array<double, surfaces> logit{0.7, 0.2, 0.0, 0.3, -0.4, -1.0};
  std::array<double, surfaces> kept{1, 1, 1, 1, 1, 1};  // clicks that are not lost
  // precision@10 over all users: of a surface, of all lists.
  [[nodiscard]] double expected(std::size_t surface) const;
  [[nodiscard]] double expected() const;
};
// The second day, as strong as makes the fall.
[[nodiscard]] Day planted_day(const Plant& plant);
// Where it is planted: a surface; `surfaces`: nowhere in particular.
[[nodiscard]] std::size_t planted_surface(Planted what);

// Sums of precision@10, by surface, and by a second key that nothing depends on.
inline constexpr std::size_t devices = 3;
struct TrafficSums {
  std::array<GroupSums, surfaces> by_surface{};
  std::array<GroupSums, devices> by_device{};
};
// About so many lists on each day, of the same users.
struct TwoDays {
  TrafficSums before;
  TrafficSums after;
};
[[nodiscard]] TwoDays two_days(const Day& before, const Day& after, std::size_t lists, std::uint64_t seed);

}  // namespace recmeter::support
