// Which list feedback is credited to, at which horizon, and what becomes of the rest. [S4].
#include <gtest/gtest.h>

#include "scripted_join.h"

namespace recmeter {
namespace {

using test::Hits;
using test::ScriptedJoin;
using test::small_rule;

const Hits none{};
const Hits second{{2, 1.0}};  // a click on rank 2

OutcomeCounts outcomes(std::uint64_t credited, std::uint64_t repeated, std::uint64_t organic, std::uint64_t not_in_list,
                       std::uint64_t unmatched) {
  OutcomeCounts counts;
  counts.credited = credited;
  counts.repeated = repeated;
  counts.organic = organic;
  counts.not_in_list = not_in_list;
  counts.unmatched = unmatched;
  return counts;
}

TEST(Credit, goes_to_the_rank_of_the_item) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b", "c"}).feedback(10, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), second);
  EXPECT_EQ(join.scored("L").length, 3U);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 0, 0, 0));
}

TEST(Credit, reaches_from_the_lists_time_to_just_before_the_horizon) {
  for (const auto& [delay, hit] : {std::pair{0, true}, {99, true}, {100, false}}) {
    ScriptedJoin join;
    join.list(0, "u", "L", {"a", "b"}).feedback(delay, "click", "u", "b").finish();
    EXPECT_EQ(join.hits("L", 0), hit ? second : none) << delay;
    EXPECT_EQ(join.hits("L", 1), second) << "the longer horizon holds it anyway";
  }
}

TEST(Credit, forgives_clocks_by_the_skew_and_no_more) {
  for (const auto& [early, hit] : {std::pair{20, true}, {21, false}}) {
    auto rule = small_rule();
    rule.skew = Duration{20};
    ScriptedJoin join(rule);
    join.feedback(100 - early, "click", "u", "b").list(100, "u", "L", {"a", "b"}).finish();
    EXPECT_EQ(join.hits("L"), hit ? second : none) << early;
  }
}

TEST(Credit, goes_to_the_latest_list_by_last_touch) {
  ScriptedJoin join;
  join.list(0, "u", "old", {"a", "b"}).list(10, "u", "new", {"a", "b"}).feedback(20, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("old"), none);
  EXPECT_EQ(join.hits("new"), second);
}

TEST(Credit, passes_over_a_later_list_without_the_item) {
  ScriptedJoin join;
  join.list(0, "u", "old", {"a", "b"}).list(10, "u", "new", {"a", "c"}).feedback(20, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("old"), second);
}

TEST(Credit, goes_to_the_earliest_list_by_first_touch) {
  auto rule = small_rule();
  rule.credit = Credit::first_touch;
  ScriptedJoin join(rule);
  join.list(0, "u", "old", {"a", "b"}).list(10, "u", "new", {"a", "b"}).feedback(20, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("old"), second);
  EXPECT_EQ(join.hits("new"), none);
}

TEST(Credit, is_decided_at_each_horizon_by_itself) {
  auto rule = small_rule();
  rule.credit = Credit::first_touch;
  ScriptedJoin join(rule);
  join.list(0, "u", "old", {"a", "b"}).list(90, "u", "new", {"a", "b"}).feedback(150, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("old", 0), none) << "150 ms are beyond the short horizon";
  EXPECT_EQ(join.hits("new", 0), second);
  EXPECT_EQ(join.hits("old", 1), second);
  EXPECT_EQ(join.hits("new", 1), none);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 0, 0, 0)) << "one feedback, one outcome";
}

TEST(Credit, goes_to_all_lists_by_every_touch) {
  auto rule = small_rule();
  rule.credit = Credit::every_touch;
  ScriptedJoin join(rule);
  join.list(0, "u", "one", {"a", "b"}).list(10, "u", "two", {"a", "b"}).feedback(20, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("one"), second);
  EXPECT_EQ(join.hits("two"), second);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 0, 0, 0));
}

TEST(Credit, under_every_touch_is_repeated_only_when_new_to_no_list) {
  auto rule = small_rule();
  rule.credit = Credit::every_touch;
  ScriptedJoin join(rule);
  join.list(0, "u", "one", {"a", "b"}).feedback(5, "click", "u", "b");
  join.list(10, "u", "two", {"a", "b"}).feedback(20, "click", "u", "b").feedback(30, "click", "u", "b").finish();
  EXPECT_EQ(join.joiner().outcomes(), outcomes(2, 1, 0, 0, 0));
  EXPECT_EQ(join.scored("one").feedback[0].repeated, 2U) << "[S4.13]: once for each list it is assigned to";
  EXPECT_EQ(join.scored("two").feedback[0].repeated, 1U);
}

