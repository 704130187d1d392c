// Shape: how records become events where the field table's plain paths do not say enough: values that are made of several,
// lists inside texts, entries that are objects, one record that is several events. [I3.20].
//
// Plain values, checked by whoever fills them; immutable once a decoder has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/event/field.h"
#include "recmeter/event/field_path.h"

namespace recmeter {

// Where a value stands, or how it is made.
struct FieldSource {
  enum class Kind : std::uint8_t {
    path,      // what stands there
    constant,  // this text
    join,      // the texts of all parts with `text` between them; absent where one is
    split,     // the text at `path` cut at each `text` into a list
    written,   // the text at `path` read as a list that a program wrote, with `text` between its entries
    first,     // the first part that is present
    product,   // of the numbers of all parts; absent where one is
    zip,       // of lists that are as long: an object for each place, with the entry of each part as `$1`, `$2`, ...
  };

  Kind kind = Kind::path;
  FieldPath path = {};
  std::string text = {};
  std::string part = {};  // of these: cuts each entry in two at its last occurrence; "": not
  std::vector<FieldSource> parts = {};
  friend bool operator==(const FieldSource&, const FieldSource&) = default;
};

// Whether the value at `path` is as one of the patterns says.
struct FieldCondition {
  struct Pattern {
    enum class Kind : std::uint8_t { equal, prefix, suffix, present, absent };
    Kind kind = Kind::equal;
    std::string text = {};
    friend bool operator==(const Pattern&, const Pattern&) = default;
  };

  FieldPath path;
  std::vector<Pattern> patterns;
  friend bool operator==(const FieldCondition&, const FieldCondition&) = default;
};

// What is known of an entry of `items` that is an object or a split text.
enum class EntryField : std::uint8_t { item_id, position, score, propensity, team, value };
inline constexpr std::size_t entry_field_count = 6;
[[nodiscard]] std::string_view to_string(EntryField field) noexcept;

struct ShapedFields {
  std::array<std::optional<FieldSource>, field_count> fields;  // nothing: dropped
  std::array<std::optional<FieldSource>, entry_field_count> entry;
  std::vector<std::pair<std::string, FieldSource>> segments;  // by key; where there are any, instead of fields[segments]
  friend bool operator==(const ShapedFields&, const ShapedFields&) = default;
};

// A record of which all conditions hold makes an event of this type.
struct EventRule {
  std::string type;  // "impression" or an action
  std::vector<FieldCondition> when;
  std::vector<FieldCondition> entries;  // of `items` those count of which all hold
  ShapedFields fields;
  friend bool operator==(const EventRule&, const EventRule&) = default;
};

struct Shape {
  FieldPath root;                       // where the record proper stands; may be empty
  ShapedFields common;                  // of records without rules; its `ts` is that of records that no rule takes
  std::vector<FieldCondition> entries;  // of records without rules
  std::vector<EventRule> rules;         // each that matches makes an event; without any, `type` says what a record is
  std::vector<std::string> absent;      // texts that stand for no value
  bool text_numbers = false;            // whether "17" is a number where one is asked for
  bool has_commas = false;              // as decimal marks of numbers and times in texts, instead of points
  friend bool operator==(const Shape&, const Shape&) = default;
};

// Says whether the events of a record may have different times: a rule has another `ts` than the others.
[[nodiscard]] bool has_own_times(const Shape& shape);

}  // namespace recmeter
