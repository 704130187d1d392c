#include "recmeter/evaluation/lane_feed.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "unit/evaluation/lane_events.h"

namespace recmeter {
namespace {

using support::at;
using support::candidate_line;
using support::feedback_line;
using support::list_line;
using testing::lane_events;

// Of B unless it says otherwise; what is in whose place is known 10 s later.
class Feeds : public ::testing::Test {
 protected:
  static JoinRule rule() {
    JoinRule rule;
    rule.same_list = Duration{60'000};
    rule.assemble = Duration{10'000};
    return rule;
  }
  void add(const std::string& line) {
    const auto batch = lane_events({line});
    const LaneFeed::Entry entry{.batch = batch};
    feed_.add(entry, items_);
    logged_.add(entry, items_);
  }
  // "1000:a 2000:click ..." in the order of the join: of lists the time they are shown at and the first item.
  std::string released(LaneFeed& feed, EventTime w, std::string& fates) {
    std::string text;
    const auto item = [](const LaneFeed::Entry& entry) { return std::string(entry.batch->item(entry.what(), 0)); };
    feed.release_before(
        w, items_,
        [&](const LaneFeed::Entry& entry) {
          const bool stands_in = entry.place_batch != nullptr;
          const EventTime ts = stands_in ? entry.place_batch->events()[entry.place].ts : entry.what().ts;
          text += (text.empty() ? "" : " ") + std::to_string((ts - at(0)).ms) + ":";
          text += entry.what().kind == EventKind::feedback ? "click" : item(entry);
        },
        [&](const LaneFeed::Entry& entry, bool accepted) { fates += (accepted ? "+" : "-") + item(entry); });
    return text;
  }
  std::string released(std::int64_t ms) { return released(feed_, at(ms), fates_); }

  JoinRule rule_ = rule();
  Interner items_;
  LaneFeed feed_{LaneFeed::Kind::candidates, 0, rule_.assemble, PlaceLog(rule_, 1000, {.items = true}, Duration{100'000})};
  LaneFeed logged_{LaneFeed::Kind::shown, 0, rule_.assemble, PlaceLog(rule_, 1000, {.items = true}, Duration{100'000})};
  std::string fates_;  // of its candidates: accepted or duplicate
};

TEST_F(Feeds, put_candidates_where_the_list_they_name_was_shown) {
  add(list_line(1000, "u", "l", {"shown"}));
  add(feedback_line(2000, "click", "u", "x"));
  add(candidate_line(5000, "B", "u", "l", {"b"}));
  EXPECT_EQ(released(6000), "1000:b 2000:click");
  EXPECT_EQ(fates_, "+b");
  EXPECT_EQ(feed_.counts(), (CandidateCounts{.joined = 1, .orphaned = 0}));
}

TEST_F(Feeds, hand_over_lists_before_feedback_of_their_time_and_nothing_from_the_time_on) {
  add(feedback_line(1000, "click", "u", "x"));
  add(list_line(1000, "u", "l", {"shown"}));
  add(candidate_line(1000, "B", "u", "l", {"b"}));
  add(feedback_line(1001, "click", "u", "x"));
  EXPECT_EQ(released(1000), "");
  EXPECT_EQ(released(1001), "1000:b 1000:click");
  EXPECT_EQ(released(1002), "1001:click");
}

TEST_F(Feeds, see_a_list_of_the_candidates_time_that_comes_after_it) {
  add(candidate_line(1000, "B", "u", "l", {"b"}));
  add(list_line(1000, "u", "l", {"shown"}));
  EXPECT_EQ(released(2000), "1000:b");
}

TEST_F(Feeds, take_a_candidate_without_id_for_a_list_of_its_own_time) {
  add(candidate_line(1000, "B", "u", "", {"b"}));
  add(candidate_line(1000, "B", "u", "", {"again"}));
  add(candidate_line(1000, "B", "v", "", {"other"}));
  add(candidate_line(1001, "B", "u", "", {"later"}));
  EXPECT_EQ(released(2000), "1000:b 1000:other 1001:later");
  EXPECT_EQ(fates_, "+b-again+other+later");
  EXPECT_EQ(feed_.counts().joined, 3U);
}

TEST_F(Feeds, leave_out_candidates_that_have_no_place) {
  add(candidate_line(0, "B", "u", "l", {"early"}));
  add(list_line(1000, "u", "l", {"shown"}));
  add(candidate_line(1000, "B", "v", "l", {"whose"}));
  add(candidate_line(11'000, "B", "u", "l", {"late"}));
  EXPECT_EQ(released(20'000), "");
  EXPECT_EQ(fates_, "+early+whose+late") << "they are accepted";
  EXPECT_EQ(feed_.counts(), (CandidateCounts{.joined = 0, .orphaned = 3}));
}

TEST_F(Feeds, let_the_first_candidate_of_a_place_count) {
  add(list_line(1000, "u", "l", {"shown"}));
  add(candidate_line(1500, "B", "u", "l", {"first"}));
  add(candidate_line(1500, "B", "u", "l", {"second"}));
  add(candidate_line(1600, "B", "u", "l", {"third"}));
  add(candidate_line(1600, "C", "u", "l", {"other"}));
  EXPECT_EQ(released(20'000), "1000:first");
  EXPECT_EQ(fates_, "+first-second-third") << "and say nothing of another lane's";
}

TEST_F(Feeds, know_which_lanes_have_a_list_in_a_place) {
  add(list_line(1000, "u", "l", {"shown"}));
  add(candidate_line(1000, "C", "u", "", {"c"}));
  add(candidate_line(1500, "B", "u", "l", {"b"}));
  EXPECT_EQ(released(20'000), "1000:b");
  const ListPlace* const place = feed_.places().place_of(false, "u", at(1000), "l");
  EXPECT_EQ(place->stood_in, 0b01U);
  EXPECT_EQ(place->at_moment, 0b10U);
}

TEST_F(Feeds, of_what_was_shown_hand_over_that_and_no_candidate) {
  add(list_line(1000, "u", "l", {"shown"}));
  add(candidate_line(1500, "B", "u", "l", {"b"}));
  add(list_line(2000, "u", "l", {"again"}));  // which the join will see
  add(feedback_line(2000, "click", "u", "x"));
  EXPECT_EQ(released(logged_, at(3000), fates_), "1000:shown 2000:again 2000:click");
  EXPECT_EQ(fates_, "");
  EXPECT_EQ(logged_.counts(), CandidateCounts{});
}

}  // namespace
}  // namespace recmeter
