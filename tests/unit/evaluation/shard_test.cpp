#include "recmeter/evaluation/shard.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "support/decoded.h"

namespace recmeter {
namespace {

using support::at;

// Minutes, horizon 30 s, assemble 10 s, precision@1 and distinct_items@1.
EvaluatorSpec spec_of_test() {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{30'000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "minute", .size = {60'000}, .slide = {60'000}, .offset = {0}}};
  spec.metrics.cutoffs = {1};
  spec.metrics.requests = {{.name = "precision", .as = {}, .options = {}},
                           {.name = "distinct_items", .as = {}, .options = {}}};
  return spec;
}

class OneShard : public testing::Test {
 protected:
  void receive(const std::vector<std::string>& lines, std::uint32_t partition = 0) {
    RoutedBatch routed{.batch = support::shared_decoded(lines, support::decoder_options({"click"})),
                       .partition = partition,
                       .first_place = 0,
                       .events = {}};
    routed.events.resize(routed.batch->events().size());
    std::iota(routed.events.begin(), routed.events.end(), 0U);
    shard_.receive(std::move(routed));
  }
  ShardOutput advance(std::int64_t ms) {
    shard_.settle(at(ms));
    shard_.advance(at(ms), plus_infinity);
    return shard_.take_output();
  }

  EvaluatorSpec spec_ = spec_of_test();
  EvaluatorPlan plan_ = EvaluatorPlan::make(spec_, Duration{60'000}, false).value();
  Shard shard_{plan_, 2};
};

// What a list takes depends on feedback on lists before it, and whether that counts on its event ids.
TEST(EvaluatorPlan, looks_back_as_far_as_event_ids_are_remembered_too) {
  EvaluatorSpec spec = spec_of_test();
  spec.join.skew = Duration{3};
  const Duration without = EvaluatorPlan::make(spec, Duration{60'000}, false)->look_back();
  spec.join.actions.front().once = true;
  const Duration with = EvaluatorPlan::make(spec, Duration{60'000}, false)->look_back();
  EXPECT_EQ(with - without, spec.join.longest_horizon() + Duration{6});
}

TEST_F(OneShard, decides_nothing_before_the_watermark) {
  receive({support::list_line(1000, "u", "L", {"a"})});
  shard_.settle(at(1000));
  EXPECT_EQ(shard_.undecided(), 1U);
  EXPECT_EQ(shard_.lists(), 0U);
  shard_.settle(at(1001));
  EXPECT_EQ(shard_.undecided(), 0U);
  EXPECT_EQ(shard_.lists(), 1U);
}

TEST_F(OneShard, counts_duplicates_for_the_partition_that_brought_the_later_one) {
  receive({support::list_line(5, "u", "L", {"a"})}, 1);
  receive({support::list_line(6, "u", "L", {"a"})}, 0);
  advance(100);
  EXPECT_EQ(shard_.decided()[1].impressions, 1U);
  EXPECT_EQ(shard_.decided()[0].duplicate(), 1U);
  EXPECT_EQ(shard_.decided()[0].impressions, 0U);
}

TEST_F(OneShard, takes_feedback_equal_in_all_but_its_value_as_one_event) {
  receive({support::feedback_line(5, "click", "u", "a", "L", R"(,"value":2)"),
           support::feedback_line(5, "click", "u", "a", "L", R"(,"value":1)"),
           support::feedback_line(5, "click", "u", "a", "L")});
  advance(100);
  EXPECT_EQ(shard_.decided()[0].feedback, 1U);
  EXPECT_EQ(shard_.decided()[0].duplicate(), 2U);
}

TEST_F(OneShard, tells_feedback_apart_by_every_other_field) {
  receive({support::feedback_line(5, "click", "u", "a", "L"), support::feedback_line(6, "click", "u", "a", "L"),
           support::feedback_line(5, "click", "v", "a", "L"), support::feedback_line(5, "click", "u", "b", "L"),
           support::feedback_line(5, "click", "u", "a", "M"), support::feedback_line(5, "click", "u", "a"),
           support::feedback_line(5, "click", "u", "a", "L", R"(,"event_id":"1")")});
  advance(100);
  EXPECT_EQ(shard_.decided()[0].feedback, 7U);
  EXPECT_EQ(shard_.decided()[0].duplicate(), 0U);
}

TEST_F(OneShard, seals_sums_at_pane_end_and_horizon_and_exposure_at_pane_end_and_assembly) {
  receive({support::list_line(1000, "u", "L", {"a"})});
  ShardOutput output = advance(69'999);
  EXPECT_TRUE(output.exposure[0].empty());
  output = advance(70'000);
  EXPECT_EQ(output.exposure[0].size(), 1U);
  EXPECT_TRUE(output.sums[0][0].empty());
  output = advance(89'999);
  EXPECT_TRUE(output.sums[0][0].empty());
  output = advance(90'000);
  ASSERT_EQ(output.sums[0][0].size(), 1U);
  EXPECT_EQ(output.sums[0][0].begin()->first, at(0));
  EXPECT_TRUE(output.exposure[0].empty()) << "handed over once";
}

TEST_F(OneShard, announces_when_the_pane_of_its_oldest_open_list_is_sealed) {
  EXPECT_EQ(shard_.next_seal(), plus_infinity);
  receive({support::list_line(1000, "u", "L", {"a"}), support::list_line(59'000, "u", "M", {"a"})});
  shard_.settle(at(60'000));
  EXPECT_EQ(shard_.next_seal(), at(70'000)) << "its exposure";
  advance(70'000);
  EXPECT_EQ(shard_.next_seal(), at(90'000)) << "its sums";
}

TEST_F(OneShard, names_each_new_item_once) {
  receive({support::list_line(1000, "u", "L", {"a", "b"}), support::list_line(1001, "v", "M", {"b"})});
  const ShardOutput output = advance(2000);
  ASSERT_EQ(output.new_items.size(), 2U);
  EXPECT_EQ(output.new_items[0].text, "a");
  EXPECT_EQ(output.new_items[1].text, "b");
  EXPECT_TRUE(advance(3000).new_items.empty());
}

TEST_F(OneShard, forgets_items_long_after_their_last_use) {
  receive({support::list_line(1000, "u", "L", {"a"})});
  advance(2000);
  std::size_t forgotten = 0;
  for (std::int64_t hour = 1; hour < 6; ++hour) forgotten += advance(hour * 3'600'000).forgotten_items.size();
  EXPECT_EQ(forgotten, 1U);
}

}  // namespace
}  // namespace recmeter
