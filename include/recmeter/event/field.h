// Field: the known fields of an event. [S2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recmeter {

enum class Field : std::uint8_t {
  type,
  ts,
  list_id,
  user_id,
  items,
  scores,
  propensities,
  item_id,
  position,
  score,
  propensity,
  value,
  event_id,
  segments,
};
inline constexpr std::size_t field_count = 14;

[[nodiscard]] std::string_view to_string(Field field) noexcept;

}  // namespace recmeter
