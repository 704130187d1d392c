// JsonValue: a value of a parsed JSON document, as EventBuilder reads one. It lives as long as the document.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <string_view>

#include "recmeter/event/value_kind.h"

namespace recmeter {

static_assert(static_cast<char>(ValueKind::text) == static_cast<char>(simdjson::dom::element_type::STRING) &&
              static_cast<char>(ValueKind::integer) == static_cast<char>(simdjson::dom::element_type::INT64) &&
              static_cast<char>(ValueKind::large_integer) == static_cast<char>(simdjson::dom::element_type::UINT64) &&
              static_cast<char>(ValueKind::number) == static_cast<char>(simdjson::dom::element_type::DOUBLE) &&
              static_cast<char>(ValueKind::boolean) == static_cast<char>(simdjson::dom::element_type::BOOL) &&
              static_cast<char>(ValueKind::list) == static_cast<char>(simdjson::dom::element_type::ARRAY) &&
              static_cast<char>(ValueKind::object) == static_cast<char>(simdjson::dom::element_type::OBJECT) &&
              static_cast<char>(ValueKind::null) == static_cast<char>(simdjson::dom::element_type::NULL_VALUE));

class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const simdjson::dom::element& element) : element_(element) {}  // NOLINT(google-explicit-constructor): entries are

  [[nodiscard]] ValueKind kind() const { return static_cast<ValueKind>(element_.type()); }
  // Each requires its kind; number(): one that is_number().
  [[nodiscard]] std::string_view text() const { return element_.get_string().value_unsafe(); }
  [[nodiscard]] std::int64_t integer() const { return element_.get_int64().value_unsafe(); }
  [[nodiscard]] std::uint64_t large_integer() const { return element_.get_uint64().value_unsafe(); }
  [[nodiscard]] double number() const { return element_.get_double().value_unsafe(); }
  [[nodiscard]] bool boolean() const { return element_.get_bool().value_unsafe(); }
  [[nodiscard]] simdjson::dom::array entries() const { return element_.get_array().value_unsafe(); }
  [[nodiscard]] simdjson::dom::object members() const { return element_.get_object().value_unsafe(); }

 private:
  simdjson::dom::element element_;
};

}  // namespace recmeter
