#include "recmeter/window/pane_grid.h"

#include <algorithm>
#include <numeric>

namespace recmeter {

PaneGrids::PaneGrids(std::span<const WindowSpec> windows) : grid_of_(windows.size()) {
  std::vector<std::size_t> finest_first(windows.size());
  std::iota(finest_first.begin(), finest_first.end(), std::size_t{0});
  std::stable_sort(finest_first.begin(), finest_first.end(),
                   [&](std::size_t a, std::size_t b) { return windows[a].slide < windows[b].slide; });
  for (const std::size_t w : finest_first) {
    const auto serves = std::find_if(grids_.begin(), grids_.end(), [&](const PaneGrid& grid) {
      return grid.is_whole() == windows[w].is_whole() && refines(grid.width, grid.offset, windows[w]);
    });
    grid_of_[w] = static_cast<std::size_t>(serves - grids_.begin());
    if (serves == grids_.end()) grids_.push_back({windows[w].slide, windows[w].offset});
  }
}

}  // namespace recmeter
