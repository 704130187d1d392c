// The segments of a guess as commented YAML: which of them are arms, and an experiment to fill in.
#pragma once

#include <string>
#include <vector>

#include "app/infer/segment_guess.h"
#include "recmeter/base/event_time.h"

namespace recmeter {

// "": there are none. `first_list`: when the first was shown. `joins_by_list`: users are not known.
[[nodiscard]] std::string segments_text(const std::vector<SegmentGuess>& segments, EventTime first_list, bool joins_by_list);

}  // namespace recmeter
