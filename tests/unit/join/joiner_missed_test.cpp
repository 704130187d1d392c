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

}  // namespace
}  // namespace recmeter
