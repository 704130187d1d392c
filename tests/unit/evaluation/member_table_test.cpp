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
  EXPECT_EQ(table.find(user(1)), nullptr);
  EXPECT_EQ(table.members(), 0U);
}

TEST(MemberTable, keeps_what_was_said_of_each_member) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 1000; ++u) {
    table.add(user(u), {.arm = static_cast<std::uint8_t>(u % 3), .zeros = static_cast<std::uint8_t>(u % 7)});
  }
  table.find(user(500))->is_mixed = true;
  EXPECT_EQ(table.members(), 1000U);
  for (std::uint64_t u = 0; u < 1000; ++u) {
    const Member* member = table.find(user(u));
    ASSERT_NE(member, nullptr) << u;
    EXPECT_EQ(member->arm, u % 3);
    EXPECT_EQ(member->zeros, u % 7);
    EXPECT_EQ(member->is_mixed, u == 500);
  }
  EXPECT_EQ(table.find(user(1000)), nullptr);
}

TEST(MemberTable, keeps_a_sample_and_forgets_the_others) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 1000; ++u) table.add(user(u), {.zeros = static_cast<std::uint8_t>(u % 4)});
  const std::size_t before = table.memory_bytes();
  table.keep_from(3);
  EXPECT_EQ(table.members(), 250U);
  EXPECT_LT(table.memory_bytes(), before);
  for (std::uint64_t u = 0; u < 1000; ++u) EXPECT_EQ(table.find(user(u)) != nullptr, u % 4 == 3) << u;
}

TEST(MemberTable, takes_a_third_of_a_line_a_user_in_a_table_at_most_three_quarters_full) {
  MemberTable table;
  for (std::uint64_t u = 0; u < 20'000; ++u) {
    table.add(user(u), {});
    if (u < 100) continue;
    EXPECT_LE(table.memory_bytes(), 57 * (u + 1));
  }
}

}  // namespace
}  // namespace recmeter
