#include "event/json_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "event/word_table.h"

namespace recmeter {
namespace {

TEST(WordTable, knows_its_words_and_no_others_also_where_they_look_alike) {
  // Equal length, first and last byte: one bucket.
  const WordTable table({"item_id", "itam_id", "itum_id", "", "i"});
  EXPECT_EQ(table.find("item_id"), 0);
  EXPECT_EQ(table.find("itam_id"), 1);
  EXPECT_EQ(table.find("itum_id"), 2);
  EXPECT_EQ(table.find(""), 3);
  EXPECT_EQ(table.find("i"), 4);
  EXPECT_EQ(table.find("itxm_id"), WordTable::none);
  EXPECT_EQ(table.find("item_i"), WordTable::none);
}

TEST(JsonPaths, lets_a_path_end_where_another_goes_on_and_two_end_together) {
  const std::vector<std::vector<std::string>> names{{"a"}, {"a", "b"}, {"a", "b"}, {"c"}};
  const JsonPaths paths(names);
  simdjson::dom::parser parser;
  const simdjson::padded_string json(std::string(R"({"a":{"b":7,"c":1},"b":8,"c":null})"));
  FoundFields<JsonValue> found;
  paths.find(parser.parse(json).get_object().value_unsafe(), found);
  EXPECT_EQ(found.present, 0b0111U);
  EXPECT_EQ(found.twice, 0U);
  EXPECT_EQ(found.values[0].kind(), ValueKind::object);
  EXPECT_EQ(found.values[1].integer(), 7);
  EXPECT_EQ(found.values[2].integer(), 7);
}

TEST(JsonPaths, keeps_the_first_of_two_and_says_which_fields_are_there_twice) {
  const std::vector<std::vector<std::string>> names{{"a", "x"}, {"a", "y"}, {"b"}};
  const JsonPaths paths(names);
  simdjson::dom::parser parser;
  const simdjson::padded_string json(std::string(R"({"b":1,"a":{"x":1},"a":{"x":2,"y":3}})"));
  FoundFields<JsonValue> found;
  paths.find(parser.parse(json).get_object().value_unsafe(), found);
  EXPECT_EQ(found.present, 0b101U);
  EXPECT_EQ(found.twice, 0b011U);
  EXPECT_EQ(found.values[0].integer(), 1);
}

}  // namespace
}  // namespace recmeter
