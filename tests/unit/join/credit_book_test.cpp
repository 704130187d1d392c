#include "recmeter/join/credit_book.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <vector>

#include "support/dice.h"

namespace recmeter {
namespace {

TEST(CreditBook, counts_the_first_and_repeats_the_second) {
  CreditBook book;
  std::uint32_t head = 0;
  EXPECT_EQ(book.assign(head, 1, 0, 0b1), 0b1U);
  EXPECT_EQ(book.assign(head, 1, 0, 0b1), 0U);
  EXPECT_EQ(book.credited(head, 1, 0), 0b1U);
}

TEST(CreditBook, counts_only_at_horizons_that_are_new) {
  CreditBook book;
  std::uint32_t head = 0;
  book.assign(head, 1, 0, 0b010);
  EXPECT_EQ(book.assign(head, 1, 0, 0b111), 0b101U);
  EXPECT_EQ(book.credited(head, 1, 0), 0b111U);
}

TEST(CreditBook, tells_items_and_actions_apart) {
  CreditBook book;
  std::uint32_t head = 0;
  book.assign(head, 1, 0, 0b1);
  EXPECT_EQ(book.credited(head, 2, 0), 0U);
  EXPECT_EQ(book.credited(head, 1, 1), 0U);
  EXPECT_EQ(book.assign(head, 1, 1, 0b1), 0b1U);
  EXPECT_EQ(book.assign(head, 2, 0, 0b1), 0b1U);
}

TEST(CreditBook, keeps_of_each_repeat_what_is_asked_for_the_last_first) {
  CreditBook book;
  std::uint32_t head = 0;
  std::vector<double> values;
  for (const double value : {10.0, 20.0, 30.0}) {
    const KeptFeedback kept{.value = value};
    book.assign(head, 1, 0, value < 20 ? 0b01 : 0b11, &kept, true);
  }
  for (std::uint32_t at = head; at != 0; at = book.at(at).next) {
    ASSERT_TRUE(book.kept(at));
    values.push_back(*book.kept(at)->value);
  }
  EXPECT_EQ(values, (std::vector<double>{30, 20, 20, 10})) << "the second is new at one horizon and a repeat at the other";
  EXPECT_EQ(book.credited(head, 1, 0), 0b11U);
  book.forget(head);
  std::uint32_t next = 0;
  book.assign(next, 2, 0, 0b1);
  EXPECT_FALSE(book.kept(next)) << "of another that took its place";
}

TEST(CreditBook, keeps_the_chains_of_two_lists_apart) {
  CreditBook book;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  book.assign(first, 1, 0, 0b1);
  EXPECT_EQ(book.credited(second, 1, 0), 0U);
  book.assign(second, 1, 0, 0b10);
  EXPECT_EQ(book.credited(first, 1, 0), 0b1U);
}

TEST(CreditBook, leaves_other_chains_whole_when_it_forgets_one_and_uses_its_place_again) {
  CreditBook book;
  std::uint32_t kept = 0;
  std::uint32_t forgotten = 0;
  for (Interner::Id item = 0; item < 20; ++item) {
    book.assign(kept, item, 0, 0b1);
    book.assign(forgotten, item, 1, 0b11);
  }
  book.forget(forgotten);
  std::uint32_t next = 0;
  for (Interner::Id item = 0; item < 40; ++item) book.assign(next, item, 2, 0b100);
  for (Interner::Id item = 0; item < 20; ++item) {
    EXPECT_EQ(book.credited(kept, item, 0), 0b1U);
    EXPECT_EQ(book.credited(kept, item, 1), 0U);
    EXPECT_EQ(book.credited(next, item, 2), 0b100U);
    EXPECT_EQ(book.credited(next, item, 1), 0U);
  }
}

// Per (item, action, horizon): the first assignment counts, every further one is repeated.
TEST(CreditBook, agrees_with_counting_each_horizon_by_itself) {
  constexpr unsigned horizons = 4;
  support::Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    CreditBook book;
    std::uint32_t head = 0;
    std::map<std::tuple<Interner::Id, std::uint8_t, unsigned>, std::uint32_t> assigned;
    for (int step = 0; step < 60; ++step) {
      const auto item = static_cast<Interner::Id>(dice.below(4));
      const auto action = static_cast<std::uint8_t>(dice.below(2));
      const auto mask = static_cast<HorizonMask>(dice.below(1U << horizons));
      HorizonMask fresh = 0;
      for (unsigned h = 0; h < horizons; ++h) {
        if ((mask >> h & 1) != 0 && assigned[{item, action, h}]++ == 0) fresh |= 1U << h;
      }
      ASSERT_EQ(book.assign(head, item, action, mask), fresh);
    }
    std::map<std::tuple<Interner::Id, std::uint8_t, unsigned>, std::uint32_t> found;
    for (std::uint32_t at = head; at != 0; at = book.at(at).next) {
      const Assignment& entry = book.at(at);
      for (unsigned h = 0; h < horizons; ++h) {
        if ((entry.mask >> h & 1) != 0) found[{entry.item, entry.action, h}] += entry.repeats == 0 ? 1 : entry.repeats;
      }
    }
    std::erase_if(assigned, [](const auto& entry) { return entry.second == 0; });
    ASSERT_EQ(found, assigned);
  }
}

}  // namespace
}  // namespace recmeter
