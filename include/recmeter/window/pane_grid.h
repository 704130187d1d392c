// PaneGrids: the pane series that lists are added to: as few as serve every configured window, so that a list is added once
// where windows divide each other (a minute serves an hour by five minutes). Immutable; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "recmeter/window/window_spec.h"

namespace recmeter {

struct PaneGrid {
  Duration width;
  Duration offset;

  // It has one pane, which holds the lists of the run's range and ends with the run.
  [[nodiscard]] bool is_whole() const { return width == WindowSpec::whole; }
  [[nodiscard]] EventTime start(EventTime t) const { return pane_start(t, width, offset); }
};

class PaneGrids {
 public:
  // `width_max`: panes are no wider, where the windows can be divided so; windows and rows are the same.
  explicit PaneGrids(std::span<const WindowSpec> windows, Duration width_max = WindowSpec::whole);

  [[nodiscard]] std::span<const PaneGrid> grids() const { return grids_; }
  // The grid whose panes the window is made of.
  [[nodiscard]] std::size_t grid_of(std::size_t window) const { return grid_of_[window]; }

 private:
  std::vector<PaneGrid> grids_;
  std::vector<std::size_t> grid_of_;
};

}  // namespace recmeter
