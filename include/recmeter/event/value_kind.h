// ValueKind: what a value of a record is, in every encoding.
#pragma once

#include <cstdint>

namespace recmeter {

// Numbered as the JSON parser does it, so that its values need no table.
enum class ValueKind : std::uint8_t {
  text = '"',
  integer = 'l',        // that int64 holds
  large_integer = 'u',  // beyond, that uint64 holds
  number = 'd',         // with a fraction or an exponent, or beyond
  boolean = 't',
  list = '[',
  object = '{',
  null = 'n',
  time = 'T',  // of an encoding that types its times; JSON has none
};

[[nodiscard]] constexpr bool is_number(ValueKind kind) {
  return kind == ValueKind::integer || kind == ValueKind::large_integer || kind == ValueKind::number;
}

}  // namespace recmeter
