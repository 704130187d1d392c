// InvalidSample: an invalid event as a person can find it again: where its record is, and what is wrong there.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/event/fate.h"

namespace recmeter {

struct InvalidSample {
  InvalidReason reason = InvalidReason::not_json;
  std::uint32_t event = 0;  // of its batch
  std::uint64_t line = 0;   // of the file, from 1; 0: it has none, or they are not counted
  std::string field;        // the one at fault; "": the record as a whole
  std::string value;        // its, as it was read; "": it is absent, or there are many
  std::string record;       // its beginning
};

}  // namespace recmeter
