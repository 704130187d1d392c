// value_text: a FieldValue as one line, so that tests can compare what readers made.
#pragma once

#include <array>
#include <charconv>
#include <string>

#include "recmeter/event/field_value.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::test {

template <class Number>
std::string number_text(Number number) {
  std::array<char, 40> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

// `wanted`: of an object that is not wanted whole these members alone, in their order, null where there is none.
inline std::string value_text(const FieldValue& value, const WantedFields* wanted = nullptr) {
  switch (value.kind()) {
    case ValueKind::text: return '"' + std::string(value.text()) + '"';
    case ValueKind::integer: return number_text(value.integer());
    case ValueKind::large_integer: return number_text(value.large_integer());
    case ValueKind::number: return number_text(value.number()) + "f";
    case ValueKind::boolean: return value.boolean() ? "true" : "false";
    case ValueKind::time: return "@" + number_text(value.time().ms);
    case ValueKind::null: return "null";
    case ValueKind::list: {
      std::string text = "[";
      for (const FieldValue& entry : value.entries()) text += value_text(entry, wanted) + ",";
      return text + "]";
    }
    case ValueKind::object: break;
  }
  std::string text = "{";
  const auto add = [&](const FieldMember& member, const WantedFields* below) {
    text += std::string(member.key) + (member.is_twice ? "!:" : ":") + value_text(member.value, below) + ",";
  };
  if (wanted == nullptr || wanted->whole) {
    for (const FieldMember& member : value.members()) add(member, nullptr);
    return text + "}";
  }
  for (const auto& [name, below] : wanted->members) {
    FieldMember found{.key = name, .value = {}};
    for (const FieldMember& member : value.members()) {
      if (member.key == name) found = member;
    }
    add(found, &below);
  }
  return text + "}";
}

}  // namespace recmeter::test
