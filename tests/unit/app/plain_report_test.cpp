#include <gtest/gtest.h>

#include <string>

#include "app/report/report_page.h"

namespace recmeter {
namespace {

Row row_of(const std::string& metric, const std::string& variant) {
  return {
      .evaluator = "shop",
      .config = "0",
      .window = "minute",
      .start = EventTime{1'700'000'040'000},
      .end = EventTime{1'700'000'100'000},
      .horizon = Duration{1'800'000},
      .segment = {{"variant", variant}},
      .stage = Stage::truncated,
      .revision = {},
      .matured = 0.629,
      .incomplete = {},
      .lists = 12,
      .feedback = {},
      .metrics = {
          {.key = metric, .value = 0.0251, .se = {}, .ci = {{0.0239, 0.0263}}, .given_relevant = {}, .relevant_share = {}},
          {.key = "empty", .value = {}, .se = {}, .ci = {}, .given_relevant = {}, .relevant_share = {}}}};
}

std::string page_of(const std::vector<Row>& rows, const ReportNote& note) {
  std::string page;
  const auto report = plain_report([&](std::string_view text) {
    page += text;
    return Result<void>();
  });
  for (const Row& row : rows) EXPECT_TRUE(report->add("", row));
  EXPECT_TRUE(report->finish(note));
  return page;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(PlainReport, has_a_line_for_each_row_with_its_values_and_how_far_they_can_be_trusted) {
  const std::string page = page_of({row_of("mrr@5", "A"), row_of("mrr@5", "B")}, {"w.jsonl", ""});
  EXPECT_EQ(count_of(page, "<table>"), 1U);
  EXPECT_NE(page.find("<tr><td>minute</td><td>2023-11-14T22:14:00Z</td><td>30m</td><td>variant=A</td><td>truncated</td>"
                      "<td>12</td><td>62%</td><td>0.0251 (0.0239 to 0.0263)</td><td>-</td></tr>"),
            std::string::npos)
      << page;
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(PlainReport, begins_a_table_where_the_metrics_are_others) {
  const std::string page = page_of({row_of("a", ""), row_of("a", ""), row_of("b", "")}, {"w.jsonl", "{}"});
  EXPECT_EQ(count_of(page, "<table>"), 2U);
  EXPECT_EQ(count_of(page, "</table>"), 2U);
  EXPECT_EQ(count_of(page, "<th scope=\"col\">a</th>"), 1U);
  EXPECT_EQ(count_of(page, "<th scope=\"col\">b</th>"), 1U);
}

TEST(PlainReport, takes_nothing_as_markup) {
  const std::string page = page_of({row_of("<b>&\"'", "<img>")}, {"<title>", R"({"name":"<i>"})"});
  for (const char* markup : {"<b>", "<img>", "Rows of <title>", "<i>"})
    EXPECT_EQ(page.find(markup), std::string::npos) << markup;
  EXPECT_NE(page.find("&lt;b&gt;&amp;&quot;&#39;"), std::string::npos);
}

}  // namespace
}  // namespace recmeter
