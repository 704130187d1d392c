#include "file/dump_line.h"

#include <gtest/gtest.h>

#include <string>

namespace recmeter::file {
namespace {

constexpr std::size_t roomy = 1000;

std::string line_with(const std::string& payload) {
  return R"({"topic":"t","partition":3,"offset":17,"tstype":"create","ts":1700000000000,"broker":1,"key":null,"payload":)" +
         payload + "}";
}

std::string payload_of(const std::string& payload, std::size_t payload_max = roomy) {
  DumpLine line;
  EXPECT_EQ(read_dump_line(line_with(payload), payload_max, line), "") << payload;
  return line.payload;
}

std::string fault_of(const std::string& text) {
  DumpLine line;
  return std::string(read_dump_line(text, roomy, line));
}

TEST(DumpLine, says_where_and_when_its_record_was) {
  DumpLine line;
  ASSERT_EQ(read_dump_line(line_with(R"("x")"), roomy, line), "");
  EXPECT_EQ(line.topic, "t");
  EXPECT_EQ(line.partition, 3);
  EXPECT_EQ(line.offset, 17);
  EXPECT_EQ(line.broker_time, EventTime{1'700'000'000'000});
  EXPECT_FALSE(line.tombstone);
  EXPECT_EQ(line.payload, "x");
}

TEST(DumpLine, takes_members_in_any_order_and_passes_over_the_rest) {
  DumpLine line;
  ASSERT_EQ(
      read_dump_line(R"( { "payload" : "p" , "headers":["a","}\"]",null], "x":{"topic":[{}]}, "offset":0, "partition" : 0,)"
                     R"("key":"\"payload\":\"no\"", "topic":"a.b" } )",
                     roomy, line),
      "");
  EXPECT_EQ(line.payload, "p");
  EXPECT_EQ(line.topic, "a.b");
  EXPECT_EQ(line.broker_time, std::nullopt);
}

TEST(DumpLine, has_no_time_where_the_broker_gave_none) {
  DumpLine line;
  ASSERT_EQ(read_dump_line(R"({"topic":"t","partition":0,"offset":0,"tstype":"unknown","ts":0,"payload":""})", roomy, line),
            "");
  EXPECT_EQ(line.broker_time, std::nullopt);
  ASSERT_EQ(read_dump_line(R"({"topic":"t","partition":0,"offset":0,"tstype":"create","ts":-1,"payload":""})", roomy, line),
            "");
  EXPECT_EQ(line.broker_time, std::nullopt);
}

TEST(DumpLine, gives_the_bytes_of_the_payload) {
  using namespace std::string_literals;
  EXPECT_EQ(payload_of(R"("")"), "");
  EXPECT_EQ(payload_of(R"("{\"a\":\"b\\\"c\"}")"), R"({"a":"b\"c"})");
  EXPECT_EQ(payload_of(R"("\b\f\n\r\t\/\\")"), "\b\f\n\r\t/\\");
  EXPECT_EQ(payload_of(R"("\u0000\u001f\u00e9\u20AC")"), "\0\x1f\u00e9\u20AC"s);
  EXPECT_EQ(payload_of(R"("\ud83d\ude00")"), "\U0001F600");
  EXPECT_EQ(payload_of("\"\x80\xff\xc3\""), "\x80\xff\xc3") << "kcat copies what is no UTF-8";
  EXPECT_EQ(payload_of(R"("\ud83d\u0041\udc00")"), "\xed\xa0\xbd"s + "A" + "\xed\xb0\x80") << "stays what no decoder takes";
}

TEST(DumpLine, gives_the_text_of_a_payload_that_is_a_value) {
  EXPECT_EQ(payload_of(R"({"type": "click", "x": [1, "]"]})"), R"({"type": "click", "x": [1, "]"]})");
  EXPECT_EQ(payload_of("17"), "17");
}

TEST(DumpLine, tells_a_missing_value_from_an_empty_one) {
  DumpLine line;
  ASSERT_EQ(read_dump_line(line_with("null"), roomy, line), "");
  EXPECT_TRUE(line.tombstone);
  EXPECT_EQ(line.payload, "");
  ASSERT_EQ(read_dump_line(line_with(R"("")"), roomy, line), "");
  EXPECT_FALSE(line.tombstone);
}

TEST(DumpLine, cuts_a_long_payload_to_a_byte_more_than_is_allowed) {
  EXPECT_EQ(payload_of(R"("abcd")", 4), "abcd");
  EXPECT_EQ(payload_of(R"("abcdefgh")", 4), "abcde");
  EXPECT_EQ(payload_of(R"("ab\ncdefgh")", 4), "ab\ncd");
  EXPECT_EQ(payload_of(R"("\u20ac\u20ac\u20ac")", 4).size(), 5U);
  EXPECT_EQ(payload_of(R"([1,2,3,4])", 4), "[1,2,");
}

TEST(DumpLine, says_what_is_missing) {
  EXPECT_EQ(fault_of(R"({"type":"click","ts":1})"), "it has no `topic`");
  EXPECT_EQ(fault_of(R"({"topic":"t","offset":0,"payload":""})"), "it has no `partition`");
  EXPECT_EQ(fault_of(R"({"topic":"t","partition":-1,"offset":0,"payload":""})"), "it has no `partition`");
  EXPECT_EQ(fault_of(R"({"topic":"t","partition":"0","offset":0,"payload":""})"), "it has no `partition`");
  EXPECT_EQ(fault_of(R"({"topic":"t","partition":0,"payload":""})"), "it has no `offset`");
  EXPECT_EQ(fault_of(R"({"topic":"t","partition":0,"offset":0})"), "it has no `payload`");
  EXPECT_EQ(fault_of(R"({"topic":"t","partition":0,"offset":0,"ts":"now","payload":""})"), "its `ts` is no integer");
  EXPECT_EQ(fault_of(line_with(R"("\x")")), "its `payload` has an unknown escape");
  EXPECT_EQ(fault_of(line_with(R"("\u12g4")")), "its `payload` has an unknown escape");
}

TEST(DumpLine, knows_every_beginning_of_a_line_for_broken) {
  const std::string whole = line_with(R"("{\"a\":[1,2]}")");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(fault_of(whole.substr(0, size)), "it is no JSON object") << whole.substr(0, size);
  }
  for (const char* text : {"[]", "{}x", "nonsense", "{\"topic\":}", "{\"topic\":\"t\",}", "{,}", "{\"a\":]}", "{\"a\":[}"}) {
    EXPECT_NE(fault_of(text), "") << text;
  }
}

}  // namespace
}  // namespace recmeter::file
