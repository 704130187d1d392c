// How impressions become lists, when they are scored, and what is forgotten. [S3] (duplicates, rows) and [S4].
#include <gtest/gtest.h>

#include "scripted_join.h"

namespace recmeter {
namespace {

using test::Hits;
using test::ScriptedJoin;
using test::small_rule;

TEST(SameList, makes_a_repetition_a_duplicate_until_just_before_its_end) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).list(499, "u", "L", {"a"});
  EXPECT_FALSE(join.accepted());
  EXPECT_EQ(join.joiner().lists_opened(), 1U);
}

TEST(SameList, lets_a_new_list_open_at_its_end) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).list(500, "u", "L", {"b"});
  EXPECT_TRUE(join.accepted());
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
}

TEST(SameList, counts_from_the_latest_repetition_duplicates_included) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).list(400, "u", "L", {"a"}).list(800, "u", "L", {"a"});
  EXPECT_FALSE(join.accepted()) << "800 - 400 < 500";
  join.list(1300, "u", "L", {"a"});
  EXPECT_TRUE(join.accepted());
}

TEST(SameList, is_remembered_after_the_list_itself_is_forgotten) {
  auto rule = small_rule();
  rule.horizons = {Duration{100}};
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a"});
  std::int64_t ms = 0;
  for (int i = 0; i < 10; ++i) {
    ms += 450;
    join.advance(ms).list(ms, "u", "L", {"a"});
    ASSERT_FALSE(join.accepted()) << ms;
  }
  join.advance(ms + 500).list(ms + 500, "u", "L", {"a"});
  EXPECT_TRUE(join.accepted());
}

TEST(SameList, tells_users_and_list_ids_apart) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).list(1, "v", "L", {"a"}).list(2, "u", "M", {"a"});
  EXPECT_EQ(join.joiner().lists_opened(), 3U);
}

TEST(Labels, are_given_with_those_of_the_newest_list_of_the_user) {
  auto rule = small_rule();
  rule.key.not_users = {"0"};
  ScriptedJoin join(rule);
  join.list(0, "u", "A", {"a"}).list(10, "v", "B", {"a"}).list(20, "u", "C", {"a"}).row(30, "u", "D", "a", 1);
  join.list(40, "0", "E", {"a"}).list(600, "0", "E", {"a"});
  EXPECT_EQ(join.labels_before(), (std::vector<std::uint32_t>{0, 0, 1, 3, 0, 0})) << "of a placeholder nobody knows the user";
}

TEST(Labels, of_a_forgotten_list_are_not_given) {
  ScriptedJoin join;
  join.list(0, "u", "A", {"a"}).advance(1001).list(1001, "u", "B", {"a"});
  EXPECT_EQ(join.labels_before(), (std::vector<std::uint32_t>{0, 0}));
}

