#include "recmeter/evaluation/seen_items.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/evaluation/lane_events.h"

namespace recmeter {
namespace {

using support::at;
using support::list_line;
using testing::lane_events;

constexpr Duration horizon{1000};

class Seen : public ::testing::Test {
 protected:
  Seen() {
    rule_.same_list = Duration{60'000};
    rule_.assemble = Duration{10};
    rule_.key.not_users = {"anon"};
  }
  void shown(std::int64_t ms, const std::string& user, const std::string& list, const std::vector<std::string>& items) {
    places_.add(lane_events({list_line(ms, user, list, items)}), 0, items_);
  }
  ListView list(std::int64_t ms, const std::string& user, const std::string& id, const std::vector<std::string>& items) {
    user_ = user;
    id_ = id;
    ids_.clear();
    for (const std::string& item : items) ids_.push_back(items_.intern(item, at(ms)));
    return {.number = {}, .ts = at(ms), .labels = {}, .items = ids_, .scored = {}, .list_id = id_, .user_id = user_};
  }
  // "1011": by rank whether it was seen; then, where something was shown in its place, the ranks there.
  static std::string told(const SeenItems& seen) {
    ScoredList score;
    seen.add_to(score);
    std::string text;
    for (const std::uint8_t is_seen : score.beside_shown.seen) text += is_seen != 0 ? "1" : "0";
    if (!score.beside_shown.logged_ranks) return text;
    text += " ";
    for (const std::uint32_t rank : *score.beside_shown.logged_ranks) text += std::to_string(rank);
    return text;
  }
  std::string looked(const ListView& list) {
    seen_.look(list, rule_.key, horizon);
    return told(seen_);
  }

  JoinRule rule_;
  Interner items_;
  PlaceLog places_{rule_, 1000, {.items = true}, Duration{100'000}};
  SeenItems seen_{&places_};
  std::string user_;
  std::string id_;
  std::vector<Interner::Id> ids_;
};

TEST_F(Seen, are_the_items_that_the_user_was_shown_within_the_horizon) {
  shown(0, "u", "l0", {"a"});
  shown(1, "u", "l1", {"b"});
  shown(1000, "v", "l2", {"c"});
  shown(1999, "u", "l3", {"d"});
  shown(2000, "u", "l4", {"e"});
  EXPECT_EQ(looked(list(1000, "u", "", {"a", "b", "c", "d", "e"})), "01010");
}

TEST_F(Seen, tell_the_ranks_in_the_list_that_was_shown_in_its_place) {
  shown(1000, "u", "l", {"a", "b", "a", "c"});
  shown(1000, "u", "m", {"d"});
  shown(1500, "u", "n", {"x"});
  EXPECT_EQ(looked(list(1000, "u", "l", {"c", "x", "a", "d", "y"})), "11110 40100");
  EXPECT_EQ(looked(list(1000, "u", "m", {"c", "d"})), "11 01");
  EXPECT_EQ(looked(list(1000, "u", "", {"c", "d"})), "11 40") << "of several the one that opened first";
  EXPECT_EQ(looked(list(1001, "u", "", {"c", "d"})), "11") << "nothing was shown just then";
}

TEST_F(Seen, of_nobody_are_those_of_the_list_id) {
  shown(1000, "anon", "l", {"a"});
  shown(1000, "anon", "m", {"b"});
  EXPECT_EQ(looked(list(1000, "anon", "l", {"a", "b"})), "10 10");
}

TEST_F(Seen, are_all_items_of_what_was_shown) {
  SeenItems of_shown(nullptr);
  of_shown.look(list(1000, "u", "l", {"a", "b", "a"}), rule_.key, horizon);
  EXPECT_EQ(told(of_shown), "111 121");
}

TEST_F(Seen, alone_are_left_of_a_condensed_list) {
  shown(1000, "u", "l", {"b", "c", "d"});
  const ListView whole = list(1000, "u", "l", {"a", "b", "x", "d", "c"});
  EXPECT_EQ(looked(whole), "01011 01032");
  const ListView shorter = seen_.condensed(whole);
  ASSERT_EQ(shorter.items.size(), 3U);
  EXPECT_EQ(items_.text(shorter.items[0]), "b");
  EXPECT_EQ(items_.text(shorter.items[1]), "d");
  EXPECT_EQ(items_.text(shorter.items[2]), "c");
  EXPECT_EQ(told(seen_), "01011 01032") << "what is told stays that of the whole list";

  const std::vector<Hit> hits{{2, 1}, {3, 2}, {5, 3}};
  const std::vector<Hit> worth{{1, 9}, {4, 7}};
  const std::vector<std::uint8_t> teams{1, 2, 0, 1, 2};
  const std::vector<Rating> ratings{{1, 4, true, 5}, {4, 3, false, 0}};
  const std::vector<std::uint32_t> judged{1, 2, 5};
  const std::vector<std::int64_t> delays_ms{900, 5, 700};
  const std::vector<ActionPart> parts{
      {.hits = hits, .missed_items = 4, .reach_ms = 1000, .first_ms = 5, .worth = worth, .delays_ms = delays_ms}};
  const ScoredList score{
      .length = 5, .hits = hits, .missed_items = 6, .teams = teams, .ratings = ratings, .judged = judged, .by_action = parts};
  const ScoredList condensed = seen_.condensed(score);
  EXPECT_EQ(condensed.length, 3U);
  ASSERT_EQ(condensed.hits.size(), 2U);
  EXPECT_EQ(condensed.hits[0].rank, 1U);
  EXPECT_EQ(condensed.hits[0].grade, 1);
  EXPECT_EQ(condensed.hits[1].rank, 3U);
  EXPECT_EQ(condensed.hits[1].grade, 3);
  EXPECT_EQ(condensed.missed_items, 6U);
  EXPECT_EQ(std::vector(condensed.teams.begin(), condensed.teams.end()), (std::vector<std::uint8_t>{2, 1, 2}));
  ASSERT_EQ(condensed.ratings.size(), 1U);
  EXPECT_EQ(condensed.ratings[0].rank, 2U);
  EXPECT_EQ(condensed.ratings[0].rating, 3);
  EXPECT_EQ(std::vector(condensed.judged.begin(), condensed.judged.end()), (std::vector<std::uint32_t>{1, 3}));
  ASSERT_EQ(condensed.by_action.size(), 1U);
  EXPECT_EQ(condensed.by_action[0].missed_items, 4U);
  EXPECT_EQ(condensed.by_action[0].first_ms, 700) << "what was acted on first is not in the list";
  ASSERT_EQ(condensed.by_action[0].hits.size(), 2U);
  EXPECT_EQ(condensed.by_action[0].hits[1].rank, 3U);
  ASSERT_EQ(condensed.by_action[0].worth.size(), 1U);
  EXPECT_EQ(condensed.by_action[0].worth[0].rank, 2U);
  EXPECT_EQ(condensed.by_action[0].worth[0].grade, 7);
}

TEST_F(Seen, may_leave_nothing_of_a_list) {
  const ListView whole = list(1000, "u", "", {"a", "b"});
  EXPECT_EQ(looked(whole), "00");
  EXPECT_TRUE(seen_.condensed(whole).items.empty());
  const std::vector<Hit> hits{{1, 1}};
  const ScoredList condensed = seen_.condensed(ScoredList{.length = 2, .hits = hits});
  EXPECT_EQ(condensed.length, 0U);
  EXPECT_TRUE(condensed.hits.empty());
}

}  // namespace
}  // namespace recmeter
