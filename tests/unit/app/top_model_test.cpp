#include <gtest/gtest.h>

#include <string>

#include "app/top/model.h"
#include "app/top/why.h"

namespace recmeter::top {
namespace {

constexpr std::string_view status_text = R"({"schema":"recmeter.report/1","events":{"read":120,"invalid":2,"late":0},
 "partitions":[{"name":"impressions/0","lag_records":7,"lag_seconds":1.5,"idle":false},
               {"name":"feedback/0","lag_records":null,"lag_seconds":null,"idle":true}],
 "evaluator":{"name":"shop","config":"0","version":"0.1.0","windows":[{"name":"minute","size_ms":60000,"slide_ms":60000},
   {"name":"hour","size_ms":3600000,"slide_ms":300000}],"horizons":["30m","2h"],"metrics":["precision@10","mrr@10"],
   "segments":[{"keys":["variant"],"values":[{"variant":"A"},{"variant":"B"}]}]},
 "watermark":1700000100000,"held_back_by":"impressions/0","state":null,
 "waiting":[{"window":"minute","horizon":"30m","start":1700000040000,"end":1700000100000,"final_at":1700001900000,
   "needs_ms":1800000,"why":"30m of event time to go"}],
 "ready":true,"reasons":["a reason"]})";

constexpr std::string_view series_text = R"({"window":"minute","metric":"mrr@10","columns":{
 "start":[1700000040000,1700000160000],"end":[1700000100000,1700000220000],"value":[0.25,null],"low":[0.24,null],
 "high":[0.26,null],"lists":[10,0],"stage":["final","provisional"],"matured":[1,0.4],"incomplete":[[],["gap"]]}})";

std::string with(std::string_view text, const std::string& part, const std::string& instead) {
  std::string changed(text);
  const std::size_t at = changed.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return changed.replace(at, part.size(), instead);
}

