// Lists that come in pieces: [S3.19] to [S3.22], [S3.31], [S3.32], [S3.35].
#include "recmeter/join/list_pieces.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scripted_join.h"
#include "support/dice.h"

namespace recmeter {
namespace {

using test::Hits;
using test::ScriptedJoin;
using test::small_rule;
using Items = std::vector<std::string>;

constexpr std::int64_t s = 1000;
constexpr std::int64_t m = 60 * s;

// assemble 10s, same_list 30m, as it is by default; times are after noon.
JoinRule usual_rule() {
  JoinRule rule = small_rule();
  rule.horizons = {Duration{20 * m}};
  rule.same_list = Duration{30 * m};
  rule.assemble = Duration{10 * s};
  return rule;
}

TEST(ListPieces, are_as_in_the_example_of_the_specification) {
  ScriptedJoin join(usual_rule());
  join.list(0, "u", "l", {"a", "b"}).feedback(2 * s, "click", "u", "c", "l");
  join.list(4 * s, "u", "l", {"c", "d"});
  EXPECT_TRUE(join.accepted());
  join.list(6 * s, "u", "l", {"a", "b"});
  EXPECT_EQ(join.duplicate(), DuplicateReason::again);
  join.list(8 * s, "u", "l", {"b", "a"});
  EXPECT_EQ(join.duplicate(), DuplicateReason::nothing_new);
  join.list(15 * s, "u", "l", {"c", "d"});
  EXPECT_EQ(join.duplicate(), DuplicateReason::again);
  join.list(30 * s, "u", "l", {"e", "a"});
  EXPECT_TRUE(join.accepted());
  join.feedback(5 * m, "click", "u", "c", "l").feedback(5 * m, "click", "u", "a", "l");
  join.list(12 * m, "u", "l", {"a", "b"});
  EXPECT_EQ(join.duplicate(), DuplicateReason::again);
  join.list(45 * m, "u", "l", {"a", "b"});
  EXPECT_TRUE(join.accepted());
  join.finish();
  EXPECT_EQ(join.hits_of_each("l", 0), (std::vector<Hits>{{{3, 1.0}}, {{2, 1.0}}, {}}));
  EXPECT_EQ(join.joiner().outcomes().not_in_list, 1U);
  EXPECT_EQ(join.scored_lengths("l"), (std::vector<std::uint32_t>{4, 2, 2}));
}

TEST(ListPieces, of_rows_are_as_in_the_example_of_the_specification) {
  ScriptedJoin join(usual_rule());
  join.row(0, "u", "l", "x", 1).row(5 * s, "u", "l", "y", 2);
  EXPECT_TRUE(join.accepted());
  join.row(15 * s, "u", "l", "z", 3);
  EXPECT_EQ(join.duplicate(), DuplicateReason::late_row);
  join.row(16 * s, "u", "l", "y", 2);
  EXPECT_EQ(join.duplicate(), DuplicateReason::again);
  join.row(12 * m, "u", "l", "q", 1);
  EXPECT_TRUE(join.accepted()) << "x holds its position";
  join.row(12 * m + s, "u", "l", "r", 2);
  EXPECT_TRUE(join.accepted());
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
  join.finish();
  EXPECT_EQ(join.scored_lengths("l"), (std::vector<std::uint32_t>{2, 2}));
}

TEST(ListPieces, take_late_rows_where_assembly_is_longer) {
  JoinRule rule = usual_rule();
  rule.assemble = Duration{16 * s};
  ScriptedJoin join(rule);
  join.row(0, "u", "l", "x", 1).row(5 * s, "u", "l", "y", 2).row(15 * s, "u", "l", "z", 3).finish();
  EXPECT_EQ(join.assembled_items().at("l"), (Items{"x", "y", "z"}));
}

// small_rule(): assemble 50 ms, same_list 500 ms.
TEST(WholeLists, that_say_all_so_far_and_more_keep_their_ranks) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).list(20, "u", "L", {"a", "b", "c", "d"}).finish();
  EXPECT_EQ(join.assembled_items().at("L"), (Items{"a", "b", "c", "d"}));
}

TEST(WholeLists, whose_ranks_are_taken_come_behind_the_list) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a", "b"}).list(20, "u", "L", {"b", "c", "a", "d"}).finish();
  EXPECT_EQ(join.assembled_items().at("L"), (Items{"a", "b", "c", "d"})) << "rank 2 is taken, so c and d are 3 and 4";
}

