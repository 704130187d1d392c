// PolicyLists: what a lane that judges a policy says of lists that were shown: how likely they were, and how likely its
// recommender would have shown the same. [S14].
//
// Thread safety: none; owned by one shard.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recmeter/evaluation/place_log.h"
#include "recmeter/join/joiner.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/result/report.h"

namespace recmeter {

class PolicyLists {
 public:
  // `places` and `key` outlive this.
  PolicyLists(PlaceLog& places, const JoinKey& key) : places_(places), key_(key) {}

  // Nothing where no policy is known for the list, or a rank has no propensity. Valid until the next call.
  [[nodiscard]] std::optional<ListPolicy> policy_of(const ListView& list);
  // Once for each list: whether it judges the policy, and whether a policy names it.
  void count(const ListView& list);
  [[nodiscard]] const CandidateCounts& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t judged() const { return judged_; }

 private:
  [[nodiscard]] const ListPlace* place_of(const ListView& list);

  PlaceLog& places_;
  const JoinKey& key_;
  std::vector<double> target_;  // of a candidate
  CandidateCounts counts_;
  std::uint64_t judged_ = 0;
};

}  // namespace recmeter
