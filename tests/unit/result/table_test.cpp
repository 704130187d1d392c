#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "recmeter/result/render.h"
#include "result/table_cells.h"
#include "unit/result/rows.h"

namespace recmeter {
namespace {

using test::bare_row;
using test::with_interval;
using test::without_interval;

constexpr std::int64_t minute = 60'000;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Three windows of the whole and two variants, six metrics.
std::vector<Row> traffic() {
  std::vector<Row> rows;
  for (int w = 0; w < 3; ++w) {
    for (const std::string variant : {"", "A", "B"}) {
      Row row = bare_row();
      row.start.ms += w * minute;
      if (!variant.empty()) row.segment = {{"variant", variant}};
      row.lists = variant.empty() ? 1234 : 617;
      row.metrics = {with_interval("precision@10", 0.0251, 0.0239, 0.0263), with_interval("hit_rate@10", 0.203, 0.192, 0.216),
                     with_interval("mrr@10", 0.0912, 0.0841, 0.0990),       with_interval("map_list@10", 0.07, 0.066, 0.0767),
                     with_interval("ndcg_list@10", 0.11, 0.1055, 0.1198),   without_interval("distinct_items@10", 5120)};
      rows.push_back(row);
    }
  }
  return rows;
}

TEST(RenderTable, shows_a_line_per_start_and_segment) {
  Row whole = bare_row();
  whole.metrics = {with_interval("precision@10", 0.0251, 0.0239, 0.0263), without_interval("distinct_items@10", 5120)};
  Row variant = whole;
  variant.segment = {{"variant", "A"}};
  variant.lists = 7;
  variant.metrics[0] = without_interval("precision@10", 0.5);
  variant.metrics[1] = without_interval("distinct_items@10", std::nullopt);
  EXPECT_EQ(render_table(std::vector{whole, variant}, 80, false),
            "window minute, horizon 30m, starts in UTC\n"
            "start       segment    lists            precision@10  distinct_items@10\n"
            "2026-01-01  all           10  0.0251 [0.0239 0.0263]               5120\n"
            "2026-01-01  variant=A      7  0.5000                                  -\n"
            "\n"
            "[low high]  confidence interval\n");
}

TEST(RenderTable, never_exceeds_the_width_where_the_fixed_columns_fit) {
  for (std::size_t width = 45; width < 220; ++width) {
    for (const std::string& line : lines_of(render_table(traffic(), width, false))) {
      ASSERT_LE(text_width(line), width) << line;
    }
  }
}

TEST(RenderTable, names_every_column_it_leaves_out) {
  const std::vector<Row> rows = traffic();
  for (std::size_t width = 40; width < 220; width += 5) {
    const std::string text = render_table(rows, width, false);
    const auto lines = lines_of(text);
    const std::size_t left_out = text.find("Too wide to show");
    for (const MetricValue& metric : rows.front().metrics) {
      const bool shown = holds(lines[1], metric.key);
      const bool named = left_out != std::string::npos && holds(text.substr(left_out), metric.key);
      EXPECT_NE(shown, named) << metric.key << " at " << width;
    }
  }
  EXPECT_TRUE(holds(render_table(traffic(), 80, false), "--format jsonl"));
}

TEST(RenderTable, prefers_more_metrics_to_both_bounds) {
  EXPECT_TRUE(holds(render_table(traffic(), 200, false), "0.0251 [0.0239 0.0263]"));
  EXPECT_TRUE(holds(render_table(traffic(), 120, false), "0.0251 ±0.0012"));
}

TEST(RenderTable, knows_no_bound_at_width_zero) {
  const std::string text = render_table(traffic(), 0, false);
  EXPECT_TRUE(holds(text, "distinct_items@10"));
  EXPECT_FALSE(holds(text, "Too wide"));
}

TEST(RenderTable, keeps_blocks_of_window_and_horizon_together) {
  std::vector<Row> rows;
  for (const std::string window : {"minute", "hour", "minute"}) {
    for (const std::int64_t horizon : {30 * minute, 60 * minute}) {
      rows.push_back(bare_row());
      rows.back().window = window;
      rows.back().horizon = {horizon};
    }
  }
  std::vector<std::string> titles;
  for (const std::string& line : lines_of(render_table(rows, 80, false))) {
    if (line.starts_with("window")) titles.push_back(line.substr(0, line.rfind(',')));
  }
  EXPECT_EQ(titles, (std::vector<std::string>{"window minute, horizon 30m", "window minute, horizon 1h",
                                              "window hour, horizon 30m", "window hour, horizon 1h"}));
}

TEST(RenderTable, drops_no_row_of_a_long_table) {
  std::vector<Row> rows(5000, bare_row());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].start.ms += static_cast<std::int64_t>(i) * minute;
  EXPECT_EQ(lines_of(render_table(rows, 80, false)).size(), rows.size() + 2);
}

TEST(RenderTable, marks_and_explains_rows_that_are_not_whole) {
  std::vector<Row> rows(3, bare_row());
  rows[0].incomplete = {"start", "gap"};
  rows[1].stage = Stage::truncated;
  rows[1].matured = 0.999;
  rows[2].stage = Stage::provisional;
  rows[2].matured = 0.29;
  const std::string text = render_table(rows, 80, false);
  const auto lines = lines_of(text);
  EXPECT_TRUE(holds(lines[2], "  g ")) << text;
  EXPECT_TRUE(holds(lines[4], "p 29%")) << text;
  for (const std::string_view legend : {"\np N%  provisional", "\ng  incomplete"}) EXPECT_TRUE(holds(text, legend)) << legend;
}

TEST(RenderTable, says_once_where_the_log_begins_and_ends) {
  std::vector<Row> rows = traffic();
  for (Row& row : rows) {
    if (row.start == rows.front().start) row.incomplete = {"start"};
    if (row.start == rows.front().start) continue;
    row.stage = Stage::truncated;
    row.matured = row.start == rows.back().start ? 0.2 : 0.999;
  }
  Row whole = bare_row();
  whole.window = "all";
  whole.start.ms += 123;
  whole.stage = Stage::truncated;
  rows.push_back(whole);
  const std::string text = render_table(rows, 0, false);
  EXPECT_FALSE(holds(text, "note")) << text;
  EXPECT_TRUE(
      holds(text,
            "\nTruncated, since the log ends before all feedback could arrive: minute from 00:01, all. At least 20% of the "
            "lists in each had their full horizon.\n"))
      << text;
  EXPECT_TRUE(holds(text, "\nBegins before the first event that was read: minute at 00:00.\n")) << text;
  EXPECT_FALSE(holds(text, ".123")) << "parts of a second tell nothing apart";
}

TEST(RenderTable, explains_nothing_that_does_not_occur) {
  const auto lines = lines_of(render_table(std::vector{bare_row()}, 80, false));
  EXPECT_EQ(lines.size(), 3U);
  EXPECT_FALSE(holds(lines[1], "note"));
  EXPECT_FALSE(holds(lines[1], "segment"));
}

TEST(RenderTable, writes_as_much_of_a_start_as_is_needed) {
  const auto first_cell = [](std::vector<std::int64_t> offsets) {
    std::vector<Row> rows;
    for (const std::int64_t offset : offsets) {
      rows.push_back(bare_row());
      rows.back().start.ms += offset;
    }
    const std::string line = lines_of(render_table(rows, 80, false)).back();
    return line.substr(0, line.find("  "));
  };
  EXPECT_EQ(first_cell({0, minute}), "00:01");
  EXPECT_EQ(first_cell({0, 10'000}), "00:00:10");
  EXPECT_EQ(first_cell({0, 10'250}), "00:00:10.250");
  EXPECT_EQ(first_cell({0, 1440 * minute}), "2026-01-02");
  EXPECT_EQ(first_cell({0, 1441 * minute}), "2026-01-02 00:01");
}

TEST(RenderTable, lets_no_segment_act_on_the_terminal) {
  Row row = bare_row();
  row.segment = {{"v", "a\x1b[31m\n\u202e\u0085"}};
  const std::string text = render_table(std::vector{row}, 120, false);
  EXPECT_EQ(lines_of(text).size(), 3U);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_TRUE(holds(text, R"(v=a\x1b[31m\n\u{202e}\u{85})")) << text;
}

TEST(RenderTable, aligns_text_that_is_not_ascii) {
  std::vector<Row> rows;
  for (const std::string city : {"Zürich", "東京", "Oslo", "e\u0301"}) {
    rows.push_back(bare_row());
    rows.back().segment = {{"c", city}};
  }
  const auto lines = lines_of(render_table(rows, 80, false));
  for (std::size_t i = 2; i < lines.size(); ++i) EXPECT_EQ(text_width(lines[i]), text_width(lines[1])) << lines[i];
}

TEST(RenderTable, says_when_a_segment_is_shortened) {
  Row row = bare_row();
  row.segment = {{"v", std::string(200, 'x')}};
  const std::string text = render_table(std::vector{row}, 80, false);
  EXPECT_TRUE(holds(text, "x…"));
  EXPECT_TRUE(holds(text, "\n…  segments too long"));
  EXPECT_TRUE(holds(render_table(std::vector{row}, 0, false), std::string(200, 'x')));
}

TEST(RenderTable, colours_only_when_asked_and_changes_nothing_else) {
  std::vector<Row> rows = traffic();
  rows.back().stage = Stage::truncated;
  const std::string plain = render_table(rows, 100, false);
  std::string colored = render_table(rows, 100, true);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_NE(colored.find('\x1b'), std::string::npos);
  for (std::size_t at = 0; (at = colored.find('\x1b')) != std::string::npos;)
    colored.erase(at, colored.find('m', at) - at + 1);
  EXPECT_EQ(colored, plain);
}

TEST(RenderTable, shows_small_numbers_as_what_they_are) {
  Row row = bare_row();
  row.metrics = {with_interval("a", 0.5, 0.4, 0.6), with_interval("tiny", 1e-9, 0, 2e-9), without_interval("huge", 3e15),
                 without_interval("share", 0.123456), without_interval("percent", 45.678)};
  const std::string text = render_table(std::vector{row}, 200, false);
  for (const std::string_view cell : {"0.50 [0.40 0.60]", "1.0e-09", "3.0e+15", "0.1235", "45.68"}) {
    EXPECT_TRUE(holds(text, cell)) << cell << "\n" << text;
  }
}

TEST(RenderTable, says_when_there_is_nothing) {
  EXPECT_EQ(render_table({}, 80, false), "No window holds a list.\n");
}

TEST(SegmentCell, quotes_values_that_would_be_misread) {
  Row row = bare_row();
  row.segment = {{"a", "New York"}, {"b", ""}, {"c", "(none)"}};
  EXPECT_EQ(segment_cell(row), "a=\"New York\" b=\"\" c=(none)");
}

}  // namespace
}  // namespace recmeter
