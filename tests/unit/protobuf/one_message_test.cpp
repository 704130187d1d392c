// One message type for lists and feedback: what of it is left out is absent. [S2.39]
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>

#include "recmeter/protobuf/program.h"
#include "unit/event/records.h"

namespace recmeter::protobuf {
namespace {

constexpr const char* schema = R"(
syntax = "proto3";
message Event {
  string type = 1;
  int64 ts = 2;
  string user_id = 3;
  string list_id = 4;
  repeated string items = 5;
  string item_id = 6;
  repeated double scores = 7;
  optional int32 position = 8;
  map<string, string> segments = 9;
  repeated string also = 10;
  string recommender = 11;
})";

// A message of texts by their numbers, with a time.
std::string message(std::initializer_list<std::pair<int, std::string_view>> texts) {
  std::string bytes("\x10\x80\x92\xF6\xEF\xCA\x33", 7);  // ts
  for (const auto& [number, text] : texts) {
    bytes += static_cast<char>(number << 3 | 2);
    bytes += static_cast<char>(text.size());
    bytes += text;
  }
  return bytes;
}

DecoderOptions options_of(DecoderOptions options = testing::judging_options()) {
  const SchemaFile file{.name = "event.proto", .text = schema};
  const auto parsed = MessageSchema::of_texts({&file, 1});
  options = testing::shaped(std::move(options));
  options.reader = message_reader(*parsed, *parsed->message("Event"));
  return options;
}

std::string told(std::string_view bytes, const DecoderOptions& options = options_of()) {
  return testing::told(options, bytes);
}

TEST(OneMessage, of_a_click_or_of_a_row_has_no_items) {
  EXPECT_EQ(told(message({{1, "click"}, {3, "u"}, {6, "a"}})),
            R"({"type":"click","ts":1772445600000,"user_id":"u","item_id":"a"})");
  const std::string row = message({{1, "impression"}, {3, "u"}, {4, "l"}, {6, "a"}}) + "\x40\x02";
  EXPECT_EQ(told(row), R"({"type":"impression","ts":1772445600000,"list_id":"l","user_id":"u","item_id":"a","position":2})");
  EXPECT_EQ(told(message({{1, "click"}, {3, "u"}})), "invalid:missing_field");
  EXPECT_EQ(told(message({{1, "click"}, {3, "u"}, {5, "a"}})),
            R"({"type":"click","ts":1772445600000,"user_id":"u","item_id":"a"})");
}

TEST(OneMessage, of_a_list_without_items_is_an_empty_list) {
  EXPECT_EQ(told(message({{1, "impression"}, {3, "u"}, {4, "l"}})),
            R"({"type":"impression","ts":1772445600000,"list_id":"l","user_id":"u"})");
  EXPECT_EQ(told(message({{1, "candidate"}, {3, "u"}, {4, "l"}, {11, "B"}})),
            R"({"type":"candidate","recommender":0,"ts":1772445600000,"list_id":"l","user_id":"u"})");
}

TEST(OneMessage, of_a_list_without_scores_has_none) {
  EXPECT_EQ(told(message({{1, "impression"}, {3, "u"}, {4, "l"}, {5, "a"}})),
            R"({"type":"impression","ts":1772445600000,"list_id":"l","user_id":"u","items":["a"]})");
}

// A double of Protobuf is what JSON writes as NaN, Infinity or null. [S2.11], [S2.37]
TEST(OneMessage, with_scores_that_are_no_numbers_is_as_in_json) {
  const auto with = [](double first) {
    const std::array<double, 2> scores{first, 0.5};
    std::string packed(sizeof scores, '\0');
    std::memcpy(packed.data(), scores.data(), sizeof scores);
    return told(message({{1, "impression"}, {3, "u"}, {4, "l"}, {5, "a"}, {5, "b"}, {7, packed}}));
  };
  const auto in_json = [](const std::string& first) {
    const std::string start =
        R"({"type":"impression","ts":1772445600000,"user_id":"u","list_id":"l","items":["a","b"],"scores":[)";
    return testing::told(testing::judging_options(), start + first + ",0.5]}");
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string without = in_json("null");
  EXPECT_NE(without.find(R"("scores":[null,0.5])"), std::string::npos) << without;
  EXPECT_EQ(with(std::numeric_limits<double>::quiet_NaN()), without);
  EXPECT_EQ(in_json("NaN"), without);
  EXPECT_EQ(with(infinity), "invalid:number_out_of_range");
  EXPECT_EQ(in_json("Infinity"), with(infinity));
  EXPECT_EQ(with(-infinity), in_json("-Infinity"));
  EXPECT_EQ(with(0.25), in_json("0.25"));
}

// Wherever the field table says that items are.
TEST(OneMessage, has_the_first_items_that_there_are) {
  DecoderOptions options = testing::judging_options();
  options.fields.shape = shape_of(options.fields);
  const auto items = static_cast<std::size_t>(Field::items);
  auto& source = *options.fields.shape->common.fields[items];
  FieldSource also = source;
  also.path.front().name = "also";
  source = {.kind = FieldSource::Kind::first, .parts = {source, also}};
  const SchemaFile file{.name = "event.proto", .text = schema};
  const auto parsed = MessageSchema::of_texts({&file, 1});
  options.reader = message_reader(*parsed, *parsed->message("Event"));
  EXPECT_EQ(told(message({{1, "impression"}, {3, "u"}, {4, "l"}, {10, "b"}}), options),
            R"({"type":"impression","ts":1772445600000,"list_id":"l","user_id":"u","items":["b"]})");
  EXPECT_EQ(told(message({{1, "impression"}, {3, "u"}, {4, "l"}}), options),
            R"({"type":"impression","ts":1772445600000,"list_id":"l","user_id":"u"})");
  EXPECT_EQ(told(message({{1, "click"}, {3, "u"}, {6, "a"}}), options),
            R"({"type":"click","ts":1772445600000,"user_id":"u","item_id":"a"})");
}

// Conditions on entries choose none of none, as of any empty list [S2.33].
TEST(OneMessage, of_feedback_whose_conditions_choose_none_is_no_event) {
  DecoderOptions options = options_of();
  options.fields.shape->entries.push_back(
      {.path = options.fields.shape->common.fields[static_cast<std::size_t>(Field::item_id)]->path, .patterns = {}});
  EXPECT_EQ(told(message({{1, "click"}, {3, "u"}}), options), "ignored@1772445600000");
  EXPECT_EQ(told(message({{1, "click"}, {3, "u"}, {6, "a"}}), options),
            R"({"type":"click","ts":1772445600000,"user_id":"u","item_id":"a"})");
}

}  // namespace
}  // namespace recmeter::protobuf