TEST(Rows, become_one_list_whatever_their_order) {
  ScriptedJoin join;
  join.row(0, "u", "L", "b", 2).row(10, "u", "L", "a", 1).row(49, "u", "L", "c", 3).finish();
  EXPECT_TRUE(join.accepted());
  EXPECT_EQ(join.assembled_items().at("L"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Rows, that_come_when_assembly_ends_are_duplicates) {
  ScriptedJoin join;
  join.row(0, "u", "L", "a", 1).row(50, "u", "L", "b", 2);
  EXPECT_FALSE(join.accepted());
  join.finish();
  EXPECT_EQ(join.assembled_items().at("L"), std::vector<std::string>{"a"});
}

TEST(Rows, that_open_a_list_are_in_it_where_nothing_is_gathered) {
  JoinRule rule = small_rule();
  rule.assemble = Duration{0};
  ScriptedJoin join(rule);
  join.row(0, "u", "L", "a", 1);
  EXPECT_TRUE(join.accepted());
  join.row(0, "u", "L", "b", 2);
  EXPECT_FALSE(join.accepted());
  join.finish();
  EXPECT_EQ(join.assembled_items().at("L"), std::vector<std::string>{"a"});
}

TEST(Rows, for_a_taken_position_are_duplicates) {
  ScriptedJoin join;
  join.row(0, "u", "L", "a", 1).row(1, "u", "L", "b", 1);
  EXPECT_FALSE(join.accepted());
}

TEST(Rows, leave_ranks_nobody_reported_empty) {
  ScriptedJoin join;
  join.row(0, "u", "L", "d", 4).feedback(1, "click", "u", "d").finish();
  EXPECT_EQ(join.assembled_items().at("L"), (std::vector<std::string>{"", "", "", "d"}));
  EXPECT_EQ(join.hits("L"), (Hits{{4, 1.0}}));
  EXPECT_EQ(join.scored("L").length, 4U);
}

TEST(Rows, and_whole_lists_make_one_list) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).row(1, "u", "L", "b", 2);
  join.row(2, "u", "M", "b", 2).list(3, "u", "M", {"a"}).finish();
  EXPECT_EQ(join.assembled_items().at("L"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(join.assembled_items().at("M"), (std::vector<std::string>{"a", "b"}));
}

// Times of a small_rule(): assemble 50 ms, same_list 500 ms.
TEST(Rows, beside_a_whole_list_bring_only_items_that_it_has_not) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).row(1, "u", "L", "b", 3);
  EXPECT_EQ(join.duplicate(), DuplicateReason::shown);
  join.row(2, "u", "L", "b", 1);
  EXPECT_EQ(join.duplicate(), DuplicateReason::shown) << "and not taken";
  join.row(3, "u", "L", "c", 1);
  EXPECT_EQ(join.duplicate(), DuplicateReason::taken);
  join.row(49, "u", "L", "c", 3);
  EXPECT_TRUE(join.accepted());
  join.row(50, "u", "L", "a", 4);
  EXPECT_EQ(join.duplicate(), DuplicateReason::shown) << "and not late";
  join.row(50, "u", "L", "d", 2);
  EXPECT_EQ(join.duplicate(), DuplicateReason::late_row) << "a row opens no list beside it";
  join.finish();
  EXPECT_EQ(join.assembled_items().at("L"), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Rows, before_a_whole_list_keep_their_ranks_and_items) {
  ScriptedJoin join;
  join.row(0, "u", "L", "b", 1).list(1, "u", "L", {"a", "b"}).row(2, "u", "L", "b", 3).finish();
  EXPECT_EQ(join.assembled_items().at("L"), (std::vector<std::string>{"b", "a", "b"})) << "rank 1 is taken, so a is at 2";
}

TEST(Rows, show_their_item_from_their_own_time_on) {
  ScriptedJoin join;
  join.row(0, "u", "L", "a", 1).feedback(19, "click", "u", "b", "L").row(20, "u", "L", "b", 2);
  join.row(20, "u", "L", "c", 3).feedback(20, "click", "u", "c", "L").finish();
  EXPECT_EQ(join.hits("L"), (Hits{{3, 1.0}}));
  EXPECT_EQ(join.joiner().outcomes().not_in_list, 1U);
}

TEST(Rows, show_their_item_earlier_by_the_skew) {
  auto rule = small_rule();
  rule.skew = Duration{5};
  ScriptedJoin join(rule);
  join.row(0, "u", "L", "a", 1).feedback(14, "click", "u", "b", "L").feedback(15, "click", "u", "b", "L");
  join.row(20, "u", "L", "b", 2).finish();
  EXPECT_EQ(join.hits("L"), (Hits{{2, 1.0}}));
  EXPECT_EQ(join.joiner().outcomes().credited, 1U);
  EXPECT_EQ(join.joiner().outcomes().not_in_list, 1U);
}

TEST(Rows, give_an_item_shown_twice_the_rank_of_its_first) {
  ScriptedJoin join;
  join.row(0, "u", "L", "a", 3).row(1, "u", "L", "a", 1).feedback(2, "click", "u", "a").finish();
  EXPECT_EQ(join.hits("L"), (Hits{{1, 1.0}}));
}

TEST(Scoring, happens_when_the_watermark_reaches_the_end_of_the_horizon) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).advance(99);
  EXPECT_TRUE(join.order(0).empty());
  join.advance(100);
  EXPECT_EQ(join.order(0), std::vector<std::string>{"L"});
  EXPECT_TRUE(join.order(1).empty());
  join.advance(1000);
  EXPECT_EQ(join.order(1), std::vector<std::string>{"L"});
}

