// DuplicateReason: why an event is a duplicate of what came before it. The names are what users see in `duplicates` of the
// run report; never renamed. [S3.22], [S9].
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recmeter {

enum class DuplicateReason : std::uint8_t {
  again,        // an equal event came shortly before
  nothing_new,  // a whole impression, all of whose items its list has
  taken,        // a row, another item of whose list holds its position
  shown,        // a row, whose item a whole list shows already
  late_row,     // a row that came when its list was assembled
  full,         // a whole impression with which its list would be longer than limits.list_items
  once,         // feedback of an action that counts once an event id
  line,         // a further line of a basket with the same item
};

inline constexpr std::size_t duplicate_reason_count = 8;

[[nodiscard]] constexpr std::size_t index_of(DuplicateReason reason) noexcept {
  return static_cast<std::size_t>(reason);
}
[[nodiscard]] std::string_view to_string(DuplicateReason reason) noexcept;

}  // namespace recmeter
