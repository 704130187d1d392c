// The same events in every format and packing are the same events. [I3.22].
#include <gtest/gtest.h>

#include <initializer_list>

#include "shapes/decoded.h"
#include "unit/file/packed.h"

namespace recmeter::test {
namespace {

constexpr std::string_view by_name = R"(
inputs:
  - text_numbers: true
    fields: {items: {at: items, split: '|'}, segments: {variant: variant}}
)";
// An input with these lines besides.
std::string in_format(std::initializer_list<std::string_view> lines) {
  std::string yaml(by_name);
  for (const std::string_view line : lines) yaml += "    " + std::string(line) + "\n";
  return yaml;
}

const std::vector<std::string> events{
    R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u, \"1\"","items":["a","b"],"segments":{"variant":"A"}})",
    R"({"type":"click","ts":1700000001000,"user_id":"u, \"1\"","item_id":"a","list_id":"l1","value":2.5})",
    R"({"type":"impression","ts":1700000002000,"list_id":"l2","user_id":"two\nlines","items":["c"]})"};

const std::string json_lines =
    R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u, \"1\"","items":"a|b","variant":"A"})"
    "\n"
    R"({"type":"click","ts":1700000001000,"list_id":"l1","user_id":"u, \"1\"","item_id":"a","value":2.5})"
    "\n"
    R"({"type":"impression","ts":1700000002000,"list_id":"l2","user_id":"two\nlines","items":"c"})"
    "\n";
const std::string csv =
    "type,ts,list_id,user_id,items,item_id,value,variant\r\n"
    "impression,1700000000000,l1,\"u, \"\"1\"\"\",a|b,,,A\r\n"
    "click,1700000001000,l1,\"u, \"\"1\"\"\",,a,2.5,\r\n"
    "impression,1700000002000,l2,\"two\nlines\",c,,,\r\n";
std::string with(std::string text, char from, char to) {
  for (char& c : text) c = c == from ? to : c;
  return text;
}
std::string without_line_ends(std::string lines) {
  std::erase(lines, '\n');
  return lines;
}
// Each member on a line of its own.
std::string over_lines(const std::string& lines) {
  std::string text;
  for (const char c : lines) {
    text += c;
    if (c == '{') text += "\n  ";
  }
  return text;
}
std::string array_of(std::string lines) {
  lines.pop_back();
  return "[\n" + with(std::move(lines), '\n', ',') + "\n]\n";
}

struct Case {
  const char* name;
  std::string yaml;
  std::string log;
};

const Case cases[] = {
    {"json_lines", in_format({"format: jsonl"}), json_lines},
    {"json_lines_recognised", in_format({"format: auto"}), json_lines},
    {"array", in_format({"format: json"}), array_of(json_lines)},
    {"array_recognised", std::string(by_name), array_of(json_lines)},
    {"array_in_a_document", in_format({"format: json", "records: hits.hits"}),
     R"({"took":3,"x":["hits",{"hits":[1]}],"hits":{"total":{"hits":3},"hits":)" + array_of(json_lines) + R"(,"max":"]"}})"},
    {"objects", in_format({"format: json"}), with(json_lines, '\n', ' ')},
    {"objects_recognised", std::string(by_name), without_line_ends(json_lines)},
    {"objects_recognised_over_several_lines", std::string(by_name), over_lines(json_lines)},
    {"objects_after_an_array", in_format({"format: json"}), "[]" + without_line_ends(json_lines)},
    {"csv", in_format({"format: csv"}), csv},
    {"csv_recognised", std::string(by_name), csv},
    {"csv_after_a_mark", std::string(by_name), "\xEF\xBB\xBF" + csv},
    {"csv_without_last_line_end", in_format({"format: csv"}), csv.substr(0, csv.size() - 2)},
    {"csv_with_semicolons", in_format({"format: csv"}),
     "user_id;type;ts;list_id;items;item_id;value;variant\n\"u, \"\"1\"\"\";impression;1700000000000;l1;a|b;;;A\n"
     "\"u, \"\"1\"\"\";click;1700000001000;l1;;a;2.5;\n\n\"two\nlines\";impression;1700000002000;l2;c;;;\n"},
    {"csv_with_other_quotes", in_format({"format: csv", "csv: {quote: \"'\"}"}),
     "user_id,type,ts,list_id,items,item_id,value,variant\n'u, \"1\"',impression,1700000000000,l1,a|b,,,A\n"
     "'u, \"1\"',click,1700000001000,l1,,a,2.5,\n'two\nlines',impression,1700000002000,l2,c,,,\n"},
    {"csv_without_header",
     in_format(
         {"format: csv", "csv: {header: false, columns: [type, ts, list_id, user_id, items, item_id, value, variant]}"}),
     csv.substr(csv.find('\n') + 1)},
};

class SameEvents : public testing::TestWithParam<Case> {};

TEST_P(SameEvents, whatever_the_blocks) {
  for (const std::size_t block :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{7}, std::size_t{64}, std::size_t{1} << 16}) {
    EXPECT_EQ(decoded(GetParam().yaml, GetParam().log, block), events) << block;
  }
}

TEST_P(SameEvents, in_every_packing) {
  EXPECT_EQ(decoded(GetParam().yaml, gzip(GetParam().log), 5), events);
  EXPECT_EQ(decoded(GetParam().yaml, zstd(GetParam().log), 5), events);
}

