#include <gtest/gtest.h>

#include <algorithm>

#include "recmeter/result/render.h"
#include "unit/result/rows.h"

namespace recmeter {
namespace {

// RFC 4180 read back: records of fields.
std::vector<std::vector<std::string>> parse_csv(std::string_view text) {
  std::vector<std::vector<std::string>> records;
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        fields.back() += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      records.push_back(std::move(fields));
      fields = {""};
    } else {
      fields.back() += c;
    }
  }
  return records;
}

TEST(RenderCsv, writes_a_line_per_metric) {
  EXPECT_EQ(
      render_csv_header() + render_csv(test::documented_row()),
      "evaluator,config,window,start,end,start_utc,horizon,segment,stage,matured,incomplete,lists,metric,value,se,"
      "ci_low,ci_high,given_relevant,relevant_share,definition\n"
      "default,9f2c51d07be3a810,minute,1700000040000,1700000100000,2023-11-14T22:14:00Z,30m,\"{\"\"variant\"\":\"\"A\"\"}\","
      "final,1,,1234,precision@10,0.0251,0.0006,0.0239,0.0263,0.11,0.228,\n"
      "default,9f2c51d07be3a810,minute,1700000040000,1700000100000,2023-11-14T22:14:00Z,30m,\"{\"\"variant\"\":\"\"A\"\"}\","
      "final,1,,1234,distinct_items@10,5120,,,,,,\n");
}

TEST(RenderCsv, has_as_many_fields_as_its_header) {
  const std::size_t columns = parse_csv(render_csv_header()).front().size();
  for (const auto& record : parse_csv(render_csv(test::documented_row()))) EXPECT_EQ(record.size(), columns);
}

TEST(RenderCsv, quotes_what_would_break_a_line) {
  Row row = test::bare_row();
  row.evaluator = "a,\"b\"\r\nc";
  row.segment = {{"k", "x,\"y\"\n"}};
  row.stage = Stage::truncated;
  row.matured = 0.5;
  row.incomplete = {"start", "gap"};
  row.metrics = {test::without_interval("m@1", std::nullopt)};
  const auto records = parse_csv(render_csv(row));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0][0], row.evaluator);
  EXPECT_EQ(records[0][7], R"({"k":"x,\"y\"\n"})");
  EXPECT_EQ(records[0][8], "truncated");
  EXPECT_EQ(records[0][9], "0.5");
  EXPECT_EQ(records[0][10], "start;gap");
  EXPECT_EQ(records[0][13], "");
}

TEST(RenderCsv, writes_nothing_for_a_row_without_metrics) {
  EXPECT_EQ(render_csv(test::bare_row()), "");
}

}  // namespace
}  // namespace recmeter
