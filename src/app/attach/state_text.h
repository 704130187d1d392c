// What a state directory holds, as text for a person and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/live/state_survey.h"

namespace recmeter {

struct StateFacts {
  std::string directory;
  std::uint32_t format = 0;
  std::uint64_t bytes = 0;  // of all its files
  StateSurvey survey;
};

[[nodiscard]] std::string state_text(const StateFacts& facts);
// An object on one line, recmeter.state/1 (docs/outputs.md).
[[nodiscard]] std::string state_json(const StateFacts& facts);

}  // namespace recmeter
