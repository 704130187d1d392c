// InvalidRecord: an example of records that are invalid for one reason, and the sentence that quotes it.
#pragma once

#include <string>
#include <string_view>

#include "recmeter/event/invalid_sample.h"

namespace recmeter {

struct InvalidRecord {
  std::string partition;
  InvalidSample sample;
};

// At most 80 characters of a text on one line, without what a terminal might act on; bytes that are no text in hexadecimal.
[[nodiscard]] std::string quoted_text(std::string_view text);
// "wrong_type: `ts` is \"yesterday\"".
[[nodiscard]] std::string fault_text(const InvalidSample& sample);
// "line 17 of log.jsonl is invalid, wrong_type: `ts` is \"yesterday\", in {...}".
[[nodiscard]] std::string sentence_of(const InvalidRecord& record);

}  // namespace recmeter
