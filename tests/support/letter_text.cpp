#include "support/letter_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "support/parsed_json.h"

namespace recmeter::support {

namespace {

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xffU);
  }
  return out;
}

std::optional<std::string> text_in(const nlohmann::json& object, const std::string& name) {
  if (object.contains(name + "_base64")) return from_base64(object.at(name + "_base64").get<std::string>());
  return object.at(name).is_null() ? std::nullopt : std::optional(object.at(name).get<std::string>());
}

}  // namespace

DeadLetter letter_from(const std::string& line) {
  const nlohmann::json object = parsed_json(line);
  EXPECT_EQ(object.at("schema"), "recmeter.dead_letter/1");
  DeadLetter letter;
  letter.topic = object.at("topic");
  letter.partition = object.at("partition");
  letter.offset = object.at("offset");
  if (!object.at("timestamp").is_null()) letter.timestamp = EventTime{object.at("timestamp").get<std::int64_t>()};
  for (const Fate fate : {Fate::invalid, Fate::future, Fate::late}) {
    if (object.at("fate") == to_string(fate)) letter.fate = fate;
  }
  letter.reason = object.at("reason");
  letter.key = text_in(object, "key");
  letter.value = text_in(object, "value");
  for (const nlohmann::json& header : object.at("headers")) {
    letter.headers.emplace_back(text_in(header, "name").value(), text_in(header, "value"));
  }
  return letter;
}

}  // namespace recmeter::support
