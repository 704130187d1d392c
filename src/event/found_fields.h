// FoundFields: the fields of one record, wherever its encoding has them. Values live as long as the record.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "recmeter/event/field_table.h"

namespace recmeter {

// Fields are numbered as their paths were given.
template <class Value>
struct FoundFields {
  std::array<Value, field_count> values;  // meaningful where `present`; the first where a key is twice
  std::uint32_t present = 0;              // bit per field: there and not null
  std::uint32_t twice = 0;                // bit per field: a key on the way to it is there twice

  [[nodiscard]] bool has(Field field) const { return (present & field_bit(static_cast<std::size_t>(field))) != 0; }
  [[nodiscard]] bool is_twice(Field field) const { return (twice & field_bit(static_cast<std::size_t>(field))) != 0; }
  // Requires: has(field).
  [[nodiscard]] const Value& operator[](Field field) const { return values[static_cast<std::size_t>(field)]; }

  [[nodiscard]] static constexpr std::uint32_t field_bit(std::size_t field) { return std::uint32_t{1} << field; }
};

}  // namespace recmeter
