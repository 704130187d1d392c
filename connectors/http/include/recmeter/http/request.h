// Request: what a client asks for, decoded and checked. A handler sees no other.
//
// A value; any thread. Invariants:
//   (1) `path` begins with a slash and is well-formed UTF-8 without NUL, backslash, empty, "." or ".." segments; a slash in
//       it was a slash in the target, never %2F;
//   (2) names and values of the query are percent-decoded once, '+' is a space; they are well-formed UTF-8 without NUL, names
//       are not empty;
//   (3) header fields are as they came, without line breaks; absent ones are empty, repeated ones joined by ", ".
// What would break them never reaches a handler: the server answers with 400.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter::http {

// The parameters of a target in the order they stand there; a name may come several times.
class Query {
 public:
  struct Parameter {
    std::string name;
    std::string value;
    bool operator==(const Parameter&) const = default;
  };

  Query() = default;
  explicit Query(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  // How often `name` is there; and the first value it has.
  [[nodiscard]] std::size_t count(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> first(std::string_view name) const;

 private:
  std::vector<Parameter> parameters_;
};

enum class Method : std::uint8_t { get, head };

struct Request {
  Method method = Method::get;  // a handler need not look: the server leaves the body out itself
  std::string path = "/";
  Query query;
  std::string accept;
  std::string accept_encoding;
  std::string if_none_match;
  std::string last_event_id;
};

}  // namespace recmeter::http
