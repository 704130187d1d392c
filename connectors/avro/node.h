// Node: a step of a Program: a type of the schema, and what is wanted of its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "recmeter/event/field_value.h"
#include "recmeter/event/schema_bounds.h"

namespace recmeter::avro {

inline constexpr std::size_t depth_max = schema_levels_max;  // of values too
inline constexpr std::size_t empty_entries_max = 1000;

enum class Kind : std::uint8_t {
  null,
  boolean,
  integer,  // int, long
  float32,
  float64,
  text,         // string, bytes
  fixed,        // of `size` bytes
  enumeration,  // of `names`
  list,         // of `below[0]`
  map,          // to `below[0]`, or of `names` to those at their places behind it
  record,       // of `fields`
  either,       // a union of `below`
  time,         // an integer, `per_ms` or `ms_per`
  decimal,      // text or fixed (`size` > 0), with `scale`
};

struct Node {
  // A field of a record, in the order in which they are written.
  struct Field {
    const Node* node = nullptr;
    std::size_t slot = passed_over;  // of its value among the record's members
  };
  static constexpr std::size_t passed_over = static_cast<std::size_t>(-1);

  Kind kind = Kind::null;
  bool is_empty = false;           // its values take no bytes
  bool is_whole = false;           // map: all keys are wanted
  bool has_empty_entries = false;  // list: of such
  std::int64_t per_ms = 1;         // time: units in a millisecond
  std::int64_t ms_per = 1;         // time: or milliseconds in a unit
  std::size_t size = 0;            // fixed, decimal
  std::size_t scale = 0;           // decimal
  std::vector<const Node*> below = {};
  std::vector<Field> fields = {};
  std::vector<std::string> names = {};    // of an enumeration's symbols, a record's members, a map's wanted keys
  std::vector<FieldMember> members = {};  // of a record, without their values
};

struct NodePool {
  std::deque<Node> nodes;
  std::size_t bytes = 0;  // what they take
};

}  // namespace recmeter::avro
