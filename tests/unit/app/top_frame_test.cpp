#include "app/top/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/top/styled_line.h"

namespace recmeter::top {
namespace {

constexpr std::int64_t base = 1'700'000'040'000;  // 2023-11-14T22:14:00Z
constexpr Duration minute{60'000};

Point point(int window, double value, bool is_final = true, double matured = 1) {
  return {.start = EventTime{base + window * minute.ms},
          .value = value,
          .low = value - 0.01,
          .high = value + 0.01,
          .is_final = is_final,
          .matured = matured};
}

Model model() {
  Model model;
  model.url = "http://127.0.0.1:8080";
  model.now = EventTime{base + 5 * minute.ms};
  model.status.evaluator = "shop";
  model.status.watermark = EventTime{base + 4 * minute.ms};
  model.status.held_back_by = "impressions/0";
  model.status.partitions = {{"impressions/0", 1200, 75.0, false}, {"feedback/0", 3, 0.4, true}};
  model.status.events = {{"read", 5000}, {"invalid", 4}, {"future", 0}, {"late", 0}, {"impressions", 4000}};
  model.status.waiting = {{"minute", EventTime{base + 3 * minute.ms}, "30m of event time to go"}};
  model.status.is_ready = true;
  model.window = {"minute", minute};
  model.horizon = "30m";
  model.panels = {{"precision@10",
                   {{{}, {point(0, 0.05), point(1, 0.06), point(2, 0.03, false, 0.629)}},
                    {{{"variant", "A"}}, {point(0, 0.04), point(1, 0.08)}},
                    {{{"variant", "B"}}, {}}}}};
  return model;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

const std::string* line_with(const std::vector<std::string>& lines, const std::string& part) {
  const auto at =
      std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; });
  return at == lines.end() ? nullptr : &*at;
}

TEST(Sparkline, goes_from_the_lowest_block_to_the_highest) {
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) points.push_back(point(i, i));
  EXPECT_EQ(sparkline(points, minute, 8, 0, 7), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(points, minute, 10, 0, 7), "  ▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(points, minute, 3, 0, 7), "▆▇█");
  EXPECT_EQ(sparkline({point(0, 5)}, minute, 1, 5, 5), "▅");
}

TEST(Sparkline, leaves_a_gap_where_there_is_no_window_or_no_value) {
  std::vector<Point> points{point(0, 0), point(3, 7), point(4, 7)};
  EXPECT_EQ(sparkline(points, minute, 5, 0, 7), "▁  ██");
  points[1].value.reset();
  EXPECT_EQ(sparkline(points, minute, 5, 0, 7), "▁   █");
  EXPECT_EQ(sparkline({}, minute, 5, 0, 7), "");
}

TEST(Sparkline, has_a_line_where_final_ends) {
  EXPECT_EQ(sparkline({point(0, 7), point(1, 7), point(2, 0, false)}, minute, 5, 0, 7), " ██┊▁");
  EXPECT_EQ(sparkline({point(0, 7), point(1, 7), point(2, 0, false)}, minute, 3, 0, 7), "█┊▁");
  EXPECT_EQ(sparkline({point(0, 7, false)}, minute, 3, 0, 7), "  █");
}

TEST(Frame, tells_watermark_lag_fates_and_what_is_not_final) {
  const std::string text = text_of(frame(model(), {120, 0}, false));
  for (const char* part : {"recmeter shop at http://127.0.0.1:8080  window minute, horizon 30m  ready\n",
                           "watermark 2023-11-14T22:18:00Z, 60 s behind; held back by impressions/0\n",
                           "lag 1203 records; impressions/0 75 s; feedback/0 0 s; 2 partitions, 1 idle\n",
                           "events read 5000, invalid 4, late 0, impressions 4000\n", "1 window is not final yet\n",
                           "  minute from 22:17:00: 30m of event time to go\n",
                           "precision@10  0.03 to 0.08  final until the window of 22:15:00\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin:\n" << text;
  }
}

TEST(Frame, has_of_each_segment_the_newest_final_value_with_its_interval_and_the_newest_with_its_maturity) {
  const auto lines = frame(model(), {120, 0}, false);
  const std::string* whole = line_with(lines, "all lists");
  ASSERT_NE(whole, nullptr);
  EXPECT_NE(whole->find("▄▅┊▁"), std::string::npos) << *whole;
  EXPECT_NE(whole->find("  0.06 (0.05 to 0.07) "), std::string::npos) << *whole;
  EXPECT_TRUE(whole->ends_with(" 0.03, 62% matured")) << *whole;
  const std::string* a = line_with(lines, "variant=A");
  ASSERT_NE(a, nullptr);
  EXPECT_NE(a->find("▂█"), std::string::npos) << *a;
  EXPECT_TRUE(a->ends_with("  0.08 (0.07 to 0.09)")) << *a;
  const std::string* b = line_with(lines, "variant=B");
  ASSERT_NE(b, nullptr);
  EXPECT_TRUE(b->ends_with("  no lists")) << *b;
}

TEST(Frame, says_what_changed_last_and_why) {
  Model explained = model();
  EXPECT_EQ(line_with(frame(explained, {120, 0}, false), "changed last"), nullptr);
  explained.panels[0].why = "precision@10 fell by 4 %: it is variant=A\x1b[2J.";
  const auto lines = frame(explained, {120, 0}, false);
  const std::string* line = line_with(lines, "changed last: precision@10 fell by 4 %: it is variant=A");
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->find('\x1b'), std::string::npos);
}

TEST(Frame, says_the_unit_of_values_that_have_one) {
  Model timed = model();
  timed.panels[0].metric = "time_to{action=click}";
  EXPECT_NE(line_with(frame(timed, {120, 0}, false), "time_to{action=click}  0.03 to 0.08 s  final"), nullptr);
}

TEST(Frame, has_long_names_whole_on_a_line_of_their_own) {
  Model named = model();
  const std::string name(60, 'n');
  named.panels[0].courses[1].segment = {{"city", name}};
  const auto lines = frame(named, {120, 0}, false);
  const auto at = std::ranges::find(lines, "  city=" + name);
  ASSERT_NE(at, lines.end()) << text_of(lines);
  EXPECT_TRUE(std::next(at)->ends_with("  0.08 (0.07 to 0.09)")) << *std::next(at);
}

TEST(Frame, keeps_to_its_size_whatever_that_is) {
  Model large = model();
  large.status.reasons.assign(3, std::string(300, 'x'));
  large.panels.assign(5, large.panels.front());
  large.panels[0].courses[1].segment = {{"city", "東京東京東京東京東京東京東京東京東京東京"}};
  for (const std::size_t columns : {1U, 2U, 7U, 20U, 40U, 60U, 80U, 200U}) {
    for (const std::size_t rows : {1U, 2U, 5U, 24U, 100U}) {
      const auto lines = frame(large, {columns, rows}, false);
      EXPECT_LE(lines.size(), rows);
      for (const std::string& line : lines) EXPECT_LE(columns_of(line), columns) << line;
    }
  }
  EXPECT_NE(frame(large, {80, 24}, false).back().find("more lines"), std::string::npos);
}

TEST(Frame, narrow_keeps_values_before_what_is_provisional) {
  const auto lines = frame(model(), {60, 0}, false);
  const std::string* whole = line_with(lines, "all lists");
  ASSERT_NE(whole, nullptr);
  EXPECT_NE(whole->find("0.06 (0.05 to 0.07)"), std::string::npos) << *whole;
  EXPECT_EQ(whole->find("62%"), std::string::npos) << *whole;
}

TEST(Frame, says_why_it_is_not_new) {
  Model stale = model();
  stale.fault = "http://127.0.0.1:8080: cannot be reached: Connection refused";
  EXPECT_NE(text_of(frame(stale, {120, 0}, false))
                .find("as of 22:19:00, for since then: http://127.0.0.1:8080: cannot be reached: Connection refused\n"),
            std::string::npos);
}

TEST(Frame, before_anything_was_read_says_so) {
  Model empty;
  empty.window = {"minute", minute};
  empty.panels = {{"mrr@5", {{}}}};
  const std::string text = text_of(frame(empty, {80, 0}, false));
  EXPECT_NE(text.find("not ready"), std::string::npos);
  EXPECT_NE(text.find("watermark not yet\n"), std::string::npos);
  EXPECT_NE(text.find("lag not known"), std::string::npos);
  EXPECT_NE(text.find("nothing is final yet"), std::string::npos);
}

// Every text of the model, in turn, with what would steer the terminal.
TEST(Frame, lets_nothing_through_that_steers_a_terminal) {
  const std::string hostile = "\x1b]0;owned\x07\x1b[2J\r\n\xc2\x9b\xff\xe2\x80\xae";
  Model all = model();
  all.url = all.fault = all.horizon = all.window.name = hostile;
  all.status.evaluator = all.status.held_back_by = hostile;
  all.status.reasons = {hostile};
  all.status.partitions[0].name = hostile;
  all.status.events[0].first = hostile;
  all.status.waiting = {{hostile, EventTime{base}, hostile}};
  all.panels[0].metric = hostile;
  all.panels[0].courses[1].segment = {{hostile, hostile}};
  for (const std::string& line : frame(all, {0, 0}, false)) {
    for (const char byte : line) EXPECT_TRUE(static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7f) << line;
    for (const char* part : {"\xc2\x9b", "\xff", "\xe2\x80\xae"}) EXPECT_EQ(line.find(part), std::string::npos) << line;
  }
}

TEST(Frame, with_color_says_the_same) {
  const auto plain = frame(model(), {100, 0}, false);
  const auto color = frame(model(), {100, 0}, true);
  ASSERT_EQ(plain.size(), color.size());
  bool has_any = false;
  for (std::size_t i = 0; i < color.size(); ++i) {
    std::string bare;
    for (std::size_t at = 0; at < color[i].size(); ++at) {
      if (color[i][at] == '\x1b') {
        has_any = true;
        at = color[i].find('m', at);
        ASSERT_NE(at, std::string::npos) << color[i];
      } else {
        bare += color[i][at];
      }
    }
    while (bare.ends_with(' ')) bare.pop_back();
    EXPECT_EQ(bare, plain[i]);
  }
  EXPECT_TRUE(has_any);
}

TEST(StyledLine, is_cut_by_columns_not_by_bytes) {
  StyledLine line;
  line.add("grün").to_column(6).add("東京x");
  EXPECT_EQ(line.columns(), 11U);
  EXPECT_EQ(line.render(0, false), "grün  東京x");
  EXPECT_EQ(line.render(11, false), "grün  東京x");
  EXPECT_EQ(line.render(10, false), "grün  東…");
  EXPECT_EQ(line.render(9, false), "grün  東…");
  EXPECT_EQ(line.render(3, false), "gr…");
  EXPECT_EQ(columns_of("e\xcc\x81"), 1U);
}

}  // namespace
}  // namespace recmeter::top
