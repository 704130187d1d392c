// Column: what a schema says of an array, worked out once, and the value of a row of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recmeter/arrow/arrow_c.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::arrow {

enum class ColumnKind : std::uint8_t {
  other,  // whose values are null
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  text,        // offsets of 32 bits
  large_text,  // of 64
  text_view,
  date_days,
  time,        // a timestamp, or a date in milliseconds: int64 in units of `per_ms` or `ms_per`
  list,        // offsets of 32 bits
  large_list,  // of 64
  fixed_list,
  structure,
};

struct Column {
  ColumnKind kind = ColumnKind::other;
  std::string name;
  std::int64_t per_ms = 1;  // time: units in a millisecond
  std::int64_t ms_per = 1;  // time: milliseconds in a unit
  std::int64_t width = 0;   // fixed_list: entries
  std::vector<Column> children;
  std::vector<Column> dictionary;  // of what the indices stand for; one or none
};

// A column that this does not know is of kind `other`: so is a list without one child, and what is more than 64 levels deep.
[[nodiscard]] Column column_of(const ArrowSchema& schema);

// Whether the array has the buffers and children that its schema says, and children as many rows as it needs of them; how
// long buffers are is not said over this interface.
[[nodiscard]] bool is_array_of(const Column& column, const ArrowArray& array);

// Says whether the array has no value there. Requires: is_array_of() some column.
[[nodiscard]] bool is_null(const ArrowArray& array, std::int64_t row);

// A record that is being read. A few dictionaries of lists of dictionaries make more values than there is memory for.
struct Reading {
  static constexpr std::size_t values_max = 1'000'000;
  bool is_sound =
      true;  // texts are UTF-8, lists and dictionaries have what is referred to, and there are not too many values
  std::size_t values = 0;
  [[nodiscard]] bool may_make(std::size_t count) {
    return is_sound && count <= values_max && (values += count) <= values_max;
  }
};

// The value of a row, of which only `wanted` is made where it is an object. What is not sound is said in `reading`. Requires:
// is_array_of().
[[nodiscard]] FieldValue value_of(const Column& column, const ArrowArray& array, std::int64_t row, const WantedFields& wanted,
                                  RecordArena& arena, Reading& reading);

}  // namespace recmeter::arrow