INSTANTIATE_TEST_SUITE_P(Format, SameEvents, testing::ValuesIn(cases), [](const auto& param) { return param.param.name; });

TEST(Tsv, has_no_quotes) {
  EXPECT_EQ(told("inputs:\n  - fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click}]\n",
                 "t\tu\ti\n1700000000000\t\"u\ta\"b\n"),
            R"({"type":"click","ts":1700000000000,"user_id":"\"u","item_id":"a\"b"})");
}

TEST(Csv, tells_a_row_that_is_none) {
  const std::string yaml =
      "inputs:\n  - format: csv\n    fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click}]\n";
  EXPECT_EQ(told(yaml, "t,u,i\n1700000000000,u\n\"1\"x,u,a\n"), "invalid:not_a_row\ninvalid:not_a_row");
}

TEST(Csv, names_the_row_whose_quote_does_not_close) {
  const std::string yaml =
      "inputs:\n  - format: csv\n    fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click}]\n";
  const auto told = decoded(yaml, "t,u,i\n1700000000000,u,a\n1700000000000,\"u,a\nx,y,z\n");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})");
  EXPECT_NE(told[1].find("ends within quotes that begin in the row at byte 24"), std::string::npos) << told[1];
}

TEST(Csv, of_a_header_alone_has_no_events) {
  EXPECT_EQ(told(std::string(by_name), "type,ts,user_id\n"), "");
}

TEST(Array, that_ends_early_is_told_after_what_came_before) {
  const std::string yaml =
      "inputs:\n  - format: json\n    fields: {ts: t, user_id: u, item_id: i}\n    events: [{type: click}]\n";
  const auto told = decoded(yaml, R"([{"t":1700000000000,"u":"u","i":"a"},{"t":17)");
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})");
  EXPECT_NE(told[1].find("ends within its array; what came before was read"), std::string::npos) << told[1];
}

TEST(Objects, that_are_torn_are_told_and_those_behind_are_read) {
  const std::string yaml = "inputs:\n  - {format: json, fields: {ts: t, user_id: u, item_id: i}, events: [{type: click}]}\n";
  const std::string log = R"({"t":1700000000000,"u":"u","i":"a"})";
  const std::string click = R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})";
  EXPECT_EQ(told(yaml, log + "\n" + log + "," + log), click + "\n" + click + "\n" + click);
  EXPECT_EQ(told(yaml, log + R"("x":["b"]})" + log),
            click + "\ninvalid:not_an_object\ninvalid:not_json\ninvalid:not_json\n" + click);
  EXPECT_EQ(decoded(yaml, log + "]" + log).front(), click);
  EXPECT_NE(told(yaml, log + "]" + log).find("has a bracket that closes nothing"), std::string::npos);
  EXPECT_NE(told(yaml, log + log + R"({"t":17)").find("ends within an object; what came before was read"), std::string::npos);
}

// A document holds its records in an array, whose path is not known.
TEST(Objects, are_several) {
  const std::string yaml = "inputs:\n  - {format: json, fields: {ts: t}, events: [{type: click}]}\n";
  EXPECT_NE(told(yaml, R"({"hits":[{"a":1}]})").find("is an object and no array"), std::string::npos);
  EXPECT_NE(told(yaml, R"({"hits":[{"a":1})").find("is an object that does not end, and no array"), std::string::npos);
}

TEST(Array, that_is_not_there_is_told_with_its_path) {
  const std::string yaml = "inputs:\n  - {format: json, records: hits.hits, fields: {ts: t}, events: [{type: click}]}\n";
  EXPECT_NE(told(yaml, R"({"hits":[1]})").find("`hits.hits`, and holds no such array"), std::string::npos)
      << told(yaml, R"({"hits":[1]})");
  EXPECT_NE(told(yaml, "[1]").find("is an array and no object"), std::string::npos);
  EXPECT_NE(told("inputs:\n  - {format: json}\n", "{\"a\":1}").find("is an object and no array"), std::string::npos);
}

TEST(Array, may_hold_anything_and_come_again) {
  const std::string yaml =
      "inputs:\n  - {format: json, records: r, fields: {ts: t, user_id: u, item_id: i}, events: [{type: click}]}\n";
  EXPECT_EQ(told(yaml, R"({"r":[ 1,"x]" , {"t":1700000000000,"u":"u","i":"a]}\""}, [] ]} {"r":[]}{"r":[null]})"),
            "invalid:not_an_object\ninvalid:not_an_object\n"
            R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a]}\""})"
            "\ninvalid:not_an_object\ninvalid:not_an_object");
}

TEST(Array, cuts_a_value_that_is_too_long_and_goes_on) {
  const std::string yaml =
      "inputs:\n  - {format: json, fields: {ts: t, user_id: u, item_id: i}, events: [{type: click}]}\nlimits: "
      "{message_bytes: 1KiB}\n";
  EXPECT_EQ(told(yaml, "[{\"x\":\"" + std::string(5000, 'x') + R"("},{"t":1700000000000,"u":"u","i":"a"}])"),
            "invalid:too_long\n"
            R"({"type":"click","ts":1700000000000,"user_id":"u","item_id":"a"})");
}

}  // namespace
}  // namespace recmeter::test
