#include "recmeter/evaluation/member_table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/dice.h"

namespace recmeter {
namespace {

UserKey user(std::uint64_t number) {
  return user_key("user " + std::to_string(number));
}

TEST(MemberTable, knows_nobody_at_first) {
  MemberTable table;
  EXPECT_EQ(table.find(user(1)), MemberTable::none);
  EXPECT_EQ(table.users(), 0U);
}

TEST(MemberTable, keeps_what_was_said_of_each_member) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 1000; ++u) {
    table.add(user(u), {.arm = static_cast<std::uint8_t>(u % 3), .zeros = static_cast<std::uint8_t>(u % 7)});
  }
  table.at(table.find(user(500))).is_mixed = true;
  EXPECT_EQ(table.users(), 1000U);
  for (std::uint64_t u = 0; u < 1000; ++u) {
    ASSERT_EQ(table.find(user(u)), u);
    const Member& member = table.at(table.find(user(u)));
    EXPECT_EQ(member.arm, u % 3);
    EXPECT_EQ(member.zeros, u % 7);
    EXPECT_EQ(member.is_mixed, u == 500);
  }
  EXPECT_EQ(table.find(user(1000)), MemberTable::none);
}

TEST(MemberTable, keeps_a_sample_and_forgets_the_others) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 1000; ++u) table.add(user(u), {.arm = 1, .zeros = static_cast<std::uint8_t>(u % 4)});
  const std::size_t before = table.memory_bytes();
  table.keep_from(3);
  EXPECT_EQ(table.users(), 250U);
  EXPECT_LT(table.memory_bytes(), before);
  for (std::uint64_t u = 0; u < 1000; ++u) EXPECT_EQ(table.find(user(u)) != MemberTable::none, u % 4 == 3) << u;
}

TEST(MemberTable, numbers_stay_and_say_who_has_left) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 1000; ++u) table.add(user(u), {.arm = 1, .zeros = static_cast<std::uint8_t>(u % 4)});
  table.keep_from(3);
  for (std::uint64_t u = 1000; u < 1100; ++u) EXPECT_EQ(table.add(user(u), {.arm = 2, .zeros = 3}), u);
  for (std::uint64_t u = 0; u < 1000; ++u) {
    EXPECT_EQ(table.at(static_cast<MemberTable::Number>(u)).arm, u % 4 == 3 ? 1 : Member::no_arm) << u;
  }
}

TEST(MemberTable, takes_a_third_of_a_line_and_a_member_a_user_in_a_table_at_most_three_quarters_full) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 20'000; ++u) {
    table.add(user(u), {});
    if (u < 100) continue;
    EXPECT_LE(table.memory_bytes(), (57 + 8) * (u + 1));
  }
}

}  // namespace
}  // namespace recmeter