TEST(TopStatus, is_read_with_what_is_not_known_left_open) {
  const auto status = status_of(status_text);
  ASSERT_TRUE(status) << status.error().context;
  EXPECT_EQ(status->evaluator, "shop");
  ASSERT_EQ(status->windows.size(), 2U);
  EXPECT_EQ(status->windows[1].name, "hour");
  EXPECT_EQ(status->windows[1].slide, Duration{300'000});
  EXPECT_EQ(status->horizons, (std::vector<std::string>{"30m", "2h"}));
  EXPECT_EQ(status->metrics, (std::vector<std::string>{"precision@10", "mrr@10"}));
  EXPECT_EQ(status->segments, (std::vector<SegmentPairs>{{}, {{"variant", "A"}}, {{"variant", "B"}}}));
  EXPECT_EQ(status->watermark, EventTime{1'700'000'100'000});
  EXPECT_EQ(status->held_back_by, "impressions/0");
  ASSERT_EQ(status->partitions.size(), 2U);
  EXPECT_EQ(status->partitions[0].lag_records, 7U);
  EXPECT_EQ(status->partitions[0].lag_seconds, 1.5);
  EXPECT_FALSE(status->partitions[1].lag_records);
  EXPECT_FALSE(status->partitions[1].lag_seconds);
  EXPECT_TRUE(status->partitions[1].is_idle);
  EXPECT_EQ(status->events.front(), (std::pair<std::string, std::uint64_t>{"read", 120}));
  ASSERT_EQ(status->waiting.size(), 1U);
  EXPECT_EQ(status->waiting[0].why, "30m of event time to go");
  EXPECT_TRUE(status->is_ready);
  EXPECT_EQ(status->reasons, std::vector<std::string>{"a reason"});
}

TEST(TopStatus, names_the_windows_of_which_it_says_why) {
  EXPECT_TRUE(status_of(status_text)->explained.empty());
  const auto status = status_of(with(status_text, R"("horizons":)", R"("explained":["hour"],"horizons":)"));
  EXPECT_EQ(status->explained, std::vector<std::string>{"hour"});
}

TEST(TopWhy, is_the_sentence_of_what_is_no_chance) {
  EXPECT_EQ(why_in(R"({"words":"mrr@10 fell.","may_be_chance":false})"), "mrr@10 fell.");
  EXPECT_EQ(why_in(R"({"words":"mrr@10 fell.","may_be_chance":true})"), "");
  EXPECT_EQ(why_in(R"({"words":"mrr@10 fell."})"), "") << "of no evaluator that is known";
  EXPECT_EQ(why_in("<html>"), "");
}

TEST(TopWhy, is_asked_for_with_all_that_was_said) {
  EXPECT_EQ(path_of({.request = {.metric = "precision{action=click}@10"}, .top = 1}),
            "/api/v1/why?metric=precision%7Baction%3Dclick%7D%4010&top=1");
  EXPECT_EQ(path_of({.request = {.metric = "mrr@3",
                                 .window = "hour",
                                 .at = EventTime{5},
                                 .against = Duration{one_day.ms},
                                 .by = "surface & app"},
                     .is_text = true,
                     .columns = 80}),
            "/api/v1/why?metric=mrr%403&window=hour&at=5&against=1d&by=surface%20%26%20app&top=8&format=text&columns=80");
  EXPECT_EQ(path_of({.request = {.metric = "mrr@3", .against = EventTime{7}, .key = "v", .a = "A", .b = "B"}}),
            "/api/v1/why?metric=mrr%403&against=7&key=v&a=A&b=B&top=8");
}

TEST(TopStatus, before_anything_was_read_has_no_watermark) {
  const auto status =
      status_of(with(status_text, "1700000100000,\"held_back_by\":\"impressions/0\"", "null,\"held_back_by\":null"));
  ASSERT_TRUE(status);
  EXPECT_FALSE(status->watermark);
  EXPECT_EQ(status->held_back_by, "");
}

TEST(TopStatus, of_something_else_is_refused) {
  for (const std::string& other :
       {std::string(), std::string("<html>"), std::string("[]"), std::string("{}"), std::string(status_text.substr(0, 300)),
        with(status_text, R"("metrics":["precision@10","mrr@10"])", R"("metrics":[])"),
        with(status_text, R"("horizons":["30m","2h"])", R"("horizons":7)")}) {
    const auto status = status_of(other);
    ASSERT_FALSE(status) << other;
    EXPECT_EQ(status.error().code, Errc::input_unreadable);
  }
}

TEST(TopStatus, takes_no_window_whose_slide_cannot_be) {
  for (const char* slide : {"0", "-60000", "9223372036854775807", "\"1m\"", "null"}) {
    const auto status = status_of(with(status_text, R"("slide_ms":60000)", std::string(R"("slide_ms":)") + slide));
    ASSERT_TRUE(status) << slide;
    ASSERT_EQ(status->windows.size(), 1U) << slide;
    EXPECT_EQ(status->windows[0].name, "hour");
  }
}

TEST(TopSeries, is_read_column_by_column) {
  const auto points = points_of(series_text);
  ASSERT_TRUE(points) << points.error().context;
  ASSERT_EQ(points->size(), 2U);
  EXPECT_EQ(points->front().start, EventTime{1'700'000'040'000});
  EXPECT_EQ(points->front().value, 0.25);
  EXPECT_EQ(points->front().low, 0.24);
  EXPECT_EQ(points->front().high, 0.26);
  EXPECT_TRUE(points->front().is_final);
  EXPECT_FALSE(points->back().value);
  EXPECT_FALSE(points->back().is_final);
  std::string cut_off(series_text);
  cut_off.replace(cut_off.find("provisional"), std::string_view("provisional").size(), "truncated");
  EXPECT_FALSE(points_of(cut_off)->back().is_final);
  EXPECT_EQ(points->back().matured, 0.4);
}

TEST(TopSeries, whose_columns_do_not_agree_is_refused) {
  for (const std::string& other : {std::string("{}"), with(series_text, R"("value":[0.25,null])", R"("value":[0.25])"),
                                   with(series_text, R"("low":[0.24,null])", R"("low":[0.24,null,1])"),
                                   with(series_text, "1700000160000", "1700000040000"),
                                   with(series_text, "1700000160000", "-1"), with(series_text, "1700000160000", "null")}) {
    EXPECT_FALSE(points_of(other)) << other;
  }
}

TEST(TopProblem, tells_its_detail_or_its_title) {
  EXPECT_EQ(problem_detail(R"({"title":"Bad request","detail":"There is no window day"})"), "There is no window day");
  EXPECT_EQ(problem_detail(R"({"title":"Bad request"})"), "Bad request");
  EXPECT_EQ(problem_detail("<html>"), "");
}

}  // namespace
}  // namespace recmeter::top
