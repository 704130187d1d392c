#include "recmeter/join/paid_items.h"

#include <gtest/gtest.h>

#include <limits>

namespace recmeter {
namespace {

constexpr std::uint8_t purchase = 1;

TEST(PaidItems, add_up_what_was_paid_and_returned) {
  PaidItems items;
  items.pay(2, purchase, 10);
  items.pay(2, purchase, 2.5);
  items.take_back(2, purchase, 4);
  ASSERT_EQ(items.items().size(), 1U);
  EXPECT_EQ(items.items()[0].net(), 8.5);
  EXPECT_FALSE(items.is_undone(2, purchase)) << "some is left";
}

TEST(PaidItems, tell_items_and_actions_apart) {
  PaidItems items;
  items.pay(1, purchase, 3);
  items.take_back(2, purchase, 3);
  items.pay(1, 0, 5);
  ASSERT_EQ(items.items().size(), 3U);
  EXPECT_EQ(items.items()[0].net(), 3);
  EXPECT_EQ(items.items()[1].net(), 0) << "never below 0";
  EXPECT_EQ(items.items()[2].net(), 5);
}

TEST(PaidItems, without_a_value_a_return_takes_all_that_was_paid_until_then) {
  PaidItems items;
  items.pay(1, purchase, 10);
  items.take_back(1, purchase, {});
  EXPECT_TRUE(items.is_undone(1, purchase));
  items.pay(1, purchase, 7);
  EXPECT_EQ(items.items()[0].net(), 7);
  EXPECT_FALSE(items.is_undone(1, purchase)) << "it was bought anew";
}

TEST(PaidItems, without_any_value_one_return_undoes) {
  PaidItems items;
  items.pay(1, purchase, {});
  EXPECT_FALSE(items.is_undone(1, purchase)) << "worth nothing, but it happened";
  items.take_back(1, purchase, {});
  EXPECT_TRUE(items.is_undone(1, purchase));
}

TEST(PaidItems, bound_what_no_sum_can_hold) {
  PaidItems items;
  items.pay(1, purchase, std::numeric_limits<double>::max());
  EXPECT_EQ(items.items()[0].net(), Balance::value_max);
  items.take_back(1, purchase, std::numeric_limits<double>::max());
  EXPECT_TRUE(items.is_undone(1, purchase));
}

TEST(PaidItems, are_gone_once_cleared) {
  PaidItems items;
  items.pay(1, purchase, 1);
  items.clear();
  EXPECT_TRUE(items.items().empty());
}

}  // namespace
}  // namespace recmeter