TEST(Credit, of_lists_of_equal_time_is_settled_by_the_bytes_of_their_ids) {
  for (const Credit credit : {Credit::last_touch, Credit::first_touch}) {
    auto rule = small_rule();
    rule.credit = credit;
    ScriptedJoin join(rule);
    join.list(0, "u", "L10", {"b"})
        .list(0, "u", "L2", {"b"})
        .list(0, "u", "L9", {"b"})
        .feedback(5, "click", "u", "b")
        .finish();
    EXPECT_EQ(join.hits("L10").size(), credit == Credit::first_touch ? 1U : 0U);
    EXPECT_EQ(join.hits("L2").size(), 0U);
    EXPECT_EQ(join.hits("L9").size(), credit == Credit::last_touch ? 1U : 0U);
  }
}

TEST(Credit, follows_a_list_id_whatever_the_credit_rule) {
  for (const Credit credit : {Credit::last_touch, Credit::first_touch, Credit::every_touch}) {
    auto rule = small_rule();
    rule.credit = credit;
    ScriptedJoin join(rule);
    join.list(0, "u", "one", {"b"}).list(1, "u", "two", {"b"}).list(2, "u", "three", {"b"});
    join.feedback(5, "click", "u", "b", "two").finish();
    EXPECT_EQ(join.hits("one").size() + join.hits("three").size(), 0U);
    EXPECT_EQ(join.hits("two").size(), 1U);
  }
}

TEST(Credit, with_a_list_id_goes_to_the_latest_list_of_that_id) {
  auto rule = small_rule();
  rule.same_list = Duration{50};
  rule.credit = Credit::first_touch;
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"b"}).list(60, "u", "L", {"c", "b"}).feedback(70, "click", "u", "b", "L").finish();
  EXPECT_EQ(join.hits_of_each("L", 0), (std::vector<Hits>{none, second}));
}

TEST(Credit, belongs_to_lists_of_the_same_user_only) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"b"}).feedback(5, "click", "v", "b", "L").feedback(6, "click", "v", "b").finish();
  EXPECT_EQ(join.hits("L"), none);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(0, 0, 1, 0, 1));
}

TEST(Credit, counts_a_list_item_and_action_once) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).feedback(5, "click", "u", "b").feedback(6, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), second);
  EXPECT_EQ(join.scored("L").feedback[0].credited, 1U);
  EXPECT_EQ(join.scored("L").feedback[0].repeated, 1U);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 1, 0, 0, 0));
}

TEST(Credit, gives_an_item_the_largest_gain_of_its_actions) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).feedback(5, "like", "u", "b").feedback(6, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), (Hits{{2, 3.0}}));
}

TEST(Credit, of_an_action_without_gain_is_counted_and_makes_nothing_relevant) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).feedback(5, "view", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), none);
  EXPECT_EQ(join.scored("L").feedback[2].credited, 1U);
}

TEST(Credit, of_an_item_shown_twice_goes_to_its_first_rank) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b", "b"}).feedback(5, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), second);
}

TEST(Credit, ends_with_the_actions_own_horizon) {
  auto rule = small_rule();
  rule.actions[0].horizon = Duration{30};
  for (const auto& [delay, hit] : {std::pair{29, true}, {30, false}}) {
    ScriptedJoin join(rule);
    join.list(0, "u", "L", {"a", "b"}).feedback(delay, "click", "u", "b").finish();
    EXPECT_EQ(join.hits("L", 1), hit ? second : none) << delay;
  }
}

TEST(After, fits_only_where_the_first_action_was_credited) {
  ScriptedJoin join;
  join.list(0, "u", "clicked", {"a", "b"}).feedback(5, "click", "u", "b");
  join.list(10, "u", "seen", {"a", "b"}).feedback(20, "buy", "u", "b").finish();
  EXPECT_EQ(join.hits("clicked"), (Hits{{2, 5.0}})) << "the later list shows it too, but nothing was clicked there";
  EXPECT_EQ(join.hits("seen"), none);
}

TEST(After, does_not_fit_before_the_first_action) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).feedback(5, "buy", "u", "b").feedback(6, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), second);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 1, 0, 0));
}

