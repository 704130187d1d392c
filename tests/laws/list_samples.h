// ListSample: a scored list that owns what it shows, as chance makes it: for the laws of metrics and sums.
#pragma once

#include <cstddef>
#include <vector>

#include "recmeter/join/scored_list.h"
#include "support/dice.h"

namespace recmeter::laws {

struct ListSample {
  std::uint32_t length = 0;
  std::vector<Hit> hits;
  std::vector<GradeCount> missed;
  std::vector<AssignedFeedback> feedback;
  std::vector<std::uint32_t> distinct;  // [i]: distinct items in the first i ranks
  std::size_t group = 0;
  std::uint64_t user = 0;  // of the group
  bool matured = true;

  void take_feedback_away();
  // Valid while the sample lives and stays as it is.
  [[nodiscard]] ScoredList list() const;
};

// Obeys the invariants of ScoredList; grades suit exp2 gains too. Many have no hits, some no items, some only missed items.
[[nodiscard]] ListSample random_sample(support::Dice& dice);
[[nodiscard]] std::vector<ListSample> random_samples(support::Dice& dice, std::size_t count);

}  // namespace recmeter::laws