TEST(WholeLists, open_their_own_when_assembly_ends) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).list(49, "u", "L", {"b"});
  EXPECT_EQ(join.joiner().lists_opened(), 1U);
  join.list(50, "u", "L", {"c"});
  EXPECT_TRUE(join.accepted());
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
}

TEST(WholeLists, may_be_kept_from_continuing_others) {
  JoinRule rule = small_rule();
  rule.whole_lists = WholeLists::own;
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a"}).list(0, "u", "L", {"b"}).list(10, "u", "L", {"b", "a"});
  EXPECT_EQ(join.joiner().lists_opened(), 3U);
  join.list(10, "u", "L", {"b"});
  EXPECT_EQ(join.duplicate(), DuplicateReason::again);
}

TEST(WholeLists, of_placeholders_open_their_own) {
  JoinRule rule = small_rule();
  rule.key.not_users = {"0"};
  ScriptedJoin join(rule);
  join.list(0, "0", "L", {"a"}).list(1, "0", "L", {"b"});
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
  join.row(2, "0", "L", "c", 2).finish();
  EXPECT_EQ(join.assembled_items().at("L"), (Items{"a", "b", "c"})) << "rows join whoever they are of";
}

TEST(WholeLists, of_another_user_open_their_own_where_lists_are_the_key) {
  JoinRule rule = small_rule();
  rule.key.by = JoinKey::By::list;
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a"}).list(1, "u", "L", {"b"}).list(2, "v", "L", {"c"});
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
}

TEST(WholeLists, that_would_be_too_long_are_duplicates) {
  ScriptedJoin join(small_rule(), true, false, false, 3);
  join.list(0, "u", "L", {"a", "b"}).list(1, "u", "L", {"c"});
  EXPECT_TRUE(join.accepted());
  join.list(2, "u", "L", {"d"});
  EXPECT_EQ(join.duplicate(), DuplicateReason::full);
  join.finish();
  EXPECT_EQ(join.assembled_items().at("L"), (Items{"a", "b", "c"}));
}

TEST(WholeLists, show_what_they_bring_from_their_own_time_on) {
  ScriptedJoin join;
  join.list(0, "u", "L", {"a"}).feedback(19, "click", "u", "b").list(20, "u", "L", {"b"});
  join.feedback(20, "click", "u", "b", "L").finish();
  EXPECT_EQ(join.hits("L"), (Hits{{2, 1.0}}));
  EXPECT_EQ(join.joiner().outcomes().organic, 1U);
}

TEST(WholeLists, of_one_id_and_time_are_told_apart) {
  JoinRule rule = small_rule();
  rule.whole_lists = WholeLists::own;
  rule.credit = Credit::first_touch;
  ScriptedJoin join(rule);
  join.list(0, "u", "L", {"a", "x"}).list(0, "u", "L", {"b", "x"});
  join.feedback(1, "click", "u", "x").feedback(1, "like", "u", "x", "L").finish();
  EXPECT_EQ(join.hits_of_each("L", 0), (std::vector<Hits>{{{2, 1.0}}, {{2, 3.0}}}))
      << "what names no list goes to the earliest, which opened first; what names one to the latest";
}

TEST(ListPieces, of_an_id_in_use_for_long_forget_the_list_at_whole_halves_of_same_list) {
  ScriptedJoin join;  // halves of 250 ms; zero_ms is one of them
  ASSERT_EQ(support::zero_ms % 250, 0);
  join.row(0, "u", "L", "a", 1).row(249, "u", "L", "b", 2);
  EXPECT_EQ(join.duplicate(), DuplicateReason::late_row);
  join.row(499, "u", "L", "c", 3);
  EXPECT_EQ(join.duplicate(), DuplicateReason::late_row) << "in use since 0, which is not before 500 - 250";
  join.row(500, "u", "L", "d", 4);
  EXPECT_TRUE(join.accepted()) << "in use since 0, and opened before 500";
  EXPECT_EQ(join.joiner().lists_opened(), 2U);
}

