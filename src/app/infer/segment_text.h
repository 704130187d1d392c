// The segments of a guess as commented YAML: which of them are arms, and an experiment to fill in.
#pragma once

#include <string>
#include <vector>

#include "app/infer/experiment_guess.h"
#include "app/infer/segment_guess.h"
#include "recmeter/base/event_time.h"

namespace recmeter {

// The experiments of guess_experiments(), and of an arm that has none there when the first list was shown.
struct KnownOfArms {
  EventTime first_list;
  bool joins_by_list = false;  // users are not known
  const ExperimentGuesses* experiments = nullptr;
};

// "": there are no segments.
[[nodiscard]] std::string segments_text(const std::vector<SegmentGuess>& segments, const KnownOfArms& known);

}  // namespace recmeter
