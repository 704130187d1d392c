#include "app/monitor/live_snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/monitor/metrics_page.h"
#include "app/monitor/status_text.h"
#include "recmeter/result/read_row.h"
#include "recmeter/result/render.h"
#include "unit/monitor/shown_run.h"

namespace recmeter {
namespace {

using test::minute_ms;
using test::minute_row;
using test::ShownRun;
using test::zero_ms;

std::vector<std::string> stages(const std::vector<SharedRow>& rows) {
  std::vector<std::string> out;
  for (const auto& shown : rows) {
    out.push_back(std::to_string((shown->row.start.ms - zero_ms) / minute_ms) +
                  std::string(to_string(shown->row.stage)).substr(0, 1));
  }
  return out;
}

TEST(LiveSnapshot, shows_each_window_as_it_stands) {
  ShownRun run;
  run.show(minute_row(0, "", Stage::provisional, 0.1));
  run.show(minute_row(1, "", Stage::provisional, 0));
  run.show(minute_row(0, ""));
  EXPECT_EQ(stages(run.snapshot.snapshot()->rows), (std::vector<std::string>{"0f", "1p"}));
  EXPECT_FALSE(run.snapshot.take(render(minute_row(0, "", Stage::provisional, 0.9)))) << "what is final does not change";
  EXPECT_EQ(stages(run.snapshot.snapshot()->newest_final), (std::vector<std::string>{"0f"}));
}

TEST(LiveSnapshot, leaves_final_rows_to_the_kept_results) {
  ShownRun run;
  run.show(minute_row(0, ""));
  run.show(minute_row(1, "", Stage::provisional, 0));
  run.snapshot.kept();
  run.snapshot.show();
  EXPECT_EQ(run.snapshot.snapshot()->rows.size(), 2U) << "it may have been made while the state was written";
  run.keep();
  EXPECT_EQ(stages(run.snapshot.snapshot()->rows), (std::vector<std::string>{"1p"}));
  EXPECT_EQ(stages(run.snapshot.snapshot()->newest_final), (std::vector<std::string>{"0f"}));
}

TEST(LiveSnapshot, shows_what_the_end_of_the_log_cut_off_for_ever_and_as_nothing_final) {
  ShownRun run;
  run.show(minute_row(0, ""));
  run.show(minute_row(1, "", Stage::truncated, 0.5));
  run.keep();
  run.keep();
  EXPECT_EQ(stages(run.snapshot.snapshot()->rows), (std::vector<std::string>{"1t"}));
  EXPECT_EQ(stages(run.snapshot.snapshot()->newest_final), (std::vector<std::string>{"0f"}));
}

TEST(LiveSnapshot, forgets_a_provisional_row_whose_window_came_to_nothing) {
  ShownRun run;
  run.show(minute_row(0, "", Stage::provisional, 0));
  run.stands(ShownRun::status_at(EventTime{zero_ms + 31 * minute_ms - 1}));
  EXPECT_EQ(run.snapshot.snapshot()->rows.size(), 1U);
  run.stands(ShownRun::status_at(EventTime{zero_ms + 31 * minute_ms}));
  EXPECT_TRUE(run.snapshot.snapshot()->rows.empty());
}

TEST(LiveSnapshot, has_series_in_the_configured_order) {
  ShownRun run;
  for (const char* variant : {"B", "", "A"}) run.show(minute_row(0, variant));
  std::vector<std::string> values;
  for (const RowSeries& series : *run.snapshot.snapshot()->series) {
    values.push_back(series.segment.empty() ? "all" : series.segment.front().second);
  }
  EXPECT_EQ(values, (std::vector<std::string>{"all", "A", "B"}));
}

// A key that names sessions has new values in every window.
TEST(LiveSnapshot, forgets_series_whose_rows_are_no_more_kept) {
  ShownRun run;
  run.show(minute_row(0, "old"));
  run.show(minute_row(60, "new"));
  const EventTime later{zero_ms + 60 * minute_ms + test::keep_for.ms + 24 * 60 * minute_ms + 30 * minute_ms};
  run.stands(ShownRun::status_at(later));
  ASSERT_EQ(run.snapshot.snapshot()->series->size(), 1U);
  EXPECT_EQ(run.snapshot.snapshot()->series->front().segment.front().second, "new");
}

TEST(LiveSnapshot, knows_a_bounded_number_of_series_the_newest_ones) {
  ShownRun run;
  const auto count = static_cast<std::int64_t>(LiveSnapshotKeeper::series_max);
  for (std::int64_t n = 0; n <= count; ++n) run.snapshot.take(render(minute_row(n, "session-" + std::to_string(n))));
  run.snapshot.show();
  const auto& series = *run.snapshot.snapshot()->series;
  EXPECT_LE(series.size(), LiveSnapshotKeeper::series_max);
  EXPECT_GE(series.size(), LiveSnapshotKeeper::series_max * 8 / 10);
  const auto has = [&](const std::string& value) {
    return std::any_of(series.begin(), series.end(),
                       [&](const RowSeries& one) { return one.segment.front().second == value; });
  };
  EXPECT_FALSE(has("session-0"));
  EXPECT_TRUE(has("session-" + std::to_string(count)));
}

// Else each row of a window with more values than may be known would look at all that are.
TEST(LiveSnapshot, makes_room_for_many_series_at_once_where_all_are_as_new) {
  ShownRun run;
  const auto count = static_cast<std::int64_t>(LiveSnapshotKeeper::series_max);
  for (std::int64_t n = 0; n <= count; ++n) run.snapshot.take(render(minute_row(0, "session-" + std::to_string(n))));
  run.snapshot.show();
  EXPECT_EQ(run.snapshot.snapshot()->series->size(), LiveSnapshotKeeper::series_max * 9 / 10 + 1);
}

TEST(LiveSnapshot, forgets_final_rows_of_windows_before_the_newest) {
  ShownRun run;
  for (std::int64_t n = 0; n < 100; ++n) {
    run.show(minute_row(n, "session-" + std::to_string(n)));
    run.stands(ShownRun::status_at(EventTime{zero_ms + (n + 31) * minute_ms}));
  }
  EXPECT_EQ(stages(run.snapshot.snapshot()->newest_final), (std::vector<std::string>{"99f"}));
}

TEST(LiveSnapshot, lists_so_many_values_and_says_how_many_it_leaves_out) {
  ShownRun run;
  for (std::int64_t n = 0; n < 503; ++n) run.snapshot.take(render(minute_row(0, "session-" + std::to_string(n))));
  run.stands(ShownRun::status_at(EventTime{zero_ms}));
  const std::string json = status_json(run.schema, *run.snapshot.snapshot(), {});
  EXPECT_NE(json.find(R"("values_left_out":3})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("values":[],"values_left_out":0})"), std::string::npos) << json;
}

TEST(LiveSnapshot, shows_the_newest_kept_row_until_there_is_a_newer_one) {
  ShownRun run;
  const Row kept = minute_row(0, "A");
  auto read = read_row(render_json(kept));
  ASSERT_TRUE(read);
  EXPECT_EQ(render_json(*read), render_json(kept));
  run.snapshot.take_kept(render(std::move(*read)));
  run.snapshot.show();
  EXPECT_EQ(stages(run.snapshot.snapshot()->newest_final), (std::vector<std::string>{"0f"}));
  EXPECT_NE(metrics_page(run.schema, *run.snapshot.snapshot(), {}, ExpositionFormat::text).find("recmeter_window_lists{"),
            std::string::npos);
  run.show(minute_row(1, "A"));
  EXPECT_EQ(stages(run.snapshot.snapshot()->newest_final), (std::vector<std::string>{"1f"}));
}

TEST(LiveSnapshot, stays_as_it_was_for_those_who_hold_it) {
  ShownRun run;
  run.show(minute_row(0, ""));
  const auto before = run.snapshot.snapshot();
  run.show(minute_row(1, ""));
  EXPECT_EQ(before->rows.size(), 1U);
  EXPECT_EQ(run.snapshot.snapshot()->rows.size(), 2U);
}

TEST(LiveSnapshot, says_why_nothing_goes_on) {
  ShownRun run;
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  run.stands(status);
  EXPECT_TRUE(run.snapshot.snapshot()->reasons.empty());
  status.is_held = true;
  status.has_room = false;
  run.snapshot.tell("member other-1 holds clicks/0");
  run.stands(status);
  ASSERT_EQ(run.snapshot.snapshot()->reasons.size(), 2U);
  EXPECT_EQ(run.snapshot.snapshot()->reasons[0], "member other-1 holds clicks/0");
}

TEST(LiveSnapshot, blames_no_member_while_no_broker_answers) {
  ShownRun run;
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  status.is_held = true;
  status.unreachable = "no broker of a:9092 answers";
  run.snapshot.tell("member other-1 holds clicks/0");
  run.stands(status);
  EXPECT_EQ(run.snapshot.snapshot()->reasons, std::vector<std::string>{status.unreachable});
  status.is_held = false;
  run.stands(status);
  EXPECT_FALSE(is_ready(*run.snapshot.snapshot())) << "nothing is read without a broker";
}

TEST(LiveSnapshot, says_why_a_run_does_not_begin) {
  ShownRun run;
  run.snapshot.show();
  EXPECT_EQ(run.snapshot.snapshot()->reasons, std::vector<std::string>{"the run has not begun yet"});
  run.snapshot.tell("no broker answers");
  run.snapshot.show();
  EXPECT_EQ(run.snapshot.snapshot()->reasons, std::vector<std::string>{"no broker answers"});
}

TEST(LiveSnapshot, is_not_ready_while_the_state_is_read_again) {
  ShownRun run;
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  status.restored_to = minus_infinity;
  run.stands(status);
  EXPECT_FALSE(is_ready(*run.snapshot.snapshot()));
  EXPECT_EQ(run.snapshot.snapshot()->reasons, std::vector<std::string>{"the state is being read again"});
  status.restored_to = EventTime{1'700'000'000'000};
  run.stands(status);
  EXPECT_EQ(run.snapshot.snapshot()->reasons,
            std::vector<std::string>{"the state is being read again: up to 2023-11-14T22:13:20Z so far"});
  status.restored_to.reset();
  run.stands(status);
  EXPECT_TRUE(is_ready(*run.snapshot.snapshot()));
}

}  // namespace
}  // namespace recmeter
