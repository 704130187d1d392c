// FieldValue: a value of a record, or one made of such, whatever the record's encoding. A view of 16 bytes, which travels in
// registers; what it refers to (the record, the arena of its reader) outlives it.
//
// Thread safety: as a value. A value without anything is null, and null counts as absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/event/value_kind.h"

namespace recmeter {

struct FieldMember;

class FieldValue {
 public:
  constexpr FieldValue() : integer_(0), size_and_kind_(static_cast<std::uint64_t>(ValueKind::null)) {}

  [[nodiscard]] static FieldValue of_text(std::string_view text) {
    FieldValue value(ValueKind::text, text.size());
    value.text_ = text.data();
    return value;
  }
  [[nodiscard]] static FieldValue of_integer(std::int64_t integer) {
    FieldValue value(ValueKind::integer, 0);
    value.integer_ = integer;
    return value;
  }
  // As an integer where int64 holds it.
  [[nodiscard]] static FieldValue of_unsigned(std::uint64_t integer) {
    if (integer <= INT64_MAX) return of_integer(static_cast<std::int64_t>(integer));
    FieldValue value(ValueKind::large_integer, 0);
    value.large_integer_ = integer;
    return value;
  }
  [[nodiscard]] static FieldValue of_number(double number) {
    FieldValue value(ValueKind::number, 0);
    value.number_ = number;
    return value;
  }
  [[nodiscard]] static FieldValue of_boolean(bool boolean) {
    FieldValue value(ValueKind::boolean, 0);
    value.boolean_ = boolean;
    return value;
  }
  [[nodiscard]] static FieldValue of_time(EventTime time) {
    FieldValue value(ValueKind::time, 0);
    value.integer_ = time.ms;
    return value;
  }
  [[nodiscard]] static FieldValue of_list(std::span<const FieldValue> entries) {
    FieldValue value(ValueKind::list, entries.size());
    value.entries_ = entries.data();
    return value;
  }
  // A list that is known to hold nothing but texts.
  [[nodiscard]] static FieldValue of_texts(std::span<const FieldValue> entries) {
    FieldValue value = of_list(entries);
    value.size_and_kind_ |= texts_bit;
    return value;
  }
  // Null, of an encoding in which a list that is left out and one without entries are the same bytes.
  [[nodiscard]] static FieldValue of_no_entries() {
    FieldValue value;
    value.size_and_kind_ |= no_entries_bit;
    return value;
  }
  [[nodiscard]] static FieldValue of_object(std::span<const FieldMember> members) {
    FieldValue value(ValueKind::object, members.size());
    value.members_ = members.data();
    return value;
  }

  [[nodiscard]] ValueKind kind() const { return static_cast<ValueKind>(size_and_kind_ & kind_mask); }
  [[nodiscard]] bool is_null() const { return kind() == ValueKind::null; }
  // Each requires its kind; number(): one that is_number().
  [[nodiscard]] std::string_view text() const { return {text_, size()}; }
  [[nodiscard]] std::int64_t integer() const { return integer_; }
  [[nodiscard]] std::uint64_t large_integer() const { return large_integer_; }
  [[nodiscard]] double number() const {
    if (kind() == ValueKind::integer) return static_cast<double>(integer_);
    return kind() == ValueKind::number ? number_ : static_cast<double>(large_integer_);
  }
  [[nodiscard]] bool boolean() const { return boolean_; }
  [[nodiscard]] EventTime time() const { return {integer_}; }
  [[nodiscard]] bool is_texts() const { return (size_and_kind_ & (texts_bit | kind_mask)) == texts; }
  // Of a null: whether it may as well be an empty list.
  [[nodiscard]] bool is_no_entries() const { return (size_and_kind_ & (no_entries_bit | kind_mask)) == no_entries; }
  [[nodiscard]] std::span<const FieldValue> entries() const { return {entries_, size()}; }
  [[nodiscard]] std::span<const FieldMember> members() const;

 private:
  FieldValue(ValueKind kind, std::size_t size)
      : integer_(0), size_and_kind_(std::uint64_t{size} << size_shift | static_cast<std::uint64_t>(kind)) {}
  [[nodiscard]] std::size_t size() const { return size_and_kind_ >> size_shift; }

  static constexpr std::uint64_t kind_mask = 0xFF;
  static constexpr std::uint64_t texts_bit = 0x100;
  static constexpr std::uint64_t texts = texts_bit | static_cast<std::uint64_t>(ValueKind::list);
  static constexpr std::uint64_t no_entries_bit = texts_bit;  // of a null
  static constexpr std::uint64_t no_entries = no_entries_bit | static_cast<std::uint64_t>(ValueKind::null);
  static constexpr int size_shift = 9;

  union {
    const char* text_;
    const FieldValue* entries_;
    const FieldMember* members_;
    std::int64_t integer_;
    std::uint64_t large_integer_;
    double number_;
    bool boolean_;
  };
  std::uint64_t size_and_kind_;
};
static_assert(sizeof(FieldValue) == 16);

struct FieldMember {
  std::string_view key;
  FieldValue value;
  bool is_twice = false;  // the key stands in the record twice; this is the first
};

inline std::span<const FieldMember> FieldValue::members() const {
  return {members_, size()};
}

}  // namespace recmeter
