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

[[nodiscard]] Column column_of(const ArrowSchema& schema);

// The value of a row, of which only `wanted` is made where it is an object. Sets `is_text` to false where a text is no UTF-8.
[[nodiscard]] FieldValue value_of(const Column& column, const ArrowArray& array, std::int64_t row, const WantedFields& wanted,
                                  RecordArena& arena, bool& is_utf8);

}  // namespace recmeter::arrow
