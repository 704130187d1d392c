// Which configuration makes which windows of a state.
#include "recmeter/live/generation.h"

#include <gtest/gtest.h>

#include <string>

#include "recmeter/memory/memory_store.h"

namespace recmeter {
namespace {

constexpr EventTime noon{event_time_min.ms + 43'200'000};

class StateGenerations : public testing::Test {
 protected:
  StateGenerations() {
    StateBatch batch;
    put_only_generation(batch, {.config = "a"});
    write(batch);
  }
  void write(const StateBatch& batch) { ASSERT_TRUE(store_.write(batch, StateStore::Durability::process)); }
  void begin(EventTime from, const std::string& config) {
    auto generations = generations_in(store_);
    ASSERT_TRUE(generations);
    StateBatch batch;
    begin_generation(batch, *generations, from, config, [&](std::size_t at) { return (*generations)[at].config == config; });
    write(batch);
    EXPECT_EQ(names(*generations), content()) << "what is said and what is kept differ";
  }
  static std::string names(const std::vector<Generation>& generations) {
    std::string out;
    for (const Generation& one : generations) out += one.config + std::to_string(one.number) + " ";
    return out;
  }
  [[nodiscard]] std::string content() const {
    const auto generations = generations_in(store_);
    EXPECT_TRUE(generations);
    return names(*generations);
  }

  memory::MemoryStore store_;
};

TEST_F(StateGenerations, follow_each_other) {
  begin(noon, "b");
  begin(noon + Duration{1}, "c");
  EXPECT_EQ(content(), "a0 b1 c2 ");
  const auto generations = generations_in(store_);
  EXPECT_EQ((*generations)[0].from, minus_infinity);
  EXPECT_EQ((*generations)[1].from, noon);
}

TEST_F(StateGenerations, without_windows_make_way) {
  begin(noon, "b");
  begin(noon, "c");
  EXPECT_EQ(content(), "a0 c2 ");
  begin(minus_infinity, "d");
  EXPECT_EQ(content(), "d3 ");
}

TEST_F(StateGenerations, that_a_configuration_goes_back_to_go_on) {
  begin(noon, "b");
  begin(noon, "a");
  EXPECT_EQ(content(), "a0 ");
}

TEST_F(StateGenerations, are_erased_by_their_numbers) {
  begin(noon, "b");
  StateBatch batch;
  erase_generation(batch, 0);
  write(batch);
  EXPECT_EQ(content(), "b1 ");
}

TEST_F(StateGenerations, that_are_damaged_say_so) {
  StateBatch batch;
  batch.put("g", "");
  write(batch);
  const auto generations = generations_in(store_);
  ASSERT_FALSE(generations);
  EXPECT_EQ(generations.error().code, Errc::state_unusable);
}

class FirstStart : public testing::Test {
 protected:
  [[nodiscard]] EventTime first(std::string metric) const {
    EvaluatorSpec spec;
    spec.join.horizons = {Duration{1'800'000}};
    spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec.windows = {{}};
    spec.metrics.requests = {{.name = std::move(metric)}};
    const auto plan = EvaluatorPlan::make(spec, Duration{60'000}, false);
    EXPECT_TRUE(plan);
    return first_start(*plan, checkpoint_);
  }

  Checkpoint checkpoint_;
};

TEST_F(FirstStart, is_any_before_something_was_evaluated) {
  EXPECT_EQ(first("precision"), minus_infinity);
}

TEST_F(FirstStart, lies_after_the_watermark) {
  checkpoint_.sequencer.watermark = noon;
  EXPECT_EQ(first("precision"), noon + Duration{1});
  EXPECT_EQ(first("popularity"), noon + Duration{1}) << "the journal has everything";
}

TEST_F(FirstStart, waits_for_what_the_journal_lacks) {
  checkpoint_.sequencer.watermark = noon;
  checkpoint_.journal_from = noon - Duration{7'200'000};
  EXPECT_EQ(first("precision"), noon + Duration{1});
  EXPECT_GT(first("popularity"), noon + Duration{21 * 3'600'000});
}

}  // namespace
}  // namespace recmeter
