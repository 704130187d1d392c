#include "app/why/kept_means.h"

#include <gtest/gtest.h>

#include "unit/why/made_rows.h"

namespace recmeter::why {
namespace {

constexpr Duration half_hour{30 * one_minute.ms};

TEST(KeptMeans, keep_what_may_be_compared_and_no_more) {
  KeptMeans means("mrr@10", {.reach = Duration{3 * one_hour.ms}, .against = EventTime{2 * one_hour.ms}});
  for (int hour = 0; hour < 50; ++hour) {
    for (const Row& row : made_hour(hour, 0.5, 0.25)) means.add(row);
  }
  const auto& windows = means.windows("hour", half_hour, Stage::final);
  EXPECT_EQ(windows.size(), 5u) << "the newest, three hours before it, and that of --against";
  EXPECT_TRUE(windows.contains(EventTime{1 * one_hour.ms}));
  EXPECT_EQ(windows.rbegin()->second.size(), 3u);
}

TEST(KeptMeans, keep_the_window_before_a_gap) {
  KeptMeans means("mrr@10", {});
  for (const int hour : {1, 2, 100}) means.add(made_row(hour, {}, 10, 0.5, 0.5));
  const auto& windows = means.windows("hour", half_hour, Stage::final);
  EXPECT_EQ(windows.size(), 2u);
  EXPECT_TRUE(windows.contains(EventTime{2 * one_hour.ms}));
}

TEST(KeptMeans, look_at_no_provisional_row) {
  KeptMeans means("mrr@10", {});
  Row row = made_row(0, {}, 10, 0.5, 0.5);
  row.stage = Stage::provisional;
  means.add(row);
  EXPECT_FALSE(means.longest_horizon());
}

TEST(MeanRow, of_rows_has_the_lists_that_are_in_the_mean) {
  const Row all = made_row(0, {}, 40, 0.25, 0.5);
  EXPECT_EQ(mean_row_of(all, all.metrics[0]).facts.lists, 40u);
  Row relevant = made_row(0, {}, 40, 0.25, 0.5);
  relevant.metrics[0].value = 0.5;  // over: relevant
  EXPECT_EQ(mean_row_of(relevant, relevant.metrics[0]).facts.lists, 10u);
  Row none = made_row(0, {}, 40, 0, 0);
  EXPECT_EQ(mean_row_of(none, none.metrics[0]).facts.lists, 40u);
  none.metrics[0].value.reset();
  EXPECT_EQ(mean_row_of(none, none.metrics[0]).facts.lists, 0u);
}

}  // namespace
}  // namespace recmeter::why
