#include "recmeter/result/dead_letter.h"

#include <string_view>

#include "recmeter/base/base64.h"
#include "recmeter/base/utf8.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

namespace {

std::string base64(std::string_view bytes) {
  std::string out;
  add_base64(out, bytes);
  return out;
}

void write(JsonWriter& json, std::string_view name, const std::optional<std::string>& content) {
  if (content && !is_utf8(*content)) {
    json.member(std::string(name) + "_base64", base64(*content));
  } else {
    json.member(name, content);
  }
}

}  // namespace

std::size_t bytes_of(const DeadLetter& letter) {
  std::size_t bytes =
      sizeof letter + letter.topic.size() + (letter.key ? letter.key->size() : 0) + (letter.value ? letter.value->size() : 0);
  for (const auto& [name, content] : letter.headers) {
    bytes += sizeof letter.headers[0] + name.size() + (content ? content->size() : 0);
  }
  return bytes;
}

std::string render_json(const DeadLetter& letter) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("schema", "recmeter.dead_letter/1");
  json.member("topic", letter.topic);
  json.member("partition", letter.partition);
  json.member("offset", letter.offset);
  json.member("timestamp", letter.timestamp);
  json.member("fate", to_string(letter.fate));
  json.member("reason", letter.reason);
  write(json, "key", letter.key);
  write(json, "value", letter.value);
  json.begin_array("headers");
  for (const auto& [name, content] : letter.headers) {
    json.begin_object();
    write(json, "name", name);
    write(json, "value", content);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return out;
}

}  // namespace recmeter
