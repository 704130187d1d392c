#include "recmeter/evaluation/place_log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/evaluation/lane_events.h"

namespace recmeter {
namespace {

using support::at;
using support::candidate_line;
using support::list_line;
using support::row_line;
using testing::lane_events;

// Lists are the same within 60 s, rows join for 10 s.
class Places : public ::testing::Test {
 protected:
  Places() {
    rule_.same_list = Duration{60'000};
    rule_.assemble = Duration{10'000};
  }
  void add(const std::string& line) { places_.add(lane_events({line}), 0, items_); }
  // The time of the place that a candidate of the user and list id has then, in milliseconds; -1: none.
  std::int64_t found(std::int64_t ms, const std::string& user, const std::string& list) {
    const auto batch = lane_events({candidate_line(ms, "B", user, list, {"x"})});
    const ListPlace* place = places_.find(*batch, batch->events().front());
    return place == nullptr ? -1 : (place->ts - at(0)).ms;
  }
  std::string items(std::int64_t ms, const std::string& user, const std::string& list) {
    std::string text;
    for (const Interner::Id id : places_.place_of(false, user, at(ms), list)->items) {
      text += id == Interner::none ? "-" : items_.text(id);
    }
    return text;
  }

  JoinRule rule_;
  Interner items_;
  PlaceLog places_{rule_, 1000, {.items = true}, Duration{100'000}};
};

TEST_F(Places, can_be_taken_until_rows_could_have_joined_the_list) {
  add(list_line(1000, "u", "l", {"a"}));
  EXPECT_EQ(found(1000, "u", "l"), 1000);
  EXPECT_EQ(found(10'999, "u", "l"), 1000);
  EXPECT_EQ(found(11'000, "u", "l"), -1);
  EXPECT_EQ(found(1000, "u", "m"), -1);
  EXPECT_EQ(found(1000, "v", "l"), -1);
}

TEST_F(Places, can_be_taken_at_their_own_time_where_nothing_is_assembled) {
  rule_.assemble = Duration{0};
  add(list_line(1000, "u", "l", {"a"}));
  EXPECT_EQ(found(1000, "u", "l"), 1000);
  EXPECT_EQ(found(1001, "u", "l"), -1);
}

TEST_F(Places, open_where_lists_open) {
  rule_.assemble = Duration{60'000};
  add(list_line(0, "u", "l", {"a"}));
  add(list_line(59'999, "u", "l", {"a"}));   // a duplicate, which keeps the id busy
  add(list_line(119'998, "u", "l", {"a"}));  // so is this
  EXPECT_EQ(found(59'999, "u", "l"), 0);
  EXPECT_EQ(found(119'998, "u", "l"), -1) << "of the one list there is, too late";
  add(list_line(179'998, "u", "l", {"d"}));
  EXPECT_EQ(found(179'998, "u", "l"), 179'998);
  EXPECT_EQ(items(0, "u", "l"), "a");
  EXPECT_EQ(items(179'998, "u", "l"), "d");
  EXPECT_EQ(places_.size(), 2U);
}

TEST_F(Places, of_nobody_are_told_apart_by_the_list) {
  add(list_line(0, "anon", "l", {"a"}));
  add(list_line(0, "l", "m", {"b"}));  // a user of that name
  EXPECT_EQ(found(0, "anon", "l"), 0);
  EXPECT_EQ(found(0, "anon", "m"), -1);
  EXPECT_NE(places_.place_of(true, "l", at(0), "l"), nullptr);
  EXPECT_EQ(places_.place_of(false, "l", at(0), "l"), nullptr);
}

TEST_F(Places, take_the_first_row_at_a_rank_while_rows_join) {
  add(row_line(0, "u", "l", "a", 3));
  add(row_line(1, "u", "l", "b", 1));
  add(row_line(2, "u", "l", "c", 3));
  add(row_line(10'000, "u", "l", "f", 2));
  EXPECT_EQ(items(0, "u", "l"), "b-a");
}

TEST_F(Places, have_what_whole_lists_and_rows_bring_to_the_list) {
  add(list_line(0, "u", "m", {"a", "b"}));
  add(row_line(1, "u", "m", "c", 4));
  add(list_line(2, "u", "m", {"a", "d", "e"}));
  EXPECT_EQ(items(0, "u", "m"), "ab-cde");
}

TEST_F(Places, of_one_id_and_time_are_told_apart) {
  rule_.whole_lists = WholeLists::own;
  add(list_line(0, "u", "m", {"a"}));
  add(list_line(0, "u", "m", {"b"}));
  EXPECT_EQ(items_.text(places_.place_of(false, "u", at(0), "m", 0)->items.front()), "a");
  EXPECT_EQ(items_.text(places_.place_of(false, "u", at(0), "m", 1)->items.front()), "b");
  EXPECT_EQ(items_.text(places_.place_of(false, "u", at(0), "m")->items.front()), "b") << "the latest";
}

TEST_F(Places, at_one_moment_are_the_one_of_the_id_or_the_one_that_opened_first) {
  add(list_line(5, "u", "l2", {"a"}));
  add(list_line(5, "u", "l1", {"b"}));
  EXPECT_EQ(places_.place_of(false, "u", at(5), "")->list_id, "l2");
  EXPECT_EQ(places_.place_of(false, "u", at(5), "l1")->list_id, "l1");
  EXPECT_EQ(places_.place_of(false, "u", at(5), "l3"), nullptr);
  EXPECT_EQ(places_.place_of(false, "u", at(6), ""), nullptr);
}

TEST_F(Places, are_visited_from_a_time_to_before_another) {
  for (const std::int64_t ms : {0, 10, 20, 30}) add(list_line(ms, "u", "l" + std::to_string(ms), {"a"}));
  std::vector<std::string> ids;
  places_.visit(false, "u", at(10), at(30), [&](const ListPlace& place) { ids.push_back(place.list_id); });
  EXPECT_EQ(ids, (std::vector<std::string>{"l20", "l10"}));
}

TEST_F(Places, are_forgotten_when_nothing_asks_for_them_any_more) {
  add(list_line(0, "u", "l", {"a"}));
  places_.forget(at(10'000));
  EXPECT_EQ(found(9999, "u", "l"), -1) << "no candidate of that time can come any more";
  EXPECT_NE(places_.place_of(false, "u", at(0), "l"), nullptr) << "what was shown is still asked for";
  places_.forget(at(99'999));
  EXPECT_EQ(places_.size(), 1U);
  places_.forget(at(100'000));
  EXPECT_EQ(places_.size(), 0U);
  EXPECT_EQ(places_.place_of(false, "u", at(0), "l"), nullptr);
}

TEST_F(Places, that_are_forgotten_leave_the_id_busy_for_as_long_as_a_list_is_the_same) {
  rule_.same_list = Duration{300'000};
  add(list_line(0, "u", "l", {"a"}));
  places_.forget(at(200'000));
  add(list_line(200'000, "u", "l", {"a"}));
  EXPECT_EQ(places_.size(), 0U) << "the same list again";
  add(list_line(500'000, "u", "l", {"c"}));
  EXPECT_EQ(places_.size(), 1U);
}

}  // namespace
}  // namespace recmeter
