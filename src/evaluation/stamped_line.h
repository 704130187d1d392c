// StampedLine: the three columns of a stamped line (recmeter/evaluation/stamped_log.h). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"

namespace recmeter {

inline constexpr std::string_view stamp_magic = "recmeter stamp";
inline constexpr std::uint64_t stamp_format = 3;

struct StampedLine {
  std::optional<std::uint8_t> slot;  // nothing: a summary
  EventTime ts;
  std::string_view base64;
};

[[nodiscard]] std::optional<StampedLine> parse_stamped(std::string_view line);
// Appends a line, with its end, to `to`.
void add_stamped(std::string& to, std::optional<std::uint8_t> slot, EventTime ts, std::string_view bytes);

// By which its events name a partition.
[[nodiscard]] std::uint64_t partition_hash(std::string_view name);
// Of what a line holds.
[[nodiscard]] std::uint64_t stamp_checksum(std::string_view bytes);

}  // namespace recmeter
