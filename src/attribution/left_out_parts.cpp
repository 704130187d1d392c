#include "attribution/left_out_parts.h"

#include <algorithm>

namespace recmeter {

SharedGroups shared_groups(const MeanRow& a, const MeanRow& b) {
  SharedGroups out;
  const auto evidence_of = [&](const MeanRow& row) {
    std::size_t evidence = 0;
    for (std::size_t g = 0; row.sums != nullptr && g < user_groups; ++g) {
      if (row.sums->lists[g] > 0) out.held |= std::uint64_t{1} << g;
      evidence += row.sums->evidence[g] > 0 ? 1U : 0U;
    }
    return evidence;
  };
  const std::size_t evidence_a = evidence_of(a);
  out.evidence = std::min(evidence_a, evidence_of(b));
  return out;
}

FactsPair facts_without(const MeanRow& a, const MeanRow& b, std::size_t group) {
  const auto without = [group](const MeanRow& row) { return row.sums ? mean_facts(*row.sums, group) : MeanFacts{}; };
  return {without(a), without(b)};
}

}  // namespace recmeter