TEST(Scoring, waits_for_the_skew_too) {
  auto rule = small_rule();
  rule.skew = Duration{7};
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a"}).advance(106);
  EXPECT_TRUE(join.order(0).empty());
  join.advance(107);
  EXPECT_EQ(join.order(0).size(), 1U);
}

TEST(Scoring, is_in_the_order_of_list_times_and_once_per_horizon) {
  ScriptedJoin join;
  join.list(0, "u", "1", {"a"}).list(5, "v", "2", {"a"}).list(5, "u", "3", {"a"}).advance(104);
  join.list(200, "w", "4", {"a"}).advance(250).finish();
  EXPECT_EQ(join.order(0), (std::vector<std::string>{"1", "2", "3", "4"}));
  EXPECT_EQ(join.order(1), (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST(Scoring, gives_an_empty_list_its_length_of_zero) {
  ScriptedJoin join;
  join.list(0, "u", "L", {}).feedback(1, "click", "u", "x").finish();
  EXPECT_EQ(join.scored("L").length, 0U);
  EXPECT_EQ(join.scored("L").missed_items, 1U);
}

TEST(Joiner, tells_its_oldest_list_not_yet_scored_and_not_yet_assembled) {
  ScriptedJoin join;
  EXPECT_EQ(join.joiner().first_unscored(HorizonIndex{0}), plus_infinity);
  join.list(0, "u", "L", {"a"}).list(30, "u", "M", {"a"});
  EXPECT_EQ(join.joiner().first_unscored(HorizonIndex{0}), support::at(0));
  EXPECT_EQ(join.joiner().first_unassembled(), support::at(0));
  join.advance(100);
  EXPECT_EQ(join.joiner().first_unscored(HorizonIndex{0}), support::at(30));
  EXPECT_EQ(join.joiner().first_unscored(HorizonIndex{1}), support::at(0));
  EXPECT_EQ(join.joiner().first_unassembled(), plus_infinity);
}

TEST(Joiner, decides_the_same_in_one_step_as_in_many) {
  const auto script = [](ScriptedJoin& join, bool small_steps) {
    for (int i = 0; i < 400; ++i) {
      const std::string user = "u" + std::to_string(i % 3);
      join.list(i * 7, user, "L" + std::to_string(i), {"x" + std::to_string(i % 5), "x" + std::to_string(i % 4)});
      join.feedback(i * 7 + 3, i % 2 == 0 ? "click" : "like", user, "x" + std::to_string(i % 6));
      if (small_steps) join.advance(i * 7 + 4);
    }
    join.finish();
  };
  ScriptedJoin at_once;
  ScriptedJoin stepwise;
  script(at_once, false);
  script(stepwise, true);
  EXPECT_EQ(at_once.joiner().outcomes(), stepwise.joiner().outcomes());
  for (int i = 0; i < 400; ++i) {
    const std::string id = "L" + std::to_string(i);
    for (const std::size_t h : {0U, 1U}) {
      EXPECT_EQ(at_once.hits(id, h), stepwise.hits(id, h));
      EXPECT_EQ(at_once.scored(id, h).missed, stepwise.scored(id, h).missed);
    }
  }
}

}  // namespace
}  // namespace recmeter
