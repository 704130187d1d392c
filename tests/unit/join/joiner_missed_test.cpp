// The items a list missed: what its user acted on within reach and it never showed. [S4].
#include <gtest/gtest.h>

#include "scripted_join.h"

namespace recmeter {
namespace {

using test::Grades;
using test::ScriptedJoin;
using test::small_rule;

TEST(Missed, are_items_acted_on_that_the_list_does_not_show) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(5, "click", "u", "x").feedback(6, "click", "u", "a").finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{1.0, 1}}));
}

TEST(Missed, have_the_largest_gain_of_their_actions_and_count_once) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(5, "click", "u", "x").feedback(6, "like", "u", "x").feedback(7, "click", "u", "y");
  join.feedback(8, "click", "u", "x").finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{3.0, 1}, {1.0, 1}}));
  EXPECT_EQ(join.scored("L").missed_items, 2U);
}

TEST(Missed, count_whatever_list_took_the_credit) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).list(1, "u", "M", {"x"}).feedback(5, "click", "u", "x").finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{1.0, 1}}));
  EXPECT_EQ(join.scored("M").missed_items, 0U);
}

TEST(Missed, count_feedback_with_a_list_id_too) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(5, "click", "u", "x", "L").finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{1.0, 1}}));
}

TEST(Missed, do_not_hold_a_shown_item_whose_action_went_elsewhere) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"x"}).list(1, "u", "M", {"x"}).feedback(5, "click", "u", "x").finish();
  EXPECT_EQ(join.scored("L").missed_items, 0U);
  EXPECT_TRUE(join.hits("L").empty());
}

TEST(Missed, need_an_action_with_gain_and_without_after) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(5, "view", "u", "x").feedback(6, "buy", "u", "y").finish();
  EXPECT_EQ(join.scored("L").missed_items, 0U);
}

TEST(Missed, end_with_the_horizon) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(99, "click", "u", "x").feedback(100, "click", "u", "y").finish();
  EXPECT_EQ(join.scored("L", 0).missed_items, 1U);
  EXPECT_EQ(join.scored("L", 1).missed_items, 2U);
}

TEST(Missed, reach_back_by_the_skew) {
  auto rule = small_rule();
  rule.skew = Duration{20};
  ScriptedJoin join(rule);
  join.feedback(79, "click", "u", "x").feedback(80, "click", "u", "y").list(100, "u", "L", {"a"}).finish();
  EXPECT_EQ(join.scored("L").missed_items, 1U);
}

TEST(Missed, belong_to_one_user) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(5, "click", "v", "x").finish();
  EXPECT_EQ(join.scored("L").missed_items, 0U);
}

JoinRule returns_rule() {
  JoinRule rule = small_rule();
  rule.actions.push_back({.name = "return", .gain = 0, .after = 1, .undoes = true, .horizon = Duration{60}});
  return rule;
}
constexpr const char* of_5 = R"(,"value":5)";
constexpr const char* of_8 = R"(,"value":8)";
constexpr const char* of_10 = R"(,"value":10)";

// [S4.16], last sentence.
TEST(Missed, are_not_items_whose_action_was_taken_back_whole) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"a"}).feedback(5, "like", "u", "x", "", of_5).feedback(6, "like", "u", "y", "", of_5);
  join.feedback(7, "return", "u", "x").feedback(8, "return", "u", "y", "", R"(,"value":4)").finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{3.0, 1}})) << "of y 1 is left";
}

TEST(Missed, keep_the_gain_of_another_action_that_was_not_taken_back) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"a"}).feedback(5, "like", "u", "x").feedback(6, "click", "u", "x").feedback(7, "return", "u", "x");
  join.finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{1.0, 1}}));
}

// Wherever they were credited: M took the purchase and the return.
TEST(Missed, are_taken_back_whatever_list_took_the_credit) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"a"}).list(1, "u", "M", {"x"}).feedback(5, "like", "u", "x", "", of_5);
  join.feedback(9, "return", "u", "x", "", of_5).finish();
  EXPECT_EQ(join.scored("L").missed_items, 0U);
  EXPECT_TRUE(join.hits("M").empty());
}

// 5 paid, 10 returned, 8 paid: 3 are left. A return that no purchase came before counts, too, but takes nothing without a
// value.
TEST(Missed, keep_an_overdraft_and_what_came_back_before_it_was_paid) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"a"});
  join.feedback(5, "like", "u", "x", "", of_5).feedback(6, "return", "u", "x", "", of_10);
  join.feedback(7, "like", "u", "x", "", of_8);
  join.feedback(8, "return", "u", "y", "", of_10).feedback(9, "like", "u", "y", "", of_8);
  join.feedback(10, "return", "u", "z").feedback(11, "like", "u", "z", "", of_8).finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{3.0, 2}})) << "x and z";
}

// The return's own horizon is 60 ms: at neither of the two is one of 70 ms in the range.
TEST(Missed, are_taken_back_within_the_lists_range_alone) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"a"}).feedback(30, "like", "u", "x", "", of_5).list(50, "u", "M", {"b"});
  join.feedback(70, "return", "u", "x", "", of_5).finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{3.0, 1}}));
  EXPECT_EQ(join.scored("M").missed_items, 0U) << "the purchase is not in its range";
}

TEST(Missed, at_one_time_are_paid_before_they_are_taken_back) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"a"}).feedback(5, "return", "u", "x").feedback(5, "like", "u", "x", "", of_5).finish();
  EXPECT_EQ(join.scored("L").missed_items, 0U);
}

TEST(Missed, are_not_looked_for_where_nobody_asks) {
  ScriptedJoin join(small_rule(), false);
  join.list(0, "u", "L", {"a"}).feedback(5, "click", "u", "x").finish();
  EXPECT_EQ(join.scored("L").missed_items, 0U);
}

// Much feedback makes a timeline heavy; that must not show.
TEST(Missed, are_the_same_for_a_user_with_much_feedback) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"x3", "x4"});
  for (int i = 0; i < 90; ++i) join.feedback(1 + i, "click", "u", "x" + std::to_string(i % 45));
  join.list(95, "u", "M", {"x44"}).feedback(96, "like", "u", "x1").finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{3.0, 1}, {1.0, 42}}));
  EXPECT_EQ(join.scored("M").missed, (Grades{{3.0, 1}}));
}

TEST(Missed, are_taken_back_the_same_for_a_user_with_much_feedback) {
  ScriptedJoin join(returns_rule());
  join.list(0, "u", "L", {"x3"});
  for (int i = 0; i < 50; ++i) {
    join.feedback(i, "like", "u", "x" + std::to_string(i % 25), "", of_5);
    if (i % 2 == 0) join.feedback(i, "return", "u", "x" + std::to_string(i % 25));
  }
  join.list(25, "u", "M", {"b"}).finish();
  EXPECT_EQ(join.scored("L").missed, (Grades{{3.0, 13}})) << "of the odd ones nothing is left";
  EXPECT_EQ(join.scored("M").missed, (Grades{{3.0, 13}}));
}

}  // namespace
}  // namespace recmeter
