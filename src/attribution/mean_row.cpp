#include "recmeter/attribution/mean_row.h"

namespace recmeter {

MeanFacts mean_facts(const GroupSums& sums, std::optional<std::size_t> without) {
  Int128 total = 0;
  std::uint64_t lists = 0;
  std::uint64_t evidence = 0;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (g == without) continue;
    total += sums.value[g];
    lists += sums.lists[g];
    evidence += sums.evidence[g];
  }
  MeanFacts facts{.lists = lists, .value = {}, .relevant_share = {}, .given_relevant = {}};
  if (lists == 0) return facts;
  facts.value = mean_of_q32(total, lists);
  facts.relevant_share = share_of(evidence, lists);
  if (evidence > 0) facts.given_relevant = mean_of_q32(total, evidence);
  return facts;
}

}  // namespace recmeter
