// JsonTree: one JSON text as a plain tree that forgets nothing a rule of [S2] asks about.
//
// RFC 8259 in UTF-8: a lone surrogate escape is an error. Besides, NaN, Infinity and -Infinity are numbers, and an integer of
// more than 64 bits is the string of its digits. Kept as they stand: the text of numbers, the order of members and repeated
// keys. Written for the batch evaluator because the JSON
// libraries at hand either refuse numbers beyond a double or forget repeated keys; its tests hold it against one of them.
// Nesting deeper than `json_depth_max` is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter::support {

inline constexpr std::size_t json_depth_max = 1024;

struct JsonMember;

struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  std::string text;  // string: decoded; number and boolean: as it stands
  std::vector<JsonValue> entries;
  std::vector<JsonMember> members;

  // A number without fraction or exponent.
  [[nodiscard]] bool is_integer() const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

// Nothing when `text` is not one whole valid JSON value.
[[nodiscard]] std::optional<JsonValue> parse_json(std::string_view text);

}  // namespace recmeter::support
