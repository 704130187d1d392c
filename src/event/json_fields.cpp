#include "event/json_fields.h"

#include <iterator>

namespace recmeter {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// Its size() counts no further than 24 bits.
std::size_t size_of(const auto& range) {
  constexpr std::size_t counted_max = 0xFFFFFF;
  if (range.size() < counted_max) return range.size();
  return static_cast<std::size_t>(std::distance(range.begin(), range.end()));
}

std::string_view own(std::string_view text, RecordArena& arena, Texts texts) {
  return texts == Texts::copied ? arena.copy(text) : text;
}

FieldValue list_of(const simdjson::dom::array& array, const WantedFields& wanted, RecordArena& arena, Texts texts) {
  FieldValue* const entries = arena.room<FieldValue>(size_of(array));
  std::size_t count = 0;
  for (const element entry : array) entries[count++] = field_value_of(entry, wanted, arena, texts);
  return FieldValue::of_list({entries, count});
}

// Whoever reads it looks for keys that are there twice: it may be large.
FieldValue whole_of(const simdjson::dom::object& object, RecordArena& arena, Texts texts) {
  FieldMember* const members = arena.room<FieldMember>(size_of(object));
  std::size_t count = 0;
  for (const auto [key, value] : object) {
    members[count++] = {.key = own(key, arena, texts), .value = field_value_of(value, all_fields, arena, texts)};
  }
  return FieldValue::of_object({members, count});
}

FieldValue wanted_of(const simdjson::dom::object& object, const WantedFields& wanted, RecordArena& arena, Texts texts) {
  const std::size_t count = wanted.members.size();
  FieldMember* const members = arena.room<FieldMember>(count);
  bool* const is_known = arena.room<bool>(count);
  for (std::size_t i = 0; i < count; ++i) {
    members[i] = {.key = wanted.members[i].first, .value = {}};
    is_known[i] = false;
  }
  std::size_t next = 0;  // records are often written in one order
  for (const auto [key, value] : object) {
    const std::size_t place = wanted.find(key, next);
    if (place == count) continue;
    next = place + 1;
    if (is_known[place]) {
      members[place].is_twice = true;
    } else {
      members[place].value = field_value_of(value, wanted.members[place].second, arena, texts);
      is_known[place] = true;
    }
  }
  return FieldValue::of_object({members, count});
}

}  // namespace

FieldValue field_value_of(const element& element, const WantedFields& wanted, RecordArena& arena, Texts texts) {
  switch (element.type()) {
    case element_type::STRING: return FieldValue::of_text(own(element.get_string().value_unsafe(), arena, texts));
    case element_type::INT64: return FieldValue::of_integer(element.get_int64().value_unsafe());
    case element_type::UINT64: return FieldValue::of_unsigned(element.get_uint64().value_unsafe());
    case element_type::DOUBLE: return FieldValue::of_number(element.get_double().value_unsafe());
    case element_type::BOOL: return FieldValue::of_boolean(element.get_bool().value_unsafe());
    case element_type::NULL_VALUE: return {};
    case element_type::ARRAY: return list_of(element.get_array().value_unsafe(), wanted, arena, texts);
    case element_type::OBJECT:
      return wanted.whole ? whole_of(element.get_object().value_unsafe(), arena, texts)
                          : wanted_of(element.get_object().value_unsafe(), wanted, arena, texts);
  }
  return {};
}

}  // namespace recmeter
