#include "recmeter/window/pane_grid.h"

#include <algorithm>
#include <numeric>

namespace recmeter {

namespace {

// The widest of at most `width_max` that divides the slide: of as few parts as possible.
Duration width_of(const WindowSpec& window, Duration width_max) {
  if (window.is_whole() || window.slide <= width_max) return window.slide;
  const std::int64_t fewest = (window.slide.ms + width_max.ms - 1) / width_max.ms;
  for (std::int64_t parts = fewest; parts <= 2 * fewest; ++parts) {
    if (window.slide.ms % parts == 0) return Duration{window.slide.ms / parts};
  }
  return window.slide;
}

}  // namespace

PaneGrids::PaneGrids(std::span<const WindowSpec> windows, Duration width_max) : grid_of_(windows.size()) {
  std::vector<std::size_t> finest_first(windows.size());
  std::iota(finest_first.begin(), finest_first.end(), std::size_t{0});
  std::stable_sort(finest_first.begin(), finest_first.end(),
                   [&](std::size_t a, std::size_t b) { return windows[a].slide < windows[b].slide; });
  for (const std::size_t w : finest_first) {
    const auto serves = std::find_if(grids_.begin(), grids_.end(), [&](const PaneGrid& grid) {
      return grid.is_whole() == windows[w].is_whole() && refines(grid.width, grid.offset, windows[w]);
    });
    grid_of_[w] = static_cast<std::size_t>(serves - grids_.begin());
    if (serves == grids_.end()) grids_.push_back({width_of(windows[w], width_max), windows[w].offset});
  }
}

}  // namespace recmeter
