// Scores, ratings and judged ranks of a list: what ListPart::feedback holds. [S4] and [S5], "Ratings".
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "scripted_join.h"

namespace recmeter {
namespace {

using test::Scored;
using test::ScriptedJoin;
using test::small_rule;

constexpr const char* scores_of_three = R"(,"scores":[4.5,2,0])";

// small_rule() and the action `rating`, of gain 0.
JoinRule rating_rule(Credit credit = Credit::last_touch) {
  JoinRule rule = small_rule();
  rule.credit = credit;
  rule.actions.push_back({.name = "rating", .gain = 0, .after = {}, .horizon = {}});
  return rule;
}

ScriptedJoin rated_join(Credit credit = Credit::last_touch) {
  return ScriptedJoin(rating_rule(credit), true, true);
}

// "1:5/4.5 2:3/-": rank, rating, prediction.
std::string ratings(const Scored& scored) {
  std::string text;
  for (const Rating& rating : scored.ratings) {
    std::ostringstream one;
    one << (text.empty() ? "" : " ") << rating.rank << ":" << rating.rating << "/";
    rating.has_prediction ? one << rating.prediction : one << "-";
    text += one.str();
  }
  return text;
}

TEST(Ratings, carry_the_score_their_item_was_shown_with) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a", "b", "c"}, scores_of_three)
      .feedback(10, "rating", "u", "c", "", R"(,"value":1)")
      .feedback(11, "rating", "u", "a", "", R"(,"value":5)")
      .finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(ratings(scored), "1:5/4.5 3:1/0");
  EXPECT_EQ(scored.judged, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(scored.credited, 2U);
  EXPECT_EQ(scored.credited_with_score, 2U);
  EXPECT_TRUE(scored.hits.empty()) << "of gain 0";
}

TEST(Ratings, without_a_score_have_no_prediction) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a", "b"}).feedback(10, "rating", "u", "b", "", R"(,"value":3)").finish();
  EXPECT_EQ(ratings(join.scored("L")), "2:3/-");
  EXPECT_EQ(join.scored("L").credited_with_score, 0U);
}

TEST(Ratings, without_a_value_judge_and_are_credited_but_rate_nothing) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a", "b", "c"}, scores_of_three).feedback(10, "rating", "u", "b").finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(ratings(scored), "");
  EXPECT_EQ(scored.judged, std::vector<std::uint32_t>{2});
  EXPECT_EQ(scored.credited, 1U);
  EXPECT_EQ(scored.credited_with_score, 1U);
}

TEST(Ratings, take_the_first_and_not_the_latest_value) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a"}, R"(,"scores":[1])")
      .feedback(10, "rating", "u", "a", "", R"(,"value":2)")
      .feedback(20, "rating", "u", "a", "", R"(,"value":5)")
      .finish();
  EXPECT_EQ(ratings(join.scored("L")), "1:2/1");
  EXPECT_EQ(join.scored("L").credited, 1U) << "a triple counts once";
}

TEST(Ratings, first_without_a_value_stay_without_one) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a"})
      .feedback(10, "rating", "u", "a")
      .feedback(20, "rating", "u", "a", "", R"(,"value":5)")
      .finish();
  EXPECT_EQ(ratings(join.scored("L")), "");
}

TEST(Ratings, of_other_actions_are_no_ratings) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a", "b"}).feedback(10, "click", "u", "a", "", R"(,"value":5)").finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(ratings(scored), "");
  EXPECT_EQ(scored.judged, std::vector<std::uint32_t>{1});
  EXPECT_EQ(scored.hits.size(), 1U);
}

