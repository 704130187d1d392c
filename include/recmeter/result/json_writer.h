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

#include "recmeter/base/event_time.h"

namespace recmeter {

class JsonWriter {
 public:
  // `indent`: spaces a level; 0: everything on one line without spaces.
  JsonWriter(std::string& out, std::size_t indent) : out_(out), indent_(indent) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void begin_object(std::string_view name) { key(name), begin_object(); }
  void begin_array(std::string_view name) { key(name), begin_array(); }
  void key(std::string_view name);

  // By its type: what is absent, and a time that is infinite, is null; pairs with a text first are an object, other ranges
  // and a pair of numbers arrays.
  template <class Value>
  void value(const Value& value);
  template <class Value>
  void member(std::string_view name, const Value& value) {
    key(name);
    this->value(value);
  }
  // An array of what `write` makes of each item.
  template <class Items, class Write>
  void array(std::string_view name, const Items& items, Write&& write) {
    begin_array(name);
    for (const auto& item : items) write(item);
    end_array();
  }

  void string(std::string_view text);
  void boolean(bool value);
  void null();
  void number(double value);
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

template <class Value>
void JsonWriter::value(const Value& value) {
  if constexpr (std::same_as<Value, bool>) {
    boolean(value);
  } else if constexpr (std::integral<Value>) {
    integer(value);
  } else if constexpr (std::floating_point<Value>) {
    number(value);
  } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
    string(value);
  } else if constexpr (std::same_as<Value, EventTime>) {
    value == minus_infinity || value == plus_infinity ? null() : integer(value.ms);
  } else if constexpr (requires { value.has_value(); }) {
    value ? this->value(*value) : null();
  } else if constexpr (requires { value.first; }) {
    begin_array();
    this->value(value.first);
    this->value(value.second);
    end_array();
  } else if constexpr (requires { value.begin()->second; }) {
    begin_object();
    for (const auto& [name, text] : value) member(name, text);
    end_object();
  } else {
    begin_array();
    for (const auto& item : value) this->value(item);
    end_array();
  }
}

}  // namespace recmeter
