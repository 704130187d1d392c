// FieldTable: where the known fields of an input's records stand, and what its words for types mean. [I3].
//
// The native names are only the default table; the decoder knows no other path to a field than the one given here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

// The known fields of [S2].
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

enum class TimeUnit : std::uint8_t { seconds, milliseconds, microseconds, nanoseconds, rfc3339 };

struct FieldTable {
  // Dotted path of each field split at its dots, e.g. {"user", "id"}. Never empty.
  std::array<std::vector<std::string>, field_count> paths;
  // Paths inside one entry of a basket given as objects; relative to the entry.
  std::vector<std::string> entry_item_id;
  std::vector<std::string> entry_value;
  // The input's word for a type -> ours. A word that is not listed stands for itself.
  std::map<std::string, std::string, std::less<>> types;
  TimeUnit unit = TimeUnit::milliseconds;
  std::int64_t position_base = 1;  // the input's number for the first rank: 0 or 1

  [[nodiscard]] static FieldTable native();
};

}  // namespace recmeter
