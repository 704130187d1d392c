// JsonWriter: strict JSON, member after member, into a string.
//
// Thread safety: none. The caller keeps begin and end in pairs and gives every member of an object a key; commas, line breaks
// and indentation are the writer's. Keys are written as given: they are ours, or escaped like any text.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recmeter {

class JsonWriter {
 public:
  // `indent`: spaces a level; 0: everything on one line without spaces.
  JsonWriter(std::string& out, std::size_t indent) : out_(out), indent_(indent) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void key(std::string_view name);

  void string(std::string_view text);
  void boolean(bool value);
  void null();
  void number(double value);
  void number(std::optional<double> value);  // absent: null
  template <std::integral Number>
  void integer(Number value) {
    before_value();
    out_ += std::to_string(value);
  }

 private:
  void begin(char bracket);
  void end(char bracket);
  void before_value();
  void break_line();

  std::string& out_;
  const std::size_t indent_;
  std::size_t depth_ = 0;
  bool first_ = true;  // of the innermost object or array
  bool after_key_ = false;
};

}  // namespace recmeter
