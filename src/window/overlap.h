// What the lists of one window and segment value have in common, pair by pair of user groups: OverlapFacts from the samples
// of its panes. A pure function; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "recmeter/metric/overlap_facts.h"
#include "recmeter/window/list_sample.h"

namespace recmeter {

// Of the top `cutoff` of the lists of all `parts`, or, if those are more than lists_max, of the sample that the parts put
// together would be. Costs at most lists_max lists, and a look at each part.
[[nodiscard]] OverlapFacts overlap_of(std::span<const ListSample* const> parts, std::uint32_t cutoff, std::size_t lists_max);

}  // namespace recmeter
