// DeadLetter: a record that takes no part in the results, as it came and with the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/record_batch.h"

namespace recmeter {

struct DeadLetter {
  std::string topic = {};  // where the record came from
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  Fate fate = Fate::invalid;                // invalid, future or late
  std::string reason = {};                  // of an invalid one its InvalidReason, else its fate
  std::optional<EventTime> timestamp = {};  // when the broker took it
  std::optional<std::string> key = {};
  std::optional<std::string> value = {};
  std::vector<RecordEnvelope::Header> headers = {};
};

// What it takes in memory, about.
[[nodiscard]] std::size_t bytes_of(const DeadLetter& letter);

// One line of JSON, without the newline (docs/outputs.md): texts as they are where they are UTF-8, else in base64 under a
// name that says so.
[[nodiscard]] std::string render_json(const DeadLetter& letter);

}  // namespace recmeter
