// FieldResolver: what a shape's sources and conditions come to in a record's value. [I3.20].
//
// Thread safety: none; it keeps what it has made of the record in hand.
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/fate.h"
#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/shape.h"

namespace recmeter {

// Room for the text of a value that is none.
using TextRoom = std::array<char, 32>;
// A scalar's text: of a number the shortest that reads back as it, of a time its milliseconds. Nothing: it is no scalar.
[[nodiscard]] std::optional<std::string_view> scalar_text(const FieldValue& value, TextRoom& room);

class FieldResolver {
 public:
  // `shape` and `arena` outlive it. `joined_bytes_max`: a longer joined text is replaced by its hash.
  FieldResolver(const Shape& shape, std::size_t joined_bytes_max, RecordArena& arena)
      : shape_(shape), joined_bytes_max_(joined_bytes_max), arena_(arena) {}

  // Another record.
  void begin() {
    embedded_.clear();
    is_twice_ = false;
    fault_.reset();
  }

  // Null: absent.
  [[nodiscard]] FieldValue find(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue find(const FieldPath& path, FieldValue from);
  [[nodiscard]] bool holds(const std::vector<FieldCondition>& conditions, const FieldValue& from);

  // Whether since the last call a key on the way was there twice.
  [[nodiscard]] bool take_twice() { return std::exchange(is_twice_, false); }
  // A text on the way that is read as JSON and is none.
  [[nodiscard]] std::optional<InvalidReason> fault() const { return fault_; }

 private:
  [[nodiscard]] FieldValue step(const PathStep& step, const FieldValue& from);
  [[nodiscard]] FieldValue entry_that(const PathStep& step, const FieldValue& from) const;
  [[nodiscard]] FieldValue embedded(std::string_view text);
  [[nodiscard]] FieldValue join(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue split(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue cut(std::string_view entry, std::string_view part);
  [[nodiscard]] static bool matches(const FieldCondition::Pattern& pattern, const FieldValue& value);

  const Shape& shape_;
  std::size_t joined_bytes_max_;
  RecordArena& arena_;
  simdjson::dom::parser parser_;

  // The record in hand.
  std::vector<std::pair<std::string_view, FieldValue>> embedded_;  // texts that were read as JSON
  bool is_twice_ = false;
  std::optional<InvalidReason> fault_;
  std::string joined_;
  std::vector<FieldValue> entries_;
};

}  // namespace recmeter
