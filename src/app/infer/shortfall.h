// Shortfall: why nothing was proposed: which of time, user, item, list and click was not found, the nearest to it and why
// that is none; and a configuration to complete by hand.
#pragma once

#include <string>
#include <vector>

#include "app/infer/configuration_text.h"
#include "app/infer/log_sample.h"
#include "recmeter/base/event_time.h"

namespace recmeter {

// A part of a log that was not found.
struct MissingPart {
  std::string part;     // "time", "user", "item", "list", "click", or "one kind of file" where there are too many
  std::string nearest;  // the nearest candidate and why it was not taken, as a sentence
};

struct Shortfall {
  std::vector<MissingPart> missing;
  // YAML. What users did, for recmeter prequential, where only lists and clicks are missing; else lines with `...` for what
  // is missing.
  std::string by_hand;
  bool is_complete = false;  // `by_hand` is a configuration as it is
};

// For logs of which nothing was made. `inputs`: the samples' kinds.
[[nodiscard]] Shortfall shortfall_of(const std::vector<LogSample>& samples, const std::vector<InputFiles>& inputs,
                                     EventTime now);

}  // namespace recmeter
