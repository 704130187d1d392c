#include "recmeter/result/json_writer.h"

#include <utility>

#include "recmeter/result/render.h"

namespace recmeter {

void JsonWriter::break_line() {
  if (indent_ == 0) return;
  out_.push_back('\n');
  out_.append(depth_ * indent_, ' ');
}

void JsonWriter::before_value() {
  if (std::exchange(after_key_, false)) return;
  if (!std::exchange(first_, false)) out_.push_back(',');
  if (depth_ > 0) break_line();
}

void JsonWriter::begin(char bracket) {
  before_value();
  out_.push_back(bracket);
  ++depth_;
  first_ = true;
}

void JsonWriter::end(char bracket) {
  --depth_;
  if (!std::exchange(first_, false)) break_line();
  out_.push_back(bracket);
}

void JsonWriter::key(std::string_view name) {
  before_value();
  append_json_string(out_, name);
  out_ += indent_ == 0 ? ":" : ": ";
  after_key_ = true;
}

void JsonWriter::string(std::string_view text) {
  before_value();
  append_json_string(out_, text);
}

void JsonWriter::boolean(bool value) {
  before_value();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  out_ += "null";
}

void JsonWriter::number(double value) {
  before_value();
  append_json_number(out_, value);
}

}  // namespace recmeter
