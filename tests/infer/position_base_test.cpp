// A log counts positions from 0 where position 0 stands in at least 90 % of its lists and none is below: of rows and entries
// alike, by presets and by what is found. [I3.24].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "app/infer/proposal.h"
#include "unit/file/scratch.h"

namespace recmeter::test {
namespace {

constexpr EventTime now{1'790'000'000'000};
const std::atomic<bool> never = false;

struct Shown {
  std::int64_t ts = 0;
  std::string user;
  std::string id;
  std::vector<std::string> items;
  int first = 0;  // position of the first item; the others follow
};

// Of 100 lists of four items, `from_one` lack the item of position 0; one of them has positions from `least`.
std::vector<Shown> lists_with(int from_one, int least) {
  std::vector<Shown> lists;
  for (int i = 0; i < 100; ++i) {
    Shown list{.ts = 1'700'000'000'000 + i * 600'000,
               .user = fmt::format("u{}", i % 20),
               .id = fmt::format("l{}", i),
               .items = {},
               .first = i < from_one ? 1 : 0};
    for (int k = 0; k < 4; ++k) list.items.push_back(fmt::format("p{}", (i * 7 + k * 11) % 61));
    lists.push_back(std::move(list));
  }
  lists.back().first = least;
  return lists;
}

// Each list is clicked at position 1. Records in the order of time; within a list the last item stands first.
std::string rows(const Shown& list) {
  std::string log;
  for (std::size_t k = list.items.size(); k-- > 0;) {
    log += fmt::format(R"({{"type":"impression","ts":{},"list_id":"{}","user_id":"{}","item_id":"{}","position":{}}})"
                       "\n",
                       list.ts, list.id, list.user, list.items[k], list.first + static_cast<int>(k));
  }
  return log + fmt::format(R"({{"type":"click","ts":{},"list_id":"{}","user_id":"{}","item_id":"{}"}})"
                           "\n",
                           list.ts + 5000, list.id, list.user, list.items[static_cast<std::size_t>(1 - list.first)]);
}
std::string nameless_rows(const Shown& list) {
  std::string log;
  for (std::size_t k = list.items.size(); k-- > 0;) {
    const int position = list.first + static_cast<int>(k);
    log += fmt::format(R"({{"c1":{},"c2":"{}","c3":"{}","c4":"{}","c5":{},"c6":{}}})"
                       "\n",
                       list.ts, list.id, list.user, list.items[k], position, position == 1 ? 1 : 0);
  }
  return log;
}
std::string entries(const Shown& list, std::string_view entry) {
  std::string text;
  for (std::size_t k = list.items.size(); k-- > 0;) {
    text += (text.empty() ? "" : ",") + fmt::format(fmt::runtime(entry), list.items[k], list.first + static_cast<int>(k));
  }
  return text;
}
std::string segment(const Shown& list) {
  const std::string head = R"({{"type":"track","event":"{}","anonymousId":"{}","messageId":"m{}","originalTimestamp":"{}",)";
  const auto track = [&](std::string_view event, std::int64_t ts) {
    const std::int64_t seconds = ts / 1000 % 86400;
    const std::int64_t day = ts / 86'400'000 - 1'700'000'000'000 / 86'400'000 + 10;
    return fmt::format(fmt::runtime(head), event, list.user, ts,
                       fmt::format("2026-03-{:02}T{:02}:{:02}:{:02}Z", day, seconds / 3600, seconds / 60 % 60, seconds % 60));
  };
  return track("Product List Viewed", list.ts) +
         fmt::format(R"("properties":{{"list_id":"{}","products":[{}]}}}})"
                     "\n",
                     list.id, entries(list, R"({{"product_id":"{}","position":{}}})")) +
         track("Product Clicked", list.ts + 5000) +
         fmt::format(R"("properties":{{"list_id":"{}","product_id":"{}"}}}})"
                     "\n",
                     list.id, list.items[static_cast<std::size_t>(1 - list.first)]);
}
std::string ga4(const Shown& list) {
  const std::string head = R"({{"event_timestamp":"{}","event_name":"{}","user_pseudo_id":"{}","items":[{}]}})"
                           "\n";
  return fmt::format(fmt::runtime(head), list.ts * 1000, "view_item_list", list.user,
                     entries(list, R"({{"item_id":"{}","item_list_id":"x","item_list_index":"{}"}})")) +
         fmt::format(fmt::runtime(head), list.ts * 1000 + 5'000'000, "select_item", list.user,
                     fmt::format(R"({{"item_id":"{}"}})", list.items[static_cast<std::size_t>(1 - list.first)]));
}

struct Form {
  const char* name;
  std::string (*write)(const Shown& list);
};

class PositionBase : public testing::TestWithParam<Form> {};

Proposal inferred(const Form& form, int from_one, int least) {
  std::string log;
  for (const Shown& list : lists_with(from_one, least)) log += form.write(list);
  const Scratch scratch;
  auto proposal = infer_configuration({scratch.put("log", log)}, now, never);
  EXPECT_TRUE(proposal) << proposal.error().context;
  return proposal ? *proposal : Proposal();
}

bool is_from_zero(const Proposal& proposal) {
  return proposal.config.find("position_base: 0") != std::string::npos;
}

TEST_P(PositionBase, is_0_where_nine_of_ten_lists_have_position_0) {
  for (const int from_one : {0, 10}) {
    const Proposal proposal = inferred(GetParam(), from_one, 0);
    EXPECT_TRUE(is_from_zero(proposal)) << from_one << "\n" << proposal.config;
    EXPECT_EQ(proposal.report.events.invalid, 0U);
    EXPECT_EQ(proposal.report.lists, 100U);
    EXPECT_EQ(proposal.report.feedback.credited, 100U);
  }
}

TEST_P(PositionBase, is_1_where_fewer_have_it) {
  for (const int from_one : {11, 99}) EXPECT_FALSE(is_from_zero(inferred(GetParam(), from_one, 0))) << from_one;
  const Proposal proposal = inferred(GetParam(), 100, 1);
  EXPECT_FALSE(is_from_zero(proposal));
  EXPECT_EQ(proposal.report.events.invalid, 0U);
}

TEST(PositionBaseOfRows, is_asked_for_where_some_lists_have_position_0) {
  const auto asks = [](const Proposal& proposal) {
    return std::ranges::find(proposal.doubts, "position_base", &Doubt::about) != proposal.doubts.end();
  };
  for (const Form& form : {Form{"rows", rows}, Form{"nameless_rows", nameless_rows}}) {
    EXPECT_TRUE(asks(inferred(form, 24, 0))) << form.name;
    EXPECT_TRUE(asks(inferred(form, 10, 0))) << form.name << ": ten begin with 1";
    EXPECT_FALSE(asks(inferred(form, 0, 0))) << form.name;
    EXPECT_FALSE(asks(inferred(form, 100, 1))) << form.name;
  }
}

TEST_P(PositionBase, is_1_where_a_position_is_below_0) {
  EXPECT_FALSE(is_from_zero(inferred(GetParam(), 0, -1)));
}

INSTANTIATE_TEST_SUITE_P(Form, PositionBase,
                         testing::ValuesIn(std::vector<Form>{
                             {"rows", rows}, {"nameless_rows", nameless_rows}, {"segment", segment}, {"ga4", ga4}}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace recmeter::test
