// Why a feedback counts for a list at a horizon, or does not, in words. The outcome itself is the join's.
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "app/explain/explanation.h"

namespace recmeter::explain {

// What the words are about: a list, its rows' delays, what its user did, and the rule.
struct ReasonContext {
  const WatchedList& list;
  const std::vector<ExplainedItem>& items;
  const std::vector<WatchedFeedback>& feedback;  // all that is known, in the order of [S2.26]
  const JoinRule& rule;
};

// Why an event is a duplicate, with the key to set where there is one. `position`: of a row.
[[nodiscard]] std::string duplicate_text(DuplicateReason why, std::uint32_t position);

[[nodiscard]] std::string reason(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon);

// Whether it makes its item a missed one of the list.
[[nodiscard]] bool is_missed(const ReasonContext& context, const WatchedFeedback& feedback, std::size_t horizon);

// The item's first rank, 0: not in the list.
[[nodiscard]] std::uint32_t rank_of(const WatchedList& list, const std::string& item);

}  // namespace recmeter::explain