// At 100 ms the rating at 120 reaches only "new", at 1000 ms first touch gives it to "old": what counts in "new" at 1000 ms
// is nothing, and in "old" only the longer horizon sees it.
TEST(Ratings, are_those_that_count_at_the_horizon_by_first_touch) {
  auto join = rated_join(Credit::first_touch);
  join.list(0, "u", "old", {"a"}, R"(,"scores":[1])")
      .list(90, "u", "new", {"a"}, R"(,"scores":[2])")
      .feedback(120, "rating", "u", "a", "", R"(,"value":3)")
      .feedback(130, "rating", "u", "a", "", R"(,"value":4)")
      .finish();
  EXPECT_EQ(ratings(join.scored("old", 0)), "");
  EXPECT_EQ(ratings(join.scored("old", 1)), "1:3/1");
  EXPECT_EQ(ratings(join.scored("new", 0)), "1:3/2");
  EXPECT_EQ(ratings(join.scored("new", 1)), "");
}

// The rating at 95 counts in "old" at both horizons and in "new" at none; the one at 150 counts in "new" at 100 ms only. The
// one named to "new" before it counts there at 1000 ms too.
TEST(Ratings, of_one_item_may_differ_between_horizons) {
  auto join = rated_join(Credit::first_touch);
  join.list(0, "u", "old", {"a"})
      .list(90, "u", "new", {"a"})
      .feedback(95, "rating", "u", "a", "", R"(,"value":1)")
      .feedback(150, "rating", "u", "a", "", R"(,"value":2)")
      .feedback(160, "rating", "u", "a", "new", R"(,"value":3)")
      .finish();
  EXPECT_EQ(ratings(join.scored("old", 0)), "1:1/-");
  EXPECT_EQ(ratings(join.scored("old", 1)), "1:1/-");
  EXPECT_EQ(ratings(join.scored("new", 0)), "1:2/-");
  EXPECT_EQ(ratings(join.scored("new", 1)), "1:3/-");
  EXPECT_EQ(join.scored("new", 0).credited, 1U);
  EXPECT_EQ(join.scored("new", 1).credited, 1U);
}

TEST(Ratings, go_to_every_list_by_every_touch) {
  auto join = rated_join(Credit::every_touch);
  join.list(0, "u", "old", {"a"}, R"(,"scores":[1])")
      .list(50, "u", "new", {"b", "a"}, R"(,"scores":[0,2])")
      .feedback(60, "rating", "u", "a", "", R"(,"value":4)")
      .finish();
  EXPECT_EQ(ratings(join.scored("old")), "1:4/1");
  EXPECT_EQ(ratings(join.scored("new")), "2:4/2");
}

TEST(Ratings, of_an_item_shown_twice_have_the_score_of_its_first_rank) {
  auto join = rated_join();
  join.list(0, "u", "L", {"b", "a", "a"}, scores_of_three).feedback(10, "rating", "u", "a", "", R"(,"value":4)").finish();
  EXPECT_EQ(ratings(join.scored("L")), "2:4/2");
}

TEST(Ratings, of_rows_have_the_score_of_their_row) {
  auto join = rated_join();
  join.row(0, "u", "L", "c", 3, R"(,"score":3)")
      .row(5, "u", "L", "a", 1)
      .row(10, "u", "L", "e", 5, R"(,"score":-1)")
      .row(12, "u", "L", "x", 3, R"(,"score":9)");
  EXPECT_FALSE(join.accepted()) << "the rank is taken";
  join.feedback(20, "rating", "u", "a", "", R"(,"value":1)")
      .feedback(20, "rating", "u", "c", "", R"(,"value":2)")
      .feedback(20, "rating", "u", "e", "", R"(,"value":5)")
      .finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(ratings(scored), "1:1/- 3:2/3 5:5/-1");
  EXPECT_EQ(scored.credited, 3U);
  EXPECT_EQ(scored.credited_with_score, 2U);
}

TEST(Ratings, count_each_action_on_an_item_as_a_credit_and_the_rank_once) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a", "b", "c"}, scores_of_three)
      .feedback(10, "click", "u", "b")
      .feedback(11, "view", "u", "b")
      .feedback(12, "buy", "u", "b")
      .feedback(13, "buy", "u", "b")
      .finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(scored.judged, std::vector<std::uint32_t>{2});
  EXPECT_EQ(scored.credited, 3U);
  EXPECT_EQ(scored.credited_with_score, 3U);
}

