// Field: the known fields of an event. [S2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recmeter {

enum class Field : std::uint8_t {
  type,
  recommender,
  ts,
  list_id,
  user_id,
  items,
  scores,
  propensities,
  predicted,
  expected,
  teams,
  item_id,
  position,
  score,
  propensity,
  team,
  latency_ms,
  value,
  event_id,
  segments,
};
inline constexpr std::size_t field_count = 20;

[[nodiscard]] std::string_view to_string(Field field) noexcept;

// Fields that are known only where something configured uses them: elsewhere their names are unknown keys.
struct OptionalFields {
  bool teams = false;  // and `team` of rows
  bool latency_ms = false;
  bool recommender = false;  // and candidates
  bool policies = false;     // `predicted` and `expected`, and policies
};

}  // namespace recmeter
