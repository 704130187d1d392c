// Words of explanations. Whole explanations: tests/integration/cli/explain_test.cpp.
#include "app/explain/explanation.h"

#include <gtest/gtest.h>

#include "app/explain/reason.h"

namespace recmeter::explain {
namespace {

TEST(Explanation, tells_times_in_two_units_at_most) {
  const std::pair<std::int64_t, const char*> told[] = {
      {0, "+0ms"},           {250, "+250ms"},     {1000, "+1s"},      {8859, "+8.8s"},      {60'000, "+1m"},
      {96'370, "+1m36s"},    {599'999, "+9m59s"}, {3'600'000, "+1h"}, {7'499'999, "+2h4m"}, {86'400'000, "+1d"},
      {90'000'000, "+1d1h"}, {-20, "-20ms"},      {-61'000, "-1m1s"}};
  for (const auto& [ms, text] : told) EXPECT_EQ(delay_text(Duration{ms}), text);
}

TEST(Reason, tells_relevant_ratings_from_others) {
  JoinRule rule;
  rule.horizons = {Duration{60'000}};
  rule.actions = {{.name = "rating", .gain = 2, .after = {}, .horizon = {}, .from = 4}};
  const WatchedList list{.ts = EventTime{1000}, .list_id = "l", .user_id = "u", .items = {"a"}, .scores = {}};
  const std::vector<ExplainedItem> items{{.rank = 1, .item = "a", .score = {}, .shown_after = {}}};
  const std::vector<WatchedFeedback> feedback;
  const ReasonContext context{.list = list, .items = items, .feedback = feedback, .rule = rule};
  const auto reason_of = [&](const char* item, std::optional<double> value) {
    WatchedFeedback rating;
    rating.ts = EventTime{2000};
    rating.item = item;
    rating.user_id = "u";
    rating.value = value;
    rating.is_relevant = value && *value >= 4;
    if (rank_of(list, item) > 0) rating.credits.push_back({.ts = list.ts, .list_id = "l", .counted = 1});
    return reason(context, rating, 0);
  };
  EXPECT_EQ(reason_of("a", 4), "credited to this list: rank 1, gain 2");
  EXPECT_EQ(reason_of("a", 3.5), "credited to this list: rank 1, rated 3.5, below 4: counted, not relevant");
  EXPECT_EQ(reason_of("a", std::nullopt), "credited to this list: rank 1, rated without a value: counted, not relevant");
  EXPECT_EQ(reason_of("x", 4), "not in list: missed, grade 2");
  EXPECT_EQ(reason_of("x", 3), "not in list");
  rule.actions[0].from.reset();
  rule.actions[0].is_from_mean = true;
  EXPECT_EQ(reason_of("a", 3.5),
            "credited to this list: rank 1, rated 3.5, not above the mean of what the user rated before: "
            "counted, not relevant");
}

TEST(Reason, of_what_is_done_to_a_whole_list_names_no_item) {
  JoinRule rule;
  rule.horizons = {Duration{60'000}};
  rule.actions = {{.name = "thumb", .gain = 0, .after = {}, .horizon = {}, .on_list = true}};
  const WatchedList list{.ts = EventTime{1000}, .list_id = "l", .user_id = "u", .items = {"a"}, .scores = {}};
  const std::vector<ExplainedItem> items{{.rank = 1, .item = "a", .score = {}, .shown_after = {}}};
  const std::vector<WatchedFeedback> feedback;
  const ReasonContext context{.list = list, .items = items, .feedback = feedback, .rule = rule};
  WatchedFeedback thumb;
  thumb.ts = EventTime{2000};
  thumb.user_id = "u";
  thumb.list_id = "l";
  thumb.credits = {{.ts = list.ts, .list_id = "l", .counted = 1}};
  EXPECT_EQ(reason(context, thumb, 0), "credited to this list as a whole");
  thumb.credits = {{.ts = list.ts, .list_id = "l", .counted = 0, .repeated = 1}};
  EXPECT_EQ(reason(context, thumb, 0), "repeated: the same action is credited to this list already");
  thumb.credits.clear();
  thumb.list_id = "m";
  EXPECT_EQ(reason(context, thumb, 0), "names list m");
  thumb.list_id = "l";
  thumb.ts = EventTime{71'000};
  EXPECT_EQ(reason(context, thumb, 0), "too late by 10s: horizon 1m");
}

}  // namespace
}  // namespace recmeter::explain