TEST(After, holds_at_equal_times_in_whatever_order_they_were_filed) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).feedback(5, "buy", "u", "b").feedback(5, "click", "u", "b").finish();
  EXPECT_EQ(join.hits("L"), (Hits{{2, 5.0}}));
  EXPECT_EQ(join.joiner().outcomes(), outcomes(2, 0, 0, 0, 0));
}

TEST(After, needs_the_first_action_at_the_same_horizon) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).feedback(150, "click", "u", "b").feedback(160, "buy", "u", "b").finish();
  EXPECT_EQ(join.hits("L", 0), none);
  EXPECT_EQ(join.hits("L", 1), (Hits{{2, 5.0}}));
}

TEST(Outcome, is_not_in_list_when_the_list_lacks_the_item) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(999, "click", "u", "x", "L").finish();
  EXPECT_EQ(join.joiner().outcomes(), outcomes(0, 0, 0, 1, 0));
}

TEST(Outcome, is_unmatched_when_the_list_is_out_of_reach) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(1000, "click", "u", "a", "L").finish();
  EXPECT_EQ(join.joiner().outcomes(), outcomes(0, 0, 0, 0, 1));
}

TEST(Outcome, is_unmatched_when_there_is_no_such_list) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(5, "click", "u", "a", "M").finish();
  EXPECT_EQ(join.joiner().outcomes(), outcomes(0, 0, 0, 0, 1));
}

TEST(Outcome, is_organic_without_a_list_id_and_without_a_list_it_fits) {
  ScriptedJoin join;
  join.feedback(0, "click", "u", "a").list(1, "u", "L", {"a"}).feedback(5, "click", "u", "x").finish();
  EXPECT_EQ(join.joiner().outcomes(), outcomes(0, 0, 2, 0, 0));
}

TEST(Outcome, is_pending_until_the_watermark_has_passed_time_and_skew) {
  auto rule = small_rule();
  rule.skew = Duration{20};
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a"}).feedback(10, "click", "u", "a").advance(30);
  EXPECT_EQ(join.joiner().outcomes().pending, 1U) << "W = t + skew: a list of that very time may still come";
  join.advance(31);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 0, 0, 0));
}

TEST(Nobody, joins_by_list_id_without_user_scope) {
  auto rule = small_rule();
  rule.key.not_users = {"anonymous", "0"};
  ScriptedJoin join(rule);
  join.list(0, "anonymous", "L", {"a", "b"}).feedback(5, "click", "0", "b", "L").feedback(6, "click", "0", "b").finish();
  EXPECT_EQ(join.hits("L"), second);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 1, 0, 0)) << "without a list id it is organic";
  EXPECT_EQ(join.scored("L").missed_items, 0U);
}

TEST(Nobody, is_not_the_user_of_the_same_list_id) {
  auto rule = small_rule();
  rule.key.not_users = {"0"};
  ScriptedJoin join(rule);
  join.list(0, "0", "L", {"b"}).list(1, "u", "L", {"c", "b"}).feedback(5, "click", "u", "b", "L").finish();
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
  EXPECT_EQ(join.joiner().outcomes(), outcomes(1, 0, 0, 0, 0));
}

TEST(KeyList, joins_whoever_acted) {
  auto rule = small_rule();
  rule.key.by = JoinKey::By::list;
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a", "b"}).feedback(5, "click", "v", "b", "L").finish();
  EXPECT_EQ(join.hits("L"), second);
}

// From 32 lists on a timeline is indexed; nothing may change by that.
TEST(Credit, is_the_same_for_a_user_with_many_lists) {
  for (const Credit credit : {Credit::last_touch, Credit::first_touch}) {
    auto rule = small_rule();
    rule.credit = credit;
    ScriptedJoin join(rule);
    for (int i = 0; i < 80; ++i) join.list(i, "u", "L" + std::to_string(100 + i), {"x" + std::to_string(i % 7), "b"});
    join.feedback(90, "click", "u", "x3")
        .feedback(91, "click", "u", "b", "L120")
        .feedback(92, "click", "u", "x3", "L101")
        .finish();
    for (int i = 0; i < 80; ++i) {
      const bool by_touch = i == (credit == Credit::last_touch ? 73 : 3);
      const Hits expected = by_touch ? Hits{{1, 1.0}} : i == 20 ? second : none;
      EXPECT_EQ(join.hits("L" + std::to_string(100 + i)), expected) << i;
    }
    EXPECT_EQ(join.joiner().outcomes(), outcomes(2, 0, 0, 1, 0));
  }
}

}  // namespace
}  // namespace recmeter
