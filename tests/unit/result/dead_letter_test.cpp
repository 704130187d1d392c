// A dead letter as a line of JSON.
#include <gtest/gtest.h>

#include <string>

#include "recmeter/result/dead_letter.h"

namespace recmeter {
namespace {

TEST(DeadLetterJson, has_the_record_and_the_reason) {
  const DeadLetter letter{.topic = "clicks",
                          .partition = 3,
                          .offset = 120,
                          .fate = Fate::invalid,
                          .reason = "missing_field",
                          .timestamp = EventTime{1700000000000},
                          .key = "u1",
                          .value = R"({"type":"click"})",
                          .headers = {{"trace", "7f"}, {"none", std::nullopt}}};
  EXPECT_EQ(render_json(letter),
            R"({"schema":"recmeter.dead_letter/1","topic":"clicks","partition":3,"offset":120,"timestamp":1700000000000,)"
            R"("fate":"invalid","reason":"missing_field","key":"u1","value":"{\"type\":\"click\"}",)"
            R"("headers":[{"name":"trace","value":"7f"},{"name":"none","value":null}]})");
}

TEST(DeadLetterJson, says_what_is_not_there) {
  const DeadLetter letter{.topic = "t", .fate = Fate::late, .reason = "late", .timestamp = std::nullopt};
  EXPECT_EQ(render_json(letter),
            R"({"schema":"recmeter.dead_letter/1","topic":"t","partition":0,"offset":0,"timestamp":null,"fate":"late",)"
            R"("reason":"late","key":null,"value":null,"headers":[]})");
}

TEST(DeadLetterJson, writes_what_is_no_text_in_base64) {
  using namespace std::string_literals;
  const auto value = [](std::string bytes) {
    const DeadLetter letter{.timestamp = std::nullopt, .value = std::move(bytes)};
    const std::string line = render_json(letter);
    const std::size_t at = line.find("\"value");
    return line.substr(at, line.find(",\"headers") - at);
  };
  EXPECT_EQ(value("\xff"s), R"("value_base64":"/w==")");
  EXPECT_EQ(value("\xff\xfe"s), R"("value_base64":"//4=")");
  EXPECT_EQ(value("\xff\xfe\xfd"s), R"("value_base64":"//79")");
  EXPECT_EQ(value("ab\0\xc0\x80"s), R"("value_base64":"YWIAwIA=")") << "an overlong form is no UTF-8";
  EXPECT_EQ(value("gr\xc3\xbc\xc3\x9f\0"s), "\"value\":\"gr\xc3\xbc\xc3\x9f\\u0000\"");
  EXPECT_EQ(value(""), R"("value":"")");
}

}  // namespace
}  // namespace recmeter
