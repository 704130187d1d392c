// Which sealed panes of a state a run takes, and which it does not trust.
#include "recmeter/live/kept_panes.h"

#include <gtest/gtest.h>

#include <string>

#include "recmeter/live/generation.h"
#include "recmeter/memory/memory_store.h"

namespace recmeter {
namespace {

constexpr Duration day{24 * one_hour.ms};
constexpr EventTime noon{event_time_min.ms + day.ms / 2};
using Found = KeptPanes::Found;

class StatePanes : public testing::Test {
 protected:
  StatePanes() {
    spec_.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
    spec_.join.horizons = {Duration{30 * one_minute.ms}};
    spec_.metrics.requests = {{"mrr", {}, {}}};
    spec_.windows = {{.name = "day", .size = day, .slide = day, .offset = {0}}};
    spec_.config_hash = "0000000000000001";
    make_plan();
  }
  void make_plan() {
    plan_.emplace(std::move(*EvaluatorPlan::make(spec_, Duration{0}, false)));
    plan_->keep_panes(Duration{5 * one_minute.ms});
  }
  [[nodiscard]] KeptPanes panes(std::uint64_t generation = 3) const { return {*plan_, generation, "1.0"}; }
  // Of what came of a pane at the horizon, a pane without cells; or other bytes.
  void save(KeptPanes& panes, EventTime sealed, std::uint64_t checkpoint, bool are_all = true,
            const std::string& bytes = std::string(2, '\0')) {
    StateBatch batch;
    const EventTime start = sealed - plan_->grids.grids()[0].width - spec_.join.horizons[0];
    ASSERT_EQ(plan_->sealed_at(0, 1, start), sealed);
    std::deque<KeptPane> one;
    one.push_back({.key = {.sealed = sealed, .grid = 0, .horizon = 1, .start = start}, .bytes = bytes});
    panes.save(batch, std::move(one), sealed, checkpoint, are_all);
    write(batch);
  }
  void write(const StateBatch& batch) { ASSERT_TRUE(store_.write(batch, StateStore::Durability::process)); }
  [[nodiscard]] Found found(KeptPanes panes, std::uint64_t checkpoint) const {
    return panes.open(store_, checkpoint).value();
  }
  [[nodiscard]] std::uint64_t kept() const { return survey_panes(store_)->panes; }

