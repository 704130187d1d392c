// The parts of a change without one user group each, left out of both rows at once: what intervals and causes are made of.
// [S16.6]. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "recmeter/attribution/attribution.h"

namespace recmeter {

// The evidence of two rows at once.
struct SharedGroups {
  std::uint64_t held = 0;    // that have a list on either side, a bit each
  std::size_t evidence = 0;  // with evidence: on the side that has fewer
};
// Requires: each row that there is has its sums.
[[nodiscard]] SharedGroups shared_groups(const MeanRow& a, const MeanRow& b);

// Two rows without a group.
[[nodiscard]] FactsPair facts_without(const MeanRow& a, const MeanRow& b, std::size_t group);

// The base of an interval: a value without each group, for which `without(group)` is asked.
template <class Without>
Estimate estimate_without(double value, const SharedGroups& groups, const AttributionRule& rule, const Without& without) {
  LeftOutValues left_out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if ((groups.held >> g & 1) != 0) left_out.add(g, without(g));
  }
  // Where the rule asks for less groups than [S6.16], these are enough.
  left_out.evidence_groups = groups.evidence >= rule.groups_min ? user_groups : 0;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return estimate_left_out(value, left_out, {}, {-infinite, infinite}, rule.confidence);
}

}  // namespace recmeter
