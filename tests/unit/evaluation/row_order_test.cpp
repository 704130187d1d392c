// Rows in the documented order, and what their stages and flags say: [S7].
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "support/decoded.h"
#include "support/engine_run.h"

namespace recmeter {
namespace {

using support::EngineResult;

// Windows of 1 minute and 2 minutes by 1, horizons 30 s and 90 s, one segment key.
EvaluatorSpec spec_of_test() {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{90'000}, Duration{30'000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "two", .size = {120'000}, .slide = {60'000}, .offset = {0}},
                  {.name = "one", .size = {60'000}, .slide = {60'000}, .offset = {0}}};
  spec.segments = {{.keys = {"v"}, .keep = {}}};
  spec.metrics.cutoffs = {1};
  spec.metrics.requests = {{.name = "precision", .as = {}, .options = {}},
                           {.name = "distinct_items", .as = {}, .options = {}}};
  return spec;
}

EngineResult run(const EvaluatorSpec& spec, const std::vector<std::string>& lines, std::size_t shards = 1) {
  std::string bytes;
  for (const std::string& line : lines) bytes += line + "\n";
  const std::vector<support::BatchInput> inputs{{"log", bytes, FieldTable::native(), Duration{10'000}}};
  return support::run_engine(spec, inputs, {.shards = shards});
}

// A list every 7 s of ten minutes, of variants that come and go.
std::vector<std::string> ten_minutes() {
  std::vector<std::string> lines;
  for (std::int64_t ms = 0, n = 0; ms < 600'000; ms += 7000, ++n) {
    const std::string value = n % 5 == 0 ? "{}" : R"({"v":")" + std::string(1, static_cast<char>('A' + n % 4)) + "\"}";
    lines.push_back(support::list_line(ms, "u" + std::to_string(n % 9), "L" + std::to_string(n),
                                       {"i" + std::to_string(n % 6)}, R"(,"segments":)" + value));
  }
  return lines;
}

TEST(Rows, come_final_first_then_by_due_time_window_start_horizon_and_segment) {
  const EvaluatorSpec spec = spec_of_test();
  const EngineResult result = run(spec, ten_minutes(), 3);
  ASSERT_GT(result.rows.size(), 100U);
  const auto place = [&](const Row& row) {
    const int window = row.window == "two" ? 0 : 1;
    const int horizon = row.horizon == spec.join.horizons[0] ? 0 : 1;
    return std::tuple(row.stage == Stage::truncated, row.end + row.horizon, window, row.start, horizon, row.segment);
  };
  for (std::size_t i = 1; i < result.rows.size(); ++i) {
    EXPECT_LT(place(result.rows[i - 1]), place(result.rows[i])) << i << ": each identity once, in order";
  }
}

TEST(Rows, stand_for_windows_with_lists_only) {
  const EngineResult result =
      run(spec_of_test(), {support::list_line(0, "u", "L", {"a"}), support::list_line(3'000'000, "u", "M", {"a"})});
  for (const Row& row : result.rows) EXPECT_GT(row.lists, 0U);
  // Per list and horizon: one window of a minute, two of two minutes, each with the whole and its segment.
  EXPECT_EQ(result.rows.size(), 2U * 2U * 3U * 2U);
}

TEST(Rows, are_final_up_to_the_watermark_at_the_end_of_the_log_and_truncated_beyond) {
  // The last event stands at 150 s: minute 0 is due at 90 s and 150 s, minute 1 at 150 s and 210 s.
  const EngineResult result = run(spec_of_test(), {support::list_line(0, "u", "L", {"a"}),
                                                   support::list_line(60'000, "u", "M", {"a"}), support::tick_line(150'000)});
  for (const Row& row : result.rows) {
    const bool within = row.end + row.horizon <= support::at(150'000);
    EXPECT_EQ(row.stage, within ? Stage::final : Stage::truncated) << row.window;
    if (within) {
      EXPECT_EQ(row.matured, 1);
    }
  }
}

TEST(Rows, that_are_truncated_say_how_many_of_their_lists_have_matured) {
  const EngineResult result =
      run(spec_of_test(), {support::list_line(0, "u", "L", {"a"}), support::list_line(30'000, "u", "M", {"a"}),
                           support::list_line(31'000, "u", "N", {"a"}), support::tick_line(60'000)});
  for (const Row& row : result.rows) {
    if (row.window != "one" || !row.segment.empty() || row.horizon != Duration{30'000}) continue;
    EXPECT_EQ(row.stage, Stage::truncated);
    EXPECT_EQ(row.matured, 2.0 / 3) << "31 s + 30 s lies beyond the last event";
  }
}

TEST(Rows, of_windows_that_start_before_the_first_event_say_so) {
  const EngineResult result =
      run(spec_of_test(), {support::feedback_line(10'000, "click", "x", "i"), support::list_line(70'000, "u", "L", {"a"})});
  for (const Row& row : result.rows) {
    const bool whole = row.start >= support::at(10'000);
    EXPECT_EQ(row.incomplete, whole ? std::vector<std::string>{} : std::vector<std::string>{"start"}) << row.window;
  }
}

TEST(Rows, of_a_partition_entered_in_the_middle_are_whole_after_twice_same_list_and_the_horizon) {
  EvaluatorSpec spec = spec_of_test();
  spec.join.same_list = Duration{100'000};
  for (const Credit credit : {Credit::last_touch, Credit::first_touch, Credit::every_touch}) {
    spec.join.credit = credit;
    std::string bytes;
    for (const std::string& line : ten_minutes()) bytes += line + "\n";
    const std::vector<support::BatchInput> inputs{{"cut", bytes, FieldTable::native(), Duration{10'000}, true}};
    const EngineResult result = support::run_engine(spec, inputs, {});
    ASSERT_FALSE(result.rows.empty());
    for (const Row& row : result.rows) {
      const Duration pieces = spec.join.same_list + spec.join.same_list;
      const Duration doubted = credit == Credit::last_touch ? pieces : pieces + row.horizon;
      const bool whole = row.start >= support::at(0) + doubted;
      EXPECT_EQ(row.incomplete, whole ? std::vector<std::string>{} : std::vector<std::string>{"start"});
    }
  }
}

TEST(Rows, put_segment_values_beyond_the_limit_together) {
  EvaluatorSpec spec = spec_of_test();
  spec.limits.segment_values = 1;
  spec.segments[0].keep = {{"D"}};
  spec.windows = {{.name = "hour", .size = {3'600'000}, .slide = {3'600'000}, .offset = {0}}};
  const EngineResult result = run(spec, ten_minutes(), 2);
  std::vector<std::string> values;
  std::uint64_t together = 0;
  std::uint64_t whole = 0;
  for (const Row& row : result.rows) {
    if (row.horizon != Duration{30'000}) continue;
    (row.segment.empty() ? whole : together) += row.lists;
    if (!row.segment.empty()) values.push_back(row.segment.front().second);
  }
  EXPECT_EQ(values, (std::vector<std::string>{"(none)", "(other)", "D"})) << "(none) is the smallest in bytes";
  EXPECT_EQ(together, whole);
}

TEST(Rows, have_no_distinct_items_beyond_the_limit_and_say_so) {
  EvaluatorSpec spec = spec_of_test();
  spec.limits.distinct_items = 5;
  spec.windows = {{.name = "hour", .size = {3'600'000}, .slide = {3'600'000}, .offset = {0}}};
  const EngineResult result = run(spec, ten_minutes());
  for (const Row& row : result.rows) {
    if (!row.segment.empty()) continue;  // segments show fewer items
    EXPECT_EQ(row.metrics[1].value, std::nullopt);
    EXPECT_EQ(row.incomplete, std::vector<std::string>{"distinct_items"});
  }
}

TEST(EvaluatorPlan, refuses_coverage_of_a_catalogue_that_is_not_configured) {
  EvaluatorSpec spec = spec_of_test();
  spec.metrics.requests.push_back({.name = "catalog_coverage", .as = {}, .options = {}});
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::config_invalid);
  EXPECT_NE(plan.error().context.find("catalog"), std::string::npos);
}

}  // namespace
}  // namespace recmeter
