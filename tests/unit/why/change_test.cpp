#include "app/why/change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit/why/made_rows.h"

namespace recmeter::why {
namespace {

std::vector<Row> made_hours(const std::vector<int>& hours) {
  std::vector<Row> out;
  for (const int hour : hours) {
    for (Row& row : made_hour(hour, 0.5, 0.25 + 0.01 * hour)) out.push_back(std::move(row));
  }
  return out;
}

Result<Change> change_in(const std::vector<Row>& rows, const Request& request) {
  KeptMeans means(request.metric, keep_rule_of(request));
  for (const Row& row : rows) means.add(row);
  return change_of(means, request);
}

std::string fault_of(const Result<Change>& change) {
  return change ? "no fault" : change.error().context;
}

int hour_of(const KeptMean& mean) {
  return static_cast<int>(mean.start.ms / one_hour.ms);
}

TEST(Change, is_against_a_day_before_or_else_the_window_before) {
  const auto day = change_in(made_hours({0, 1, 22, 23, 25}), {.metric = "mrr@10"});
  ASSERT_TRUE(day) << fault_of(day);
  EXPECT_EQ(hour_of(day->a), 1);
  EXPECT_EQ(hour_of(day->b), 25);
  const auto before = change_in(made_hours({0, 2, 22, 23, 25}), {.metric = "mrr@10"});
  ASSERT_TRUE(before) << fault_of(before);
  EXPECT_EQ(hour_of(before->a), 23);
}

TEST(Change, is_at_and_against_what_was_asked_for) {
  const auto rows = made_hours({0, 1, 2, 5, 8, 9});
  const auto at =
      change_in(rows, {.metric = "mrr@10", .at = EventTime{6 * one_hour.ms}, .against = Duration{3 * one_hour.ms}});
  ASSERT_TRUE(at) << fault_of(at);
  EXPECT_EQ(hour_of(at->b), 5);
  EXPECT_EQ(hour_of(at->a), 2);
  const auto time = change_in(rows, {.metric = "mrr@10", .against = EventTime{2 * one_hour.ms}});
  ASSERT_TRUE(time) << fault_of(time);
  EXPECT_EQ(hour_of(time->b), 9);
  EXPECT_EQ(hour_of(time->a), 1);
  const auto nothing = change_in(rows, {.metric = "mrr@10", .against = Duration{5 * one_hour.ms}});
  EXPECT_NE(fault_of(nothing).find("there are no two windows `hour` to compare"), std::string::npos) << fault_of(nothing);
}

TEST(Change, is_the_same_whatever_the_order_of_rows) {
  auto rows = made_hours({0, 1, 2, 3, 22, 23, 24, 25, 26, 27});
  const auto one = change_in(rows, {.metric = "mrr@10"});
  std::ranges::reverse(rows);
  const auto other = change_in(rows, {.metric = "mrr@10"});
  std::ranges::rotate(rows, rows.begin() + 7);
  const auto third = change_in(rows, {.metric = "mrr@10"});
  ASSERT_TRUE(one && other && third);
  for (const Change* change : {&*one, &*other, &*third}) {
    EXPECT_EQ(hour_of(change->a), 3);
    EXPECT_EQ(hour_of(change->b), 27);
    ASSERT_EQ(change->keys.size(), 1u);
    ASSERT_EQ(change->keys[0].segments.size(), 2u);
    EXPECT_EQ(change->keys[0].segments[0].value, "home");
    EXPECT_EQ(change->keys[0].segments[1].a.facts.value, 0.5 * (0.25 + 0.03));
  }
}

TEST(Change, of_two_values_has_the_keys_below_them) {
  std::vector<Row> rows = made_hour(0, 0.5, 0.25);
  for (const auto& [surface, share] : {std::pair("home", 0.5), std::pair("mail", 0.25)}) {
    for (const std::string device : {"app", "web"}) {
      rows.push_back(made_row(0, {{"surface", surface}, {"device", device}}, 50, share, 0.5));
    }
  }
  const auto change = change_in(rows, {.metric = "mrr@10", .key = "surface", .a = "home", .b = "mail"});
  ASSERT_TRUE(change) << fault_of(change);
  EXPECT_EQ(change->a.mean.facts.value, 0.25);
  EXPECT_EQ(change->b.mean.facts.value, 0.125);
  ASSERT_EQ(change->keys.size(), 1u);
  EXPECT_EQ(change->keys[0].key, "device");
  const auto none = change_in(rows, {.metric = "mrr@10", .key = "surface", .a = "home", .b = "male"});
  EXPECT_NE(fault_of(none).find("values of `surface` are home, mail"), std::string::npos) << fault_of(none);
}

TEST(Change, of_two_values_may_be_of_a_truncated_window_where_no_other_is) {
  std::vector<Row> rows = made_hour(0, 0.5, 0.25);
  for (Row& row : rows) row.stage = Stage::truncated;
  const auto change = change_in(rows, {.metric = "mrr@10", .key = "surface", .a = "home", .b = "mail"});
  ASSERT_TRUE(change) << fault_of(change);
  EXPECT_EQ(change->a.stage, Stage::truncated);
  for (const Row& row : made_hour(1, 0.5, 0.25)) rows.push_back(row);
  const auto windows = change_in(rows, {.metric = "mrr@10"});
  EXPECT_FALSE(windows) << "truncated feedback is no fall";
}

TEST(Change, leaves_keys_out_whose_rows_are_missing_and_names_them) {
  std::vector<Row> rows = made_hours({0, 1});
  std::erase_if(rows, [](const Row& row) { return row.segment == Pairs{{"surface", "mail"}} && row.start.ms == 0; });
  const auto change = change_in(rows, {.metric = "mrr@10"});
  ASSERT_TRUE(change) << fault_of(change);
  EXPECT_TRUE(change->keys.empty());
  EXPECT_EQ(change->keys_left_out, std::vector<std::string>{"surface"});
  const auto by = change_in(rows, {.metric = "mrr@10", .by = "surface"});
  EXPECT_NE(fault_of(by).find("some rows of `surface` are missing"), std::string::npos) << fault_of(by);
}

TEST(Change, is_refused_with_place_cause_and_remedy) {
  EXPECT_NE(fault_of(change_in({}, {.metric = "mrr@10"})).find("no final row"), std::string::npos);
  EXPECT_NE(fault_of(change_in(made_hours({0, 1}), {.metric = "mrr@5"})).find("they have mrr@10"), std::string::npos);
  EXPECT_NE(fault_of(change_in(made_hours({0, 1}), {.metric = "mrr@10", .window = "day"})).find("there are hour"),
            std::string::npos);
  EXPECT_NE(fault_of(change_in(made_hours({0, 1}), {.metric = "mrr@10", .by = "device"})).find("there are surface"),
            std::string::npos);
  auto rows = made_hours({0, 1});
  rows.back().evaluator = "other";
  EXPECT_NE(fault_of(change_in(rows, {.metric = "mrr@10"})).find("several evaluators, other, shop"), std::string::npos);
  rows = made_hours({0, 1});
  rows[0].metrics[0].value = 0.4;  // as of a mean over lists with items
  EXPECT_NE(fault_of(change_in(rows, {.metric = "mrr@10"})).find("do not add up"), std::string::npos);
}

TEST(Change, of_lanes_is_of_what_was_shown) {
  std::vector<Row> rows;
  for (Row& row : made_hours({0, 1})) {
    row.segment.insert(row.segment.begin(), {"recommender", "logged"});
    rows.push_back(row);
  }
  const auto change = change_in(rows, {.metric = "mrr@10"});
  ASSERT_TRUE(change) << fault_of(change);
  ASSERT_EQ(change->keys.size(), 1u);
  EXPECT_EQ(change->keys[0].key, "surface");
}

}  // namespace
}  // namespace recmeter::why
