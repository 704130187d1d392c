// The doctor's sample: bounded, and of whole users and whole list ids.
#include "doctor/sample.h"

#include <gtest/gtest.h>

#include <map>

#include "doctor/id_form.h"
#include "recmeter/event/join_key.h"

namespace recmeter::doctor {
namespace {

SeenId id_of(const std::string& text) {
  return {.raw = hash_id(text), .form = hash_id(id_form(text))};
}

// 2,000 users of 5 lists each, and an action on every list that names it under another user.
Sample filled(std::size_t bytes) {
  Sample sample(bytes);
  for (std::size_t i = 0; i < 10'000; ++i) {
    SeenList list;
    list.user = id_of("u" + std::to_string(i % 2000));
    list.id = id_of("l" + std::to_string(i));
    const std::vector<SeenId> items{id_of("a" + std::to_string(i % 50)), id_of("b")};
    if (sample.takes(list.user, list.id)) sample.add(list, items);
    SeenAction action;
    action.user = id_of("login" + std::to_string(i % 2000));
    action.list = list.id;
    if (sample.takes(action.user, action.list)) sample.add(action, items.front());
  }
  return sample;
}

TEST(Sample, keeps_everything_that_has_room) {
  const Sample sample = filled(std::size_t{100} << 20);
  EXPECT_EQ(sample.one_in(), 1U);
  EXPECT_EQ(sample.lists().size(), 10'000U);
  EXPECT_EQ(sample.actions().size(), 10'000U);
}

TEST(Sample, keeps_whole_users_and_whole_list_ids_of_what_has_not) {
  const Sample sample = filled(std::size_t{1} << 20);
  ASSERT_GT(sample.one_in(), 1U);
  EXPECT_LT(sample.lists().size() * sizeof(SeenList) + sample.actions().size() * sizeof(SeenAction), std::size_t{1} << 20);
  std::map<std::uint64_t, std::size_t> of_user;
  std::map<std::uint64_t, std::size_t> named;
  for (const SeenAction& action : sample.actions()) ++named[action.list.raw];
  for (const SeenList& list : sample.lists()) {
    if (sample.has(list.user.form)) ++of_user[list.user.raw];
    EXPECT_TRUE(!sample.has(list.id.form) || named[list.id.raw] == 1U) << "an action is kept with the list it names";
    EXPECT_EQ(sample.items(list).size(), 2U);
  }
  for (const auto& [user, lists] : of_user) EXPECT_EQ(lists, 5U);
  const double expected = 2000.0 / static_cast<double>(sample.one_in());
  EXPECT_NEAR(static_cast<double>(of_user.size()), expected, 0.35 * expected);
}

TEST(IdForm, leaves_out_what_producers_add) {
  for (const char* id : {"00A1", "sku-00a1", "SKU_00A1", "{00a1}"}) EXPECT_EQ(id_form(id), "00a1") << id;
  EXPECT_EQ(id_form("6F9619FF-8B86-D011"), "6f9619ff8b86d011");
  EXPECT_EQ(id_form("17.0"), "17");
  for (const char* id : {"1610521604143717497", "1610521604143717400", "1610521604143717376", "1.6105216041437174e+18"}) {
    EXPECT_EQ(id_form(id), "1.6105216041437174e+18") << id;
  }
  EXPECT_EQ(id_form("9007199254740992"), "9007199254740992") << "2^53 is exact";
  EXPECT_EQ(id_form("-"), "-");
}

TEST(IdForm, knows_numbers_that_a_double_rounded) {
  EXPECT_TRUE(is_rounded_number("1610521604143717400")) << "as JavaScript prints it";
  EXPECT_TRUE(is_rounded_number("1610521604143717376")) << "as C and Python print it";
  EXPECT_FALSE(is_rounded_number("1610521604143717497"));
  EXPECT_FALSE(is_rounded_number("9007199254740992")) << "2^53 is exact";
  EXPECT_FALSE(is_rounded_number("16105216041437174x0"));
}

TEST(IdForm, knows_numbers_that_were_fractions) {
  for (const char* id : {"17.0", "1.2e+18", "9E+15"}) EXPECT_TRUE(is_spoilt_number(id)) << id;
  for (const char* id : {"17", "v1.0", "1.5", "", "1e", "e+18", "17.0.1"}) EXPECT_FALSE(is_spoilt_number(id)) << id;
}

}  // namespace
}  // namespace recmeter::doctor
