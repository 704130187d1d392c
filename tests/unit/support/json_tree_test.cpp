// The tree parser against a library's verdict, and where the two must differ.
#include "support/json_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "support/effort.h"

namespace recmeter::support {
namespace {

TEST(JsonTree, keeps_what_libraries_forget) {
  const auto tree = parse_json(R"({"a":1.50e3,"a":-0,"b":18446744073709551615})");
  ASSERT_TRUE(tree.has_value());
  ASSERT_EQ(tree->members.size(), 3U);
  EXPECT_EQ(tree->members[0].value.text, "1.50e3");
  EXPECT_EQ(tree->members[1].value.text, "-0");
  EXPECT_EQ(tree->members[2].value.text, "18446744073709551615");
}

TEST(JsonTree, keeps_numbers_that_nothing_can_hold) {
  for (const char* text : {"1e999", "-1e999", "NaN", "Infinity", "-Infinity"}) {
    const auto tree = parse_json(std::string("[") + text + "]");
    ASSERT_TRUE(tree.has_value()) << text;
    EXPECT_EQ(tree->entries[0].kind, JsonValue::Kind::number) << text;
    EXPECT_EQ(tree->entries[0].text, text);
    EXPECT_FALSE(tree->entries[0].is_integer()) << text;
  }
  for (const char* text : {"18446744073709551616", "-9223372036854775809"}) {
    const auto tree = parse_json(text);
    ASSERT_TRUE(tree.has_value()) << text;
    EXPECT_EQ(tree->kind, JsonValue::Kind::string) << text;
    EXPECT_EQ(tree->text, text);
  }
}

bool holds_beyond_double(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::number && !std::isfinite(std::strtod(value.text.c_str(), nullptr))) return true;
  return std::ranges::any_of(value.entries, holds_beyond_double) ||
         std::ranges::any_of(value.members, [](const JsonMember& member) { return holds_beyond_double(member.value); });
}

TEST(JsonTree, agrees_with_a_library_on_damaged_texts) {
  const std::string sound =
      R"( {"a":[1,-2.5e+3,0.1E-2,true,false,null,"x\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"],"ü":{"":{}},"é":[]} )";
  ASSERT_TRUE(parse_json(sound).has_value());
  const std::string bytes = "\"\\{}[]:,0123eE+-.u dD8a\x01\x80\xC3\xE2\xED\xF0\xF4\xFF\t\n";
  std::mt19937_64 chance(1);
  std::size_t accepted = 0;
  const std::uint64_t rounds = effort(200'000, 2'000'000);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    std::string text = sound;
    for (std::uint64_t edits = 1 + chance() % 3; edits > 0; --edits) {
      const std::size_t at = chance() % text.size();
      const char byte = bytes[chance() % bytes.size()];
      switch (chance() % 3) {
        case 0: text[at] = byte; break;
        case 1: text.erase(at, 1); break;
        default: text.insert(at, 1, byte);
      }
    }
    const bool expected = nlohmann::json::accept(text);
    accepted += expected ? 1U : 0U;
    // The library takes a byte-order mark, which is not made here, and refuses numbers beyond a double.
    const auto tree = parse_json(text);
    ASSERT_EQ(tree && !holds_beyond_double(*tree), expected) << text;
  }
  EXPECT_GT(accepted, rounds / 200);
}

TEST(JsonTree, decodes_strings_as_the_library_does) {
  const std::string text = R"("\u0041\u00e9\u20ac\ud83d\ude00\u0000é€😀")";
  EXPECT_EQ(parse_json(text)->text, nlohmann::json::parse(text).get<std::string>());
}

}  // namespace
}  // namespace recmeter::support
