// joined: what reading all of a log in one run tells, of what reading its partitions apart has told. [S11.7], [S11.8].
#pragma once

#include <span>

#include "recmeter/evaluation/sealed_sink.h"

namespace recmeter {

// Of any number of summaries, in any order and grouping; each names the places of its partitions. Those of stamps have no
// counts. Requires: at least one, none of them ended before its partitions did, and no partition or key is in two.
[[nodiscard]] PartSummary joined(std::span<const PartSummary> summaries);

}  // namespace recmeter
