// Walk: from value to value over bytes that were written by a schema. Each step says whether the bytes were what they should
// be; after one that were not, nothing is to be had of them.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "avro/node.h"
#include "recmeter/base/text_check.h"
#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/schema_bounds.h"

namespace recmeter::avro {

// Hidden: what code of another library might replace, the compiler may not inline.
class [[gnu::visibility("hidden")]] Walk {
 public:
  // Behind the bytes `readable` more may be looked at. `root`: where the members of the value come to stand.
  explicit Walk(std::string_view bytes, std::size_t readable = 0, std::span<FieldMember> root = {})
      : begin_(bytes.data()),
        at_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        readable_(readable),
        root_(root),
        entries_left_(bytes.size()) {}

  [[nodiscard]] bool skip(const Node& node, std::size_t depth = 0);
  [[nodiscard]] bool read(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth = 0) {
    const Node* type = &node;
    if (type->kind == Kind::either && (!take_branch(node, type) || depth++ == depth_max)) return false;
    if (type->kind == Kind::null) return is_null(value);
    if (type->kind != Kind::text) return read_other(*type, arena, value, depth);
    std::string_view text;
    return take_text(text) && as_text(text, value);
  }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

 private:
  // For the fields of a record: all else takes bytes of its own, or is one of few entries.
  [[nodiscard]] bool pay(std::size_t steps) {
    steps_ += steps;
    return steps_ <= record_steps_max + static_cast<std::size_t>(at_ - begin_);
  }
  [[nodiscard]] bool take(std::int64_t& integer) {
    if (at_ == end_) return false;
    const auto first = static_cast<unsigned char>(*at_);
    if (first >= 0x80) return take_long(integer);
    ++at_;
    integer = static_cast<std::int64_t>(first >> 1U) ^ -static_cast<std::int64_t>(first & 1U);
    return true;
  }
  [[nodiscard]] bool take_long(std::int64_t& integer);
  [[nodiscard]] bool take(std::size_t size, std::string_view& bytes) {
    if (size > left()) return false;
    bytes = {at_, size};
    at_ += size;
    return true;
  }
  [[nodiscard]] bool take_text(std::string_view& text) {
    std::int64_t size = 0;
    return take(size) && size >= 0 && take(static_cast<std::size_t>(size), text);
  }
  template <class Number>
  [[nodiscard]] bool take_float(Number& number);
  // The beginning of a block of a list or a map; 0 entries: there is none any more. `end`: of its bytes; null: not said.
  [[nodiscard]] bool take_block(const Node& node, std::size_t& entries, const char*& end) {
    std::int64_t count = 0;
    if (!take(count)) return false;
    entries = static_cast<std::size_t>(count);
    end = nullptr;
    if (count < 0 && !take_sized_block(count, entries, end)) return false;
    std::size_t& room = node.has_empty_entries ? empties_left_ : entries_left_;
    if (entries > room) return false;
    room -= entries;
    return true;
  }
  [[nodiscard]] bool take_sized_block(std::int64_t count, std::size_t& entries, const char*& end);
  [[nodiscard]] bool is_at_end_of(const char* block) const { return block == nullptr || block == at_; }
  [[nodiscard]] bool take_branch(const Node& node, const Node*& branch) {
    std::int64_t index = 0;
    if (!take(index) || static_cast<std::uint64_t>(index) >= node.below.size()) return false;
    branch = node.below[static_cast<std::size_t>(index)];
    return true;
  }
  [[nodiscard]] bool as_text(std::string_view bytes, FieldValue& value) const {
    value = FieldValue::of_text(bytes);
    return is_text(bytes, bytes.size() + left() + readable_);
  }
  [[nodiscard]] static bool is_null(FieldValue& value) {
    value = {};
    return true;
  }
  [[nodiscard]] bool skip_blocks(const Node& node, std::size_t depth);

  [[nodiscard]] bool read_other(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth);
  [[nodiscard, gnu::flatten]] bool read_record(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth);
  [[nodiscard]] bool read_list(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth);
  [[nodiscard]] bool read_texts(std::size_t count, FieldValue* to);
  [[nodiscard, gnu::noinline]] bool read_long_texts(std::span<FieldValue> texts);
  [[nodiscard]] bool read_map(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth);
  [[nodiscard]] bool read_whole_map(const Node& node, RecordArena& arena, FieldValue& value, std::size_t depth);
  [[nodiscard]] bool read_time(const Node& node, FieldValue& value);
  [[nodiscard]] bool read_decimal(const Node& node, FieldValue& value);

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t readable_;
  std::span<FieldMember> root_;  // members of a record that is the value itself
  std::size_t entries_left_;     // of lists and maps, at a byte or more each
  std::size_t steps_ = 0;
  std::size_t empties_left_ = empty_entries_max;  // of lists whose entries take no bytes
};

}  // namespace recmeter::avro