// More lists than are scanned: the timeline is indexed.
TEST(Ratings, are_found_in_heavy_timelines) {
  auto join = rated_join();
  for (int i = 0; i < 100; ++i) {
    const std::string id = "L" + std::to_string(i);
    join.list(i, "u", id, {"a", "b" + std::to_string(i)}, R"(,"scores":[1,)" + std::to_string(i) + "]");
  }
  for (int i = 0; i < 100; ++i) {
    join.feedback(100, "rating", "u", "b" + std::to_string(i), "", R"(,"value":)" + std::to_string(i % 5));
  }
  join.finish();
  EXPECT_EQ(ratings(join.scored("L37", 1)), "2:2/37");
  EXPECT_EQ(ratings(join.scored("L99", 1)), "2:4/99");
}

// gain 2 from 4 on.
JoinRule from_rule(Credit credit = Credit::last_touch) {
  JoinRule rule = rating_rule(credit);
  rule.actions.back().gain = 2;
  rule.actions.back().from = 4;
  return rule;
}
ScriptedJoin from_join(Credit credit = Credit::last_touch) {
  return ScriptedJoin(from_rule(credit), true, false);
}

TEST(RelevantRatings, are_those_from_a_value_on) {
  auto join = from_join();
  join.list(0, "u", "L", {"a", "b", "c", "d"})
      .feedback(10, "rating", "u", "a", "", R"(,"value":4)")
      .feedback(20, "rating", "u", "b", "", R"(,"value":3.99)")
      .feedback(30, "rating", "u", "c")
      .feedback(40, "rating", "u", "d", "", R"(,"value":5)")
      .feedback(50, "click", "u", "b")
      .finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(scored.hits, (test::Hits{{1, 2}, {2, 1}, {4, 2}})) << "b by its click alone";
  EXPECT_EQ(scored.feedback[4].credited, 4U);
}

TEST(RelevantRatings, go_by_the_first_of_an_item) {
  auto join = from_join();
  join.list(0, "u", "L", {"a", "b", "c"})
      .feedback(10, "rating", "u", "a", "", R"(,"value":1)")
      .feedback(20, "rating", "u", "b", "", R"(,"value":5)")
      .feedback(25, "rating", "u", "c")
      .feedback(30, "rating", "u", "a", "", R"(,"value":5)")
      .feedback(40, "rating", "u", "b", "", R"(,"value":1)")
      .feedback(45, "rating", "u", "c", "", R"(,"value":5)")
      .finish();
  EXPECT_EQ(join.hits("L"), (test::Hits{{2, 2}}));
  EXPECT_EQ(join.scored("L").feedback[4].repeated, 3U);
}

// Above the mean of what the user rated before.
ScriptedJoin mean_join() {
  JoinRule rule = from_rule();
  rule.actions.back().from.reset();
  rule.actions.back().is_from_mean = true;
  return ScriptedJoin(rule, true, false);
}

TEST(RatingsAboveTheMean, are_above_that_of_the_user_s_earlier_ones) {
  auto join = mean_join();
  join.list(0, "u", "L", {"a", "b", "c", "d", "e"})
      .feedback(5, "rating", "v", "a", "", R"(,"value":1)")
      .feedback(10, "rating", "u", "a", "", R"(,"value":3)")     // the first
      .feedback(20, "rating", "u", "b", "", R"(,"value":3)")     // the mean
      .feedback(30, "rating", "u", "c", "", R"(,"value":3.1)")   // above it
      .feedback(35, "rating", "u", "x")                          // no value: no part of a mean
      .feedback(40, "rating", "u", "d", "", R"(,"value":3.03)")  // 9.1 / 3 = 3.0333
      .feedback(50, "rating", "u", "e", "", R"(,"value":3.04)")  // 12.13 / 4 = 3.0325
      .finish();
  EXPECT_EQ(join.hits("L"), (test::Hits{{3, 2}, {5, 2}}));
  EXPECT_EQ(join.scored("L").feedback[4].credited, 5U);
}