TEST(ListPieces, round_half_of_same_list_up) {
  JoinRule rule = small_rule();
  rule.same_list = rule.assemble = Duration{3};
  ScriptedJoin join(rule);  // halves of 2 ms; zero_ms is one of them
  ASSERT_EQ(support::zero_ms % 2, 0);
  join.row(1, "u", "L", "a", 1).row(3, "u", "L", "b", 2);
  EXPECT_TRUE(join.accepted());
  EXPECT_EQ(join.joiner().lists_opened(), 1U) << "in use since 1, which is not before 2 - 2";
}

// As from a written list `{a,b,NULL}`.
TEST(ListPieces, end_where_their_last_item_stands) {
  constexpr ListPieces::Item a = 1, b = 2, c = 3, none = ListPieces::none;
  const PieceRule rule(usual_rule(), 100);
  std::vector<std::uint32_t> ranks;
  ListPieces list;
  list.take(rule, {.ts = EventTime{0}, .items = std::vector{a, b, none}}, ranks);
  EXPECT_EQ(list.places().size(), 2U);
  const auto shorter = list.take(rule, {.ts = EventTime{s}, .items = std::vector{a, b}}, ranks);
  EXPECT_EQ(shorter.step, ListPieces::Step::repeats);
  EXPECT_EQ(shorter.reason, DuplicateReason::again) << "and not nothing_new";
  list.take(rule, {.ts = EventTime{2 * s}, .items = std::vector{c}}, ranks);
  EXPECT_EQ(ranks, std::vector<std::uint32_t>{3}) << "behind b";
}

TEST(ListPieces, of_rows_are_in_use_from_their_first_row_and_until_same_list_after_their_last) {
  const PieceRule rule(usual_rule(), 100);
  ListPieces list =
      ListPieces::of_rows(rule, EventTime{0}, std::vector<ListPieces::Item>{1, 2}, std::vector<std::uint32_t>{0, 9 * s});
  std::vector<std::uint32_t> ranks;
  const auto opens = [&](std::int64_t ts, ListPieces::Item item, std::uint32_t position) {
    const std::vector<ListPieces::Item> items{item};
    return list.take(rule, {.ts = EventTime{ts}, .items = items, .position = position}, ranks).step ==
           ListPieces::Step::opens;
  };
  EXPECT_TRUE(opens(30 * m + 5 * s, 3, 3)) << "its list is older than half of same_list before";
  EXPECT_TRUE(opens(45 * m + s, 4, 1)) << "in use since 0, so the list of 30m 5s is forgotten at 45m";
}

// The same pieces, known from the beginning or from some later time on, are decided alike once pieces_reach() has passed.
TEST(ListPieces, depend_on_nothing_that_is_older_than_they_reach) {
  support::Dice dice(7);
  for (int round = 0; round < 300; ++round) {
    JoinRule rule = small_rule();
    rule.same_list = Duration{dice.between(1, 400)};
    rule.assemble = Duration{dice.between(0, rule.same_list.ms)};
    const PieceRule pieces(rule, 8);
    ListPieces whole;
    std::optional<ListPieces> late;
    const std::int64_t begin = dice.between(0, 3000);
    std::vector<std::uint32_t> ranks, late_ranks;
    const std::int64_t stride = dice.between(1, 60);
    for (std::int64_t ts = 0; ts < 8000; ts += dice.between(0, stride)) {
      std::vector<std::uint32_t> items;
      const bool is_row = dice.percent(50);
      for (std::size_t i = is_row ? 1 : 1 + dice.below(4); i > 0; --i) {
        items.push_back(static_cast<std::uint32_t>(dice.below(12)));
      }
      const ListPieces::Piece piece{.ts = EventTime{ts},
                                    .items = items,
                                    .position = is_row ? static_cast<std::uint32_t>(dice.between(1, 4)) : 0,
                                    .opens_its_own = !is_row && dice.percent(10)};
      const ListPieces::Decision decision = whole.take(pieces, piece, ranks);
      if (ts < begin) continue;
      if (!late) late.emplace();
      const ListPieces::Decision known = late->take(pieces, piece, late_ranks);
      if (ts < begin + rule.pieces_reach().ms) continue;
      ASSERT_EQ(decision.step, known.step) << "round " << round << " at " << ts << " from " << begin;
      ASSERT_EQ(decision.reason, known.reason) << round;
      ASSERT_EQ(ranks, late_ranks);
    }
  }
}

}  // namespace
}  // namespace recmeter
