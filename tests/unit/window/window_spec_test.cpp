#include "recmeter/window/window_spec.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "recmeter/window/pane_grid.h"

namespace recmeter {
namespace {

std::int64_t start(std::int64_t t, std::int64_t width, std::int64_t offset) {
  return pane_start(EventTime{t}, Duration{width}, Duration{offset}).ms;
}

WindowSpec window(std::int64_t size, std::int64_t slide, std::int64_t offset = 0) {
  return {.name = "w", .size = {size}, .slide = {slide}, .offset = {offset}};
}

TEST(PaneStart, is_a_multiple_of_the_width_at_or_before_the_time) {
  EXPECT_EQ(start(0, 10, 0), 0);
  EXPECT_EQ(start(9, 10, 0), 0);
  EXPECT_EQ(start(10, 10, 0), 10);
}

TEST(PaneStart, rounds_down_before_the_epoch_too) {
  EXPECT_EQ(start(-1, 10, 0), -10);
  EXPECT_EQ(start(-10, 10, 0), -10);
  EXPECT_EQ(start(-11, 10, 0), -20);
}

TEST(PaneStart, is_shifted_by_the_offset_of_either_sign_and_any_size) {
  EXPECT_EQ(start(2, 10, 3), -7);
  EXPECT_EQ(start(3, 10, 3), 3);
  EXPECT_EQ(start(6, 10, -3), -3);
  EXPECT_EQ(start(7, 10, -3), 7);
  EXPECT_EQ(start(5, 10, 23), start(5, 10, 3));
  EXPECT_EQ(start(5, 10, -27), start(5, 10, 3));
}

TEST(PaneStart, puts_every_time_into_exactly_one_pane) {
  for (std::int64_t offset = -25; offset <= 25; ++offset) {
    for (std::int64_t t = -40; t <= 40; ++t) {
      const std::int64_t s = start(t, 7, offset);
      ASSERT_LE(s, t);
      ASSERT_GT(s + 7, t);
      ASSERT_EQ((s - offset) % 7, 0);
    }
  }
}

TEST(Refines, holds_when_every_boundary_of_the_window_is_one_of_the_grid) {
  EXPECT_TRUE(refines(Duration{10}, Duration{0}, window(60, 60)));
  EXPECT_TRUE(refines(Duration{10}, Duration{0}, window(60, 20)));
  EXPECT_TRUE(refines(Duration{10}, Duration{3}, window(60, 20, 13)));
  EXPECT_TRUE(refines(Duration{10}, Duration{3}, window(60, 20, -7)));
}

TEST(Refines, fails_when_the_slide_is_no_multiple_or_the_offsets_disagree) {
  EXPECT_FALSE(refines(Duration{10}, Duration{0}, window(60, 15)));
  EXPECT_FALSE(refines(Duration{20}, Duration{0}, window(60, 10)));
  EXPECT_FALSE(refines(Duration{10}, Duration{0}, window(60, 20, 5)));
  EXPECT_FALSE(refines(Duration{10}, Duration{0}, window(60, 20, -5)));
}

TEST(PaneGrids, serve_windows_that_divide_each_other_with_one_grid) {
  const std::vector<WindowSpec> windows{window(3'600'000, 300'000), window(60'000, 60'000), window(86'400'000, 86'400'000)};
  const PaneGrids grids(windows);
  ASSERT_EQ(grids.grids().size(), 1U);
  EXPECT_EQ(grids.grids()[0].width, Duration{60'000});
  for (std::size_t w = 0; w < windows.size(); ++w) EXPECT_EQ(grids.grid_of(w), 0U);
}

TEST(PaneGrids, keep_apart_what_does_not_divide) {
  const std::vector<WindowSpec> windows{window(60, 60), window(90, 90), window(60, 60, 1)};
  const PaneGrids grids(windows);
  EXPECT_EQ(grids.grids().size(), 3U);
}

TEST(PaneGrids, give_every_window_a_grid_that_refines_it) {
  std::vector<WindowSpec> windows;
  for (const std::int64_t slide : {12, 4, 18, 6, 9, 36}) {
    for (const std::int64_t offset : {0, 2, -3}) windows.push_back(window(slide * 2, slide, offset));
  }
  const PaneGrids grids(windows);
  for (std::size_t w = 0; w < windows.size(); ++w) {
    const PaneGrid& grid = grids.grids()[grids.grid_of(w)];
    EXPECT_TRUE(refines(grid.width, grid.offset, windows[w])) << w;
  }
}

}  // namespace
}  // namespace recmeter