  EvaluatorSpec spec_;
  std::optional<EvaluatorPlan> plan_;
  memory::MemoryStore store_;
};

TEST_F(StatePanes, are_those_of_the_same_program_configuration_and_checkpoint) {
  EXPECT_EQ(found(panes(), 0), Found::none);
  KeptPanes first = panes();
  save(first, noon, 7);
  EXPECT_EQ(found(panes(), 7), Found::whole);
  EXPECT_EQ(found(panes(), 8), Found::other) << "a program that knows no panes has gone on";
  EXPECT_EQ(found(panes(4), 7), Found::none);
  EXPECT_EQ(found({*plan_, 3, "1.1"}, 7), Found::other);
  spec_.config_hash = "0000000000000002";
  make_plan();
  EXPECT_EQ(found(panes(), 7), Found::other);
}

TEST_F(StatePanes, are_not_whole_before_all_are_saved) {
  KeptPanes first = panes();
  save(first, noon, 1, false);
  EXPECT_EQ(found(panes(), 1), Found::other);
  save(first, noon + one_hour, 2);
  EXPECT_EQ(found(panes(), 2), Found::whole);
}

TEST_F(StatePanes, that_are_not_trusted_go_with_the_next_checkpoint) {
  KeptPanes first = panes();
  save(first, noon, 1);
  KeptPanes second = panes();
  ASSERT_EQ(second.open(store_, 5).value(), Found::other);
  save(second, noon + one_hour, 6, false);
  EXPECT_EQ(kept(), 1U);
}

TEST_F(StatePanes, that_are_whole_stay_so_while_the_journal_is_read) {
  KeptPanes first = panes();
  save(first, noon, 1);
  KeptPanes second = panes();
  ASSERT_EQ(second.open(store_, 1).value(), Found::whole);
  save(second, noon + one_hour, 2, false);
  EXPECT_EQ(found(panes(), 2), Found::whole);
  EXPECT_EQ(kept(), 2U);
}

TEST_F(StatePanes, that_are_damaged_say_so) {
  KeptPanes first = panes();
  save(first, noon, 1);
  std::string at;
  ASSERT_TRUE(store_.scan("p", "q", [&](std::string_view key, std::string_view) {
    at = key;  // the last is a pane
    return true;
  }));
  std::string value = **store_.get(at);
  value.back() ^= 1;
  StateBatch batch;
  batch.put(at, value);
  write(batch);
  EXPECT_EQ(found(panes(), 1), Found::damaged);
  EXPECT_EQ(survey_panes(store_)->damaged, 1U);
}

TEST_F(StatePanes, of_which_one_is_missing_are_as_if_damaged) {
  KeptPanes first = panes();
  save(first, noon, 1);
  save(first, noon + one_hour, 2);
  ASSERT_EQ(found(panes(), 2), Found::whole);
  std::string at;
  ASSERT_TRUE(store_.scan("p", "q", [&](std::string_view key, std::string_view) {
    at = key;  // the last is a pane
    return true;
  }));
  StateBatch batch;
  batch.erase(at);
  write(batch);
  EXPECT_EQ(found(panes(), 2), Found::damaged);
}

// Their checksums are right.
TEST_F(StatePanes, that_are_of_another_form_are_as_if_damaged) {
  KeptPanes first = panes();
  save(first, noon, 1, true, "cells");
  EXPECT_EQ(found(panes(), 1), Found::damaged);
}

TEST_F(StatePanes, are_dropped_a_window_and_its_horizon_later) {
  KeptPanes first = panes();
  save(first, noon, 1);
  save(first, noon + day, 2);
  EXPECT_EQ(kept(), 2U);
  save(first, noon + day + one_hour, 3);
  EXPECT_EQ(kept(), 2U) << "the first is of no window that is not final";
}

TEST_F(StatePanes, go_with_their_generation) {
  KeptPanes of_three = panes(3);
  KeptPanes of_four = panes(4);
  save(of_three, noon, 1);
  save(of_four, noon, 1);
  StateBatch batch;
  erase_generation(batch, 3);
  write(batch);
  EXPECT_EQ(kept(), 1U);
  EXPECT_EQ(found(panes(4), 1), Found::whole);
  StateBatch all;
  put_only_generation(all, {.config = "new"});
  write(all);
  EXPECT_EQ(kept(), 0U);
}

TEST_F(StatePanes, are_kept_where_they_halve_what_a_restart_reads) {
  const auto keeps = [&](Duration window, Duration slide, Duration horizon) {
    spec_.windows = {{.name = "w", .size = window, .slide = slide, .offset = {0}}};
    spec_.join.horizons = {horizon};
    EvaluatorPlan plan = std::move(*EvaluatorPlan::make(spec_, Duration{0}, false));
    plan.keep_panes_where_they_pay();
    if (!plan.keeps_panes) return Duration{0};
    EXPECT_LE(2 * plan.open_memory().ms, plan.event_memory().ms);
    return plan.grids.grids()[0].width;
  };
  const Duration half_an_hour{30 * one_minute.ms};
  EXPECT_EQ(keeps(day, day, half_an_hour), Duration{5 * one_minute.ms});
  EXPECT_EQ(keeps(day, one_minute, half_an_hour), one_minute);
  EXPECT_EQ(keeps(Duration{7 * day.ms}, Duration{7 * day.ms}, day), Duration{4 * one_hour.ms});
  EXPECT_EQ(keeps(one_hour, one_hour, half_an_hour), Duration{0});
  EXPECT_EQ(keeps(day, day, day), Duration{0});
  spec_.metrics.requests.push_back({"novelty", {}, {}});
  EXPECT_EQ(keeps(day, day, half_an_hour), Duration{0}) << "it needs what users did long before";
}

TEST_F(StatePanes, serve_several_windows_however_they_are_divided) {
  const WindowSpec of_a_day{.name = "day", .size = day, .slide = day, .offset = {0}};
  const WindowSpec odd{.name = "odd", .size = {7'000'001}, .slide = {7'000'001}, .offset = {0}};
  const WindowSpec of_an_hour{.name = "hour", .size = one_hour, .slide = one_hour, .offset = {0}};
  const std::vector<WindowSpec> windows{of_a_day, odd, of_an_hour};
  const PaneGrids grids(windows, Duration{7 * one_minute.ms});
  EXPECT_EQ(grids.grid_of(0), grids.grid_of(2));
  EXPECT_EQ(grids.grids()[grids.grid_of(0)].width.ms, one_hour.ms / 9);
  const Duration width = grids.grids()[grids.grid_of(1)].width;
  EXPECT_EQ(odd.slide.ms % width.ms, 0);
}

}  // namespace
}  // namespace recmeter