// Ratings of what no list has, and ones that repeat another, are ratings before.
TEST(RatingsAboveTheMean, are_so_whatever_list_takes_the_credit) {
  auto join = mean_join();
  join.feedback(0, "rating", "u", "z", "", R"(,"value":1)")
      .list(1, "u", "L", {"a", "b"})
      .feedback(10, "rating", "u", "a", "", R"(,"value":2)")
      .feedback(20, "rating", "u", "a", "", R"(,"value":5)")
      .feedback(30, "rating", "u", "b", "", R"(,"value":2.5)")
      .finish();
  EXPECT_EQ(join.hits("L"), (test::Hits{{1, 2}})) << "2.5 is not above (1 + 2 + 5) / 3";
}

TEST(RatingsAboveTheMean, make_items_missed) {
  for (const int others : {0, 100}) {  // more than are scanned: indexed
    auto join = mean_join();
    join.list(0, "u", "L", {"a"});
    for (int i = 0; i < others; ++i) join.feedback(1, "view", "u", "v" + std::to_string(i));
    join.feedback(10, "rating", "u", "x", "", R"(,"value":3)")
        .feedback(20, "rating", "u", "y", "", R"(,"value":4)")
        .feedback(30, "rating", "u", "z", "", R"(,"value":2)")
        .finish();
    EXPECT_EQ(join.scored("L").missed, (test::Grades{{2, 1}})) << others;
  }
}

// At 100 ms "new" has the rating of 5 at 150 as its first, at 1000 ms the one of 3 that names it.
TEST(RelevantRatings, may_differ_between_horizons) {
  auto join = from_join(Credit::first_touch);
  join.list(0, "u", "old", {"a"})
      .list(90, "u", "new", {"a"})
      .feedback(95, "rating", "u", "a", "", R"(,"value":4)")
      .feedback(150, "rating", "u", "a", "", R"(,"value":5)")
      .feedback(160, "rating", "u", "a", "new", R"(,"value":3)")
      .finish();
  EXPECT_EQ(join.hits("old", 0), (test::Hits{{1, 2}}));
  EXPECT_EQ(join.hits("old", 1), (test::Hits{{1, 2}}));
  EXPECT_EQ(join.hits("new", 0), (test::Hits{{1, 2}}));
  EXPECT_TRUE(join.hits("new", 1).empty());
}

TEST(RelevantRatings, make_items_missed_where_one_of_them_is_relevant) {
  for (const int others : {0, 100}) {  // more than are scanned: indexed
    auto join = from_join();
    join.list(0, "u", "L", {"a"});
    for (int i = 0; i < others; ++i) join.feedback(1, "view", "u", "v" + std::to_string(i));
    join.feedback(10, "rating", "u", "x", "", R"(,"value":3)")
        .feedback(20, "rating", "u", "x", "", R"(,"value":4)")
        .feedback(30, "rating", "u", "y", "", R"(,"value":3)")
        .feedback(40, "rating", "u", "z")
        .finish();
    EXPECT_EQ(join.scored("L").missed, (test::Grades{{2, 1}})) << others;
  }
}

// A timeline that becomes heavy with the relevant ratings already there, and with lists after.
TEST(RelevantRatings, are_told_apart_in_heavy_timelines) {
  auto join = from_join();
  join.list(0, "u", "L", {"a"})
      .feedback(1, "rating", "u", "x", "", R"(,"value":3)")
      .feedback(2, "rating", "u", "y", "", R"(,"value":4)");
  for (int i = 0; i < 100; ++i) join.list(3, "u", "M" + std::to_string(i), {"b"});
  join.feedback(4, "rating", "u", "p", "", R"(,"value":5)").feedback(5, "rating", "u", "q", "", R"(,"value":1)").finish();
  EXPECT_EQ(join.scored("L").missed, (test::Grades{{2, 2}})) << "y and p";
  EXPECT_EQ(join.scored("M7").missed, (test::Grades{{2, 1}})) << "p";
}

