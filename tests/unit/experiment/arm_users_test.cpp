#include "recmeter/experiment/arm_users.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;  // odd, so that numbers of users become hashes

TEST(ArmUsers, are_in_one_arm_each_until_one_has_another) {
  ArmUsers users;
  EXPECT_EQ(users.arms(), ArmsOfUsers::unknown);
  for (std::uint64_t user = 0; user < 100; ++user) {
    for (int list = 0; list < 3; ++list) users.add(user, user % 2 == 0 ? "old" : "new");
  }
  EXPECT_EQ(users.arms(), ArmsOfUsers::one_each);
  users.add(7, "old");
  EXPECT_EQ(users.arms(), ArmsOfUsers::several);
}

TEST(ArmUsers, of_shards_add_up_to_those_of_all) {
  ArmUsers one, other;
  one.add(1, "old");
  other.add(2, "new");
  one += other;
  EXPECT_EQ(one.arms(), ArmsOfUsers::one_each);
  ArmUsers third;
  third.add(1, "new");
  one += third;
  EXPECT_EQ(one.arms(), ArmsOfUsers::several);
}

TEST(ArmUsers, go_by_a_sample_of_many) {
  ArmUsers apart, mixed;
  for (std::uint64_t user = 0; user < 100'000; ++user) {
    apart.add(user * spread, user % 2 == 0 ? "old" : "new");
    mixed.add(user * spread, "old");
    mixed.add(user * spread, "new");
  }
  EXPECT_EQ(apart.arms(), ArmsOfUsers::one_each);
  EXPECT_EQ(mixed.arms(), ArmsOfUsers::several);
  apart += mixed;
  EXPECT_EQ(apart.arms(), ArmsOfUsers::several);
}

}  // namespace
}  // namespace recmeter
