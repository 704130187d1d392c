// DumpLine: one line of `kcat -J`.
//
// Not read as JSON by a JSON parser, because it may be none: kcat copies payloads that are no UTF-8 as they are, and such a
// record still has a partition, a time and a fate. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter::file {

struct DumpLine {
  std::string topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<EventTime> broker_time;
  bool tombstone = false;
  std::string payload;  // at most `payload_max` + 1 bytes
};

// Reads `line` into `into`, whose buffers are reused. Returns what is wrong with it, "" when nothing is.
[[nodiscard]] std::string_view read_dump_line(std::string_view line, std::size_t payload_max, DumpLine& into);

}  // namespace recmeter::file
