#include "recmeter/event/row_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/event/records.h"

namespace recmeter {
namespace {

// "name=text|name=text" of the columns `wanted` that there are, or the reason.
std::string told(std::string_view header, std::string_view row, const std::vector<std::string>& wanted,
                 const RecordLayout& form = {.text = {}, .delimiter = ',', .quote = '"'},
                 std::vector<std::string> columns = {}) {
  WantedFields fields;
  for (const std::string& name : wanted) fields.members.emplace_back(name, WantedFields{.whole = true, .members = {}});
  RecordBatch batch = testing::batch_of({row});
  auto layout = std::make_shared<RecordLayout>(form);
  layout->text = header;
  if (!header.empty()) batch.layout = layout;
  const auto reader = row_reader(std::move(columns), form)(fields);
  RecordArena arena;
  FieldValue value;
  reader->begin(batch);
  if (const auto reason = reader->read(batch, 0, arena, value)) return std::string(to_string(*reason));
  std::string text;
  EXPECT_TRUE(std::ranges::equal(value.members(), wanted, {}, &FieldMember::key));
  for (const FieldMember& member : value.members()) {
    if (member.value.is_null()) continue;
    text += (text.empty() ? "" : "|") + std::string(member.key) + (member.is_twice ? "!" : "") + "=" +
            std::string(member.value.text());
  }
  return text;
}

const RecordLayout tabs{.text = {}, .delimiter = '\t', .quote = '\0'};

TEST(RowReader, finds_columns_by_their_names_and_numbers) {
  EXPECT_EQ(told("a,b,c", "1,2,3", {"c", "a"}), "c=3|a=1");
  EXPECT_EQ(told("a,b,c", "1,2,3", {"$2", "b"}), "$2=2|b=2");
  EXPECT_EQ(told("", "1,2,3", {"$3", "$1"}), "$3=3|$1=1");
  EXPECT_EQ(told("", "1,2,3", {"y"}, {}, {"x", "y", "z"}), "y=2");
  EXPECT_EQ(told("a,b", "1,2", {"c", "$3", "$0", "$x"}), "");
}

TEST(RowReader, keeps_nothing_of_a_longer_row_before) {
  WantedFields fields;
  for (const char* name : {"$1", "$3"}) fields.members.emplace_back(name, WantedFields{.whole = true, .members = {}});
  const RecordBatch batch = testing::batch_of({"a,b,c", "d"});
  const auto reader = row_reader({}, {})(fields);
  RecordArena arena;
  FieldValue value;
  reader->begin(batch);
  ASSERT_EQ(reader->read(batch, 0, arena, value), std::nullopt);
  EXPECT_EQ(value.members()[1].value.text(), "c");
  ASSERT_EQ(reader->read(batch, 1, arena, value), std::nullopt);
  EXPECT_EQ(value.members()[0].value.text(), "d");
  EXPECT_TRUE(value.members()[1].value.is_null());
}

// The blocks that are looked at together are of 64 bytes.
TEST(RowReader, cuts_rows_of_any_length_where_the_delimiters_are) {
  for (std::size_t first = 0; first < 140; ++first) {
    const std::string a(first, 'a'), b(130 - first % 130, 'b');
    EXPECT_EQ(told("x,y,z", a + "," + b + ",c", {"x", "y", "z"}), "x=" + a + "|y=" + b + "|z=c");
    EXPECT_EQ(told("x,y", "\"" + a + "\"," + b, {"x", "y"}), "x=" + a + "|y=" + b);
    EXPECT_EQ(told("x,y", a + "\xFF," + b, {"x"}), "not_a_row");
    EXPECT_EQ(told("x,y", "\"" + a + "\xFF\"," + b, {"x"}), "not_a_row");
  }
}

TEST(RowReader, marks_a_name_that_two_columns_have) {
  EXPECT_EQ(told("a,a", "1,2", {"a"}), "a!=1");
}

TEST(RowReader, takes_quotes_off) {
  EXPECT_EQ(told("a,b", R"("x,y",2)", {"a", "b"}), "a=x,y|b=2");
  EXPECT_EQ(told("a,b", R"("he said ""no""",2)", {"a"}), R"(a=he said "no")");
  EXPECT_EQ(told("a,b", R"(,"")", {"a", "b"}), "a=|b=");
  EXPECT_EQ(told("a,b", "\"two\nlines\",2", {"a"}), "a=two\nlines");
  EXPECT_EQ(told("a,b", R"(5" disk,2)", {"a"}), R"(a=5" disk)");
  EXPECT_EQ(told(R"("first, last",b)", "1,2", {"first, last"}), "first, last=1");
  EXPECT_EQ(told(R"("a ""b""",c)", "1,2", {"a \"b\""}), "a \"b\"=1");
}

TEST(RowReader, knows_no_quotes_in_tsv) {
  EXPECT_EQ(told("a\tb", "\"x\ty", {"a", "b"}, tabs), "a=\"x|b=y");
}

TEST(RowReader, refuses_rows_that_are_broken) {
  EXPECT_EQ(told("a,b", "1", {"a"}), "not_a_row");
  EXPECT_EQ(told("a,b", "1,2,3", {"a"}), "not_a_row");
  EXPECT_EQ(told("a,b", R"("1,2)", {"a"}), "not_a_row");
  EXPECT_EQ(told("a,b", R"("1"x,2)", {"a"}), "not_a_row");
  EXPECT_EQ(told("a,b", "\xFF,2", {"a"}), "not_a_row");
}

TEST(RowReader, counts_no_columns_where_none_are_named) {
  EXPECT_EQ(told("", "1", {"$1", "$2"}), "$1=1");
}

TEST(Cells, are_the_names_of_a_header) {
  EXPECT_EQ(cells_of(R"(a,"b ""c""",)", {}), (std::vector<std::string>{"a", "b \"c\"", ""}));
  EXPECT_EQ(cells_of("\"a", {}), std::nullopt);
}

}  // namespace
}  // namespace recmeter
