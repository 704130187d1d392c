// ListLog and FeedbackLog: records that keep their place while they live.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "recmeter/join/feedback_log.h"
#include "recmeter/join/list_log.h"
#include "support/dice.h"

namespace recmeter {
namespace {

TEST(ListLog, gives_back_ids_labels_and_items) {
  ListLog log(2, 10, 50);
  const auto sequence = log.open(EventTime{1}, "list", "user");
  const auto labels = log.labels(log.at(sequence));
  ASSERT_EQ(labels.size(), 2U);
  labels[0] = 7;
  labels[1] = 8;
  const auto items = log.make_items(sequence, 3, false, {});
  ASSERT_EQ(items.size(), 3U);
  std::copy_n(std::vector<Interner::Id>{4, 5, 6}.begin(), 3, items.begin());
  const ListEntry& entry = log.at(sequence);
  EXPECT_EQ(log.list_id(entry), "list");
  EXPECT_EQ(log.user_id(entry), "user");
  EXPECT_EQ(log.labels(entry)[1], 8U);
  EXPECT_EQ(log.items(entry)[2], 6U);
}

TEST(ListLog, has_room_for_a_delay_behind_each_item_of_a_list_in_pieces) {
  ListLog log(0, 10, 50);
  const auto sequence = log.open(EventTime{1}, "list", "user");
  const auto words = log.make_items(sequence, 2, true, {});
  ASSERT_EQ(words.size(), 4U);
  words[2] = 100;
  words[3] = 200;
  EXPECT_EQ(log.items(log.at(sequence)).size(), 2U);
  EXPECT_EQ(log.delays(log.at(sequence))[1], 200U);
}

TEST(ListLog, holds_lists_without_items_labels_or_user) {
  ListLog log(0, 10, 50);
  const auto sequence = log.open(EventTime{1}, "list", "");
  EXPECT_TRUE(log.make_items(sequence, 0, false, {}).empty());
  EXPECT_TRUE(log.items(log.at(sequence)).empty());
  EXPECT_TRUE(log.labels(log.at(sequence)).empty());
  EXPECT_EQ(log.user_id(log.at(sequence)), "");
}

TEST(ListLog, gives_a_list_its_items_once) {
  ListLog log(0, 10, 50);
  const auto sequence = log.open(EventTime{1}, "list", "user");
  static_cast<void>(log.make_items(sequence, 1, false, {}));
  EXPECT_DEATH(static_cast<void>(log.make_items(sequence, 1, false, {})), "gets its items once");
}

TEST(ListLog, gives_a_list_that_grows_its_items_again) {
  ListLog log(0, 10, 50);
  const auto sequence = log.open(EventTime{1}, "list", "user");
  log.make_items(sequence, 1, false, {})[0] = 7;
  log.at(sequence).is_growing = true;
  const auto words = log.make_items(sequence, 2, true, {});
  words[0] = 7;
  words[1] = 8;
  words[2] = 0;
  words[3] = 30;
  EXPECT_EQ(log.items(log.at(sequence))[1], 8U);
  EXPECT_EQ(log.delays(log.at(sequence))[1], 30U);
}

TEST(ListLog, keeps_what_lives_while_the_oldest_are_forgotten) {
  ListLog log(1, 1000, 200);
  struct Kept {
    std::uint64_t sequence;
    std::string list_id;
    std::vector<Interner::Id> items;
  };
  std::deque<Kept> model;
  support::Dice dice(1);
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    Kept kept{0, "list-" + std::string(dice.below(150), 'x') + std::to_string(step), {}};
    kept.items.assign(dice.below(dice.percent(5) ? 1000 : 12), step);
    kept.sequence = log.open(EventTime{step}, kept.list_id, "user" + std::to_string(step));
    log.labels(log.at(kept.sequence))[0] = step;
    std::copy(kept.items.begin(), kept.items.end(), log.make_items(kept.sequence, kept.items.size(), false, {}).begin());
    model.push_back(std::move(kept));
    while (model.size() > 300 || (!model.empty() && dice.percent(35))) {
      log.forget_oldest();
      model.pop_front();
    }
    if (model.empty()) continue;
    const Kept& other = model[dice.below(model.size())];
    const ListEntry& entry = log.at(other.sequence);
    ASSERT_EQ(log.list_id(entry), other.list_id);
    ASSERT_EQ(log.user_id(entry), "user" + std::to_string(entry.ts.ms));
    ASSERT_EQ(log.labels(entry)[0], static_cast<std::uint32_t>(entry.ts.ms));
    ASSERT_TRUE(std::ranges::equal(log.items(entry), other.items));
  }
}

FeedbackEntry feedback_at(std::int64_t ms) {
  FeedbackEntry entry;
  entry.ts = EventTime{ms};
  return entry;
}

TEST(FeedbackLog, gives_back_ids_present_or_absent) {
  FeedbackLog log(50);
  const auto both = log.append(feedback_at(1), "list", "user");
  const auto list = log.append(feedback_at(2), "list", "");
  const auto user = log.append(feedback_at(3), "", "user");
  const auto neither = log.append(feedback_at(4), "", "");
  EXPECT_EQ(log.list_id(log.at(both)), "list");
  EXPECT_EQ(log.user_id(log.at(both)), "user");
  EXPECT_EQ(log.list_id(log.at(list)), "list");
  EXPECT_EQ(log.user_id(log.at(list)), "");
  EXPECT_EQ(log.list_id(log.at(user)), "");
  EXPECT_EQ(log.user_id(log.at(user)), "user");
  EXPECT_EQ(log.list_id(log.at(neither)), "");
  EXPECT_EQ(log.user_id(log.at(neither)), "");
}

TEST(FeedbackLog, keeps_what_lives_while_the_oldest_is_forgotten) {
  FeedbackLog log(200);
  support::Dice dice(1);
  for (std::uint64_t step = 0; step < 20'000; ++step) {
    log.append(feedback_at(static_cast<std::int64_t>(step)), step % 3 == 0 ? "" : "list" + std::to_string(step),
               step % 5 == 0 ? "" : std::string(dice.below(190), 'u') + std::to_string(step));
    if (step >= 500) log.forget_oldest();
    const std::uint64_t other = log.entries().begin() + dice.below(log.entries().end() - log.entries().begin());
    const std::string text = std::to_string(other);
    ASSERT_EQ(log.list_id(log.at(other)), other % 3 == 0 ? "" : "list" + text);
    ASSERT_TRUE(other % 5 == 0 ? log.user_id(log.at(other)).empty()
                               : log.user_id(log.at(other)).ends_with("u" + text) || log.user_id(log.at(other)) == text);
  }
}

}  // namespace
}  // namespace recmeter
