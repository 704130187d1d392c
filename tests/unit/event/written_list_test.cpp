// Lists within texts, as programs write them: the forms of each by hand, and any list written in any form read again.
#include "recmeter/event/written_list.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/dice.h"
#include "support/effort.h"

namespace recmeter {
namespace {

using Texts = std::vector<std::string>;

// Nothing: it is no such list. What is no item is "-".
std::optional<Texts> read(const std::string& text, const std::string& separator = ",") {
  RecordArena arena;
  std::vector<FieldValue> entries;
  if (!append_written_list(text, separator, arena, entries)) return std::nullopt;
  Texts texts;
  for (const FieldValue& entry : entries) {
    texts.emplace_back(entry.kind() == ValueKind::text ? entry.text() : std::string_view("-"));
  }
  return texts;
}

TEST(WrittenList, is_read_as_each_program_writes_it) {
  const Texts three{"a", "b", "c"};
  EXPECT_EQ(read("{a,b,c}"), three) << "Postgres";
  EXPECT_EQ(read(R"({"a","b",c})"), three) << "Postgres, where an entry needs quotes";
  EXPECT_EQ(read("['a', 'b', 'c']"), three) << "Python";
  EXPECT_EQ(read("('a', 'b', 'c')"), three) << "Python, a tuple";
  EXPECT_EQ(read("['a' 'b'\n 'c']", " "), three) << "numpy, texts";
  EXPECT_EQ(read("[1 2  3]", " "), (Texts{"1", "2", "3"})) << "numpy, numbers";
  EXPECT_EQ(read("[a, b, c]"), three) << "Athena, Java";
  EXPECT_EQ(read("(a,b,c)"), three);
  EXPECT_EQ(read("List(a, b, c)"), three) << "Scala";
  EXPECT_EQ(read("a, b, c"), three) << "Kibana";
  EXPECT_EQ(read(R"("a, b, c")"), three) << "Kibana, in quotes that its CSV escaped";
  EXPECT_EQ(read(R"("[a, b, c]")"), three);
  EXPECT_EQ(read("a||b||c", "||"), three);
  EXPECT_EQ(read("a::b::c", "::"), three);
  EXPECT_EQ(read(" [ a , b , c ] "), three);
}

TEST(WrittenList, of_no_entry_or_of_one) {
  for (const char* text : {"", "[]", "{}", "()", "[ ]", "\"\"", "List()"}) EXPECT_EQ(read(text), Texts{}) << text;
  for (const char* text : {"a", "[a]", "{a}", "('a',)", "'a'", "[\"a\"]"}) EXPECT_EQ(read(text), Texts{"a"}) << text;
}

TEST(WrittenList, has_entries_with_what_stands_between_others_in_quotes) {
  EXPECT_EQ(read(R"({"a,b","c ""d""","e\\f"})"), (Texts{"a,b", "c \"d\"", "e\\f"}));
  EXPECT_EQ(read(R"(['it\'s', "b,c"])"), (Texts{"it's", "b,c"}));
  EXPECT_EQ(read("[it's, b]"), (Texts{"it's", "b"}));
}

TEST(WrittenList, says_where_there_is_no_item) {
  EXPECT_EQ(read("{a,NULL,b}"), (Texts{"a", "-", "b"}));
  EXPECT_EQ(read("['a', None, nan, <NA>]"), (Texts{"a", "-", "-", "-"}));
  EXPECT_EQ(read(R"({"NULL"})"), Texts{"NULL"}) << "in quotes it is a text";
  EXPECT_EQ(read("NULL,a"), (Texts{"NULL", "a"})) << "without brackets no program says so";
}

TEST(WrittenList, is_none_where_it_was_cut_or_left_out_or_holds_lists) {
  for (const char* text : {"[a, b", "{a,\"b", "['a', 'b", "[[a, b], [c]]", "[a, ..., z]", "['a'x, 'b']"}) {
    EXPECT_EQ(read(text), std::nullopt) << text;
  }
  EXPECT_EQ(read("[1 2 ... 9]", " "), std::nullopt);
}

TEST(WrittenList, keeps_brackets_that_are_of_entries) {
  EXPECT_EQ(read("f(1),g(2)"), (Texts{"f(1)", "g(2)"}));
  EXPECT_EQ(read("a{,b"), (Texts{"a{", "b"}));
}

TEST(WrittenList, of_any_texts_in_quotes_is_read_again) {
  support::for_each_seed(200, 20'000, [](std::uint64_t seed) {
    support::Dice dice(seed);
    Texts items;
    std::string text = dice.percent(50) ? "[" : "{";
    const char quote = dice.percent(50) ? '"' : '\'';
    const std::size_t count = dice.below(6);
    for (std::size_t i = 0; i < count; ++i) {
      std::string item;
      for (std::size_t size = dice.below(6); size > 0; --size) item += "ab,'\"\\ ]}[{"[dice.below(11)];
      text += i == 0 ? "" : dice.percent(50) ? "," : ", ";
      text += quote;
      for (const char c : item) {
        if (c == quote || c == '\\') text += '\\';
        text += c;
      }
      text += quote;
      items.push_back(item);
    }
    text += text.front() == '[' ? ']' : '}';
    EXPECT_EQ(read(text), items) << text;
  });
}

}  // namespace
}  // namespace recmeter
