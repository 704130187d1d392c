// FieldResolver: what a shape's sources and conditions come to in a record's value. [I3.20].
//
// Thread safety: none; it keeps what it has made of the record in hand.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/json_parser.h"
#include "recmeter/event/fate.h"
#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/shape.h"

namespace recmeter {

// Room for the text of a value that is none.
using TextRoom = std::array<char, 32>;
// A scalar's text: of a number the shortest that reads back as it, of a time its milliseconds. Nothing: it is no scalar.
[[nodiscard]] std::optional<std::string_view> scalar_text(const FieldValue& value, TextRoom& room);
// The number that a text is, whole and in decimal; else the text.
[[nodiscard]] FieldValue number_in(std::string_view text);
// The same with a comma as decimal mark; a point would separate thousands, and is none.
[[nodiscard]] FieldValue number_with_comma(std::string_view text);

class FieldResolver {
 public:
  // `shape` and `arena` outlive it. `joined_bytes_max`: a longer joined text is replaced by its hash.
  FieldResolver(const Shape& shape, std::size_t joined_bytes_max, RecordArena& arena)
      : shape_(shape), joined_bytes_max_(joined_bytes_max), arena_(arena) {
    for (const std::string& text : shape.absent) absent_bytes_max_ = std::max(absent_bytes_max_, text.size());
  }

  // Another record.
  void begin() {
    embedded_.clear();
    is_twice_ = false;
    uneven_.clear();
    fault_.reset();
  }

  // Null: absent.
  [[nodiscard]] FieldValue find(const FieldSource& source, const FieldValue& from) {
    return source.kind == FieldSource::Kind::path ? find(source.path, from) : make(source, from);
  }
  [[nodiscard]] FieldValue find(const FieldPath& path, const FieldValue& from) {
    FieldValue value = from;
    for (const PathStep& each : path) value = each.kind == PathStep::Kind::name ? member(each, value) : step(each, value);
    return is_absent(value) ? FieldValue() : value;
  }
  [[nodiscard]] bool holds(const std::vector<FieldCondition>& conditions, const FieldValue& from);

  // A text that stands for no value.
  [[nodiscard]] bool is_absent(const FieldValue& value) const {
    return value.kind() == ValueKind::text && value.text().size() <= absent_bytes_max_ &&
           std::ranges::find(shape_.absent, value.text()) != shape_.absent.end();
  }
  // As the shape writes numbers.
  [[nodiscard]] FieldValue number_of(std::string_view text) const {
    return shape_.has_commas ? number_with_comma(text) : number_in(text);
  }
  // Whether since the last call a key on the way was there twice.
  [[nodiscard]] bool take_twice() { return std::exchange(is_twice_, false); }
  // How long lists were since the last call that should be as long as each other, such as "2 and 1 entries"; what was made of
  // them is absent. "": all were.
  [[nodiscard]] std::string take_uneven() { return uneven_.empty() ? std::string() : std::exchange(uneven_, {}); }
  // A text on the way that is read as JSON and is none.
  [[nodiscard]] std::optional<InvalidReason> fault() const { return fault_; }

 private:
  [[nodiscard]] FieldValue member(const PathStep& step, const FieldValue& from) {
    if (from.kind() != ValueKind::object) return {};
    const std::span<const FieldMember> members = from.members();
    const bool is_placed = step.index < members.size() && (step.is_placed || members[step.index].key == step.name);
    const FieldMember* const found =
        is_placed ? &members[step.index] : std::to_address(std::ranges::find(members, step.name, &FieldMember::key));
    if (found == members.data() + members.size()) return {};
    is_twice_ = is_twice_ || found->is_twice;
    return found->value;
  }
  [[nodiscard]] FieldValue make(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue step(const PathStep& step, const FieldValue& from);
  [[nodiscard]] FieldValue entry_that(const PathStep& step, const FieldValue& from) const;
  [[nodiscard]] FieldValue embedded(std::string_view text);
  [[nodiscard]] FieldValue join(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue product(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue zip(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue split(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue written(const FieldSource& source, const FieldValue& from);
  [[nodiscard]] FieldValue split_at(char separator, std::string_view text);
  [[nodiscard]] FieldValue cut(std::string_view entry, std::string_view part);
  [[nodiscard]] static bool matches(const FieldCondition::Pattern& pattern, const FieldValue& value);

  const Shape& shape_;
  std::size_t joined_bytes_max_;
  std::size_t absent_bytes_max_ = 0;  // of texts that stand for no value
  RecordArena& arena_;
  JsonParser parser_;

  // The record in hand.
  std::vector<std::pair<std::string_view, FieldValue>> embedded_;  // texts that were read as JSON
  bool is_twice_ = false;
  std::string uneven_;
  std::optional<InvalidReason> fault_;
  std::string joined_;
  std::vector<FieldValue> entries_;
};

}  // namespace recmeter