// "1:2-5": rank, the first rating, the repeated one.
std::string retests(const Scored& scored) {
  std::string text;
  for (const Retest& retest : scored.retests) {
    std::ostringstream one;
    one << (text.empty() ? "" : " ") << retest.rank << ":" << retest.first << "-" << retest.again;
    text += one.str();
  }
  return text;
}
ScriptedJoin retested_join(Credit credit = Credit::last_touch) {
  return ScriptedJoin(rating_rule(credit), true, true, true);
}

TEST(Retests, are_what_each_repeated_rating_says_beside_the_first) {
  auto join = retested_join();
  join.list(0, "u", "L", {"a", "b"})
      .feedback(10, "rating", "u", "b", "", R"(,"value":2)")
      .feedback(20, "rating", "u", "a", "", R"(,"value":4)")
      .feedback(30, "rating", "u", "b", "", R"(,"value":5)")
      .feedback(40, "rating", "u", "b", "", R"(,"value":1)")
      .feedback(50, "rating", "u", "a", "", R"(,"value":4)")
      .feedback(60, "click", "u", "a", "", R"(,"value":1)")
      .feedback(70, "click", "u", "a", "", R"(,"value":1)")
      .finish();
  const Scored scored = join.scored("L");
  EXPECT_EQ(retests(scored), "1:4-4 2:2-5 2:2-1");
  EXPECT_EQ(ratings(scored), "1:4/- 2:2/-");
  EXPECT_EQ(scored.credited, 3U);
  EXPECT_EQ(scored.feedback[4].repeated, 3U);
}

TEST(Retests, need_a_value_on_both_sides) {
  auto join = retested_join();
  join.list(0, "u", "L", {"a", "b"})
      .feedback(10, "rating", "u", "a")
      .feedback(20, "rating", "u", "a", "", R"(,"value":5)")
      .feedback(30, "rating", "u", "a", "", R"(,"value":4)")
      .feedback(40, "rating", "u", "b", "", R"(,"value":3)")
      .feedback(50, "rating", "u", "b")
      .feedback(60, "rating", "u", "b", "", R"(,"value":1)")
      .finish();
  EXPECT_EQ(retests(join.scored("L")), "2:3-1");
  EXPECT_EQ(join.scored("L").feedback[4].repeated, 4U);
}

// "new" takes the rating at 120 at 100 ms only: first touch gives it to "old" where that is within the horizon.
TEST(Retests, are_those_of_the_list_at_the_horizon) {
  auto join = retested_join(Credit::first_touch);
  join.list(0, "u", "old", {"a"})
      .list(90, "u", "new", {"a"})
      .feedback(95, "rating", "u", "a", "", R"(,"value":1)")
      .feedback(120, "rating", "u", "a", "", R"(,"value":3)")
      .feedback(130, "rating", "u", "a", "", R"(,"value":4)")
      .finish();
  EXPECT_EQ(retests(join.scored("old", 0)), "");
  EXPECT_EQ(retests(join.scored("old", 1)), "1:1-3 1:1-4");
  EXPECT_EQ(retests(join.scored("new", 0)), "1:3-4");
  EXPECT_EQ(retests(join.scored("new", 1)), "");
}

TEST(Retests, are_not_looked_for_unless_asked_for) {
  auto join = rated_join();
  join.list(0, "u", "L", {"a"})
      .feedback(10, "rating", "u", "a", "", R"(,"value":2)")
      .feedback(20, "rating", "u", "a", "", R"(,"value":5)")
      .finish();
  EXPECT_EQ(retests(join.scored("L")), "");
  EXPECT_EQ(join.scored("L").feedback[4].repeated, 1U);
}

TEST(Ratings, are_not_looked_for_unless_asked_for) {
  ScriptedJoin join(rating_rule(), true, false);
  join.list(0, "u", "L", {"a", "b", "c"}, scores_of_three).feedback(10, "rating", "u", "a", "", R"(,"value":5)").finish();
  const Scored scored = join.scored("L");
  EXPECT_TRUE(scored.ratings.empty());
  EXPECT_TRUE(scored.judged.empty());
  EXPECT_EQ(scored.credited, 0U);
}

}  // namespace
}  // namespace recmeter
