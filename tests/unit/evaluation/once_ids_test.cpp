#include "recmeter/evaluation/once_ids.h"

#include <gtest/gtest.h>

#include <string>

#include "support/decoded.h"

namespace recmeter {
namespace {

using support::feedback_line;

// A span of 100 ms.
JoinRule rule() {
  JoinRule rule;
  rule.key.not_users = {"0", "anonymous"};
  rule.horizons = {Duration{20}, Duration{90}};
  rule.skew = Duration{10};
  rule.actions = {{.name = "click", .after = {}, .horizon = {}},
                  {.name = "purchase", .after = {}, .horizon = {}, .once = true}};
  return rule;
}

class OnceIdsTest : public testing::Test {
 protected:
  bool repeats(std::int64_t ms, const char* user, const char* item, const std::string& id, const char* action = "purchase",
               const char* list = "") {
    const std::string more = id.empty() ? "" : R"(,"event_id":")" + id + "\"";
    DecoderOptions options = support::decoder_options({"click", "purchase"});
    options.key = rule_.key;
    const EventBatch batch = support::decoded({feedback_line(ms, action, user, item, list, more)}, options);
    EXPECT_EQ(batch.events().front().outcome, Outcome::event);
    return ids_.repeats(batch, batch.events().front());
  }

  JoinRule rule_ = rule();
  OnceIds ids_{rule_};
};

TEST_F(OnceIdsTest, remembers_an_id_for_less_than_the_longest_horizon_and_skew_behind_its_last_duplicate) {
  EXPECT_FALSE(repeats(1000, "u", "a", "o1"));
  EXPECT_TRUE(repeats(1000, "u", "a", "o1"));
  EXPECT_TRUE(repeats(1099, "u", "a", "o1"));
  EXPECT_TRUE(repeats(1198, "u", "a", "o1"));
  EXPECT_FALSE(repeats(1298, "u", "a", "o1"));
  EXPECT_TRUE(repeats(1299, "u", "a", "o1"));
  EXPECT_FALSE(repeats(9999, "u", "a", "o1"));
}

TEST_F(OnceIdsTest, compares_action_user_as_written_item_and_event_id) {
  EXPECT_FALSE(repeats(1000, "u", "a", "o1"));
  EXPECT_FALSE(repeats(1000, "v", "a", "o1"));
  EXPECT_FALSE(repeats(1000, "u", "b", "o1"));
  EXPECT_FALSE(repeats(1000, "u", "a", "o2"));
  EXPECT_FALSE(repeats(1000, "u", "a", "o1", "click"));
  EXPECT_FALSE(repeats(1001, "u", "a", "o1", "click")) << "an action without once";
  EXPECT_FALSE(repeats(1001, "u", "a", ""));
  EXPECT_FALSE(repeats(1002, "u", "a", "")) << "without an id the rule does nothing";
  EXPECT_TRUE(repeats(1003, "u", "a", "o1", "purchase", "l")) << "of a user whatever the list";
}

TEST_F(OnceIdsTest, compares_the_list_id_too_where_the_user_is_a_placeholder) {
  EXPECT_FALSE(repeats(1000, "0", "a", "o1", "purchase", "l"));
  EXPECT_FALSE(repeats(1001, "0", "a", "o1", "purchase", "m"));
  EXPECT_FALSE(repeats(1001, "0", "a", "o1"));
  EXPECT_FALSE(repeats(1002, "anonymous", "a", "o1", "purchase", "l"));
  EXPECT_TRUE(repeats(1003, "0", "a", "o1", "purchase", "l"));
  EXPECT_TRUE(repeats(1004, "0", "a", "o1"));
}

// Of many spans, whatever moment they begin at.
TEST_F(OnceIdsTest, finds_the_same_as_a_memory_of_everything) {
  EventTime last = minus_infinity;
  std::int64_t ms = 1000;
  for (int n = 0; n < 3000; ++n) {
    ms += (n * 37) % 130;
    if (n % 7 == 0) {
      EXPECT_FALSE(repeats(ms, "u", "a", "x" + std::to_string(n)));
    }
    const EventTime at{ms};
    EXPECT_EQ(repeats(ms, "u", "a", "o"), last != minus_infinity && at - last < Duration{100}) << n;
    last = at;
  }
}

}  // namespace
}  // namespace recmeter
