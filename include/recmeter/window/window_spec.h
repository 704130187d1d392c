// WindowSpec: a configured window; the only place that computes window and pane boundaries. [S7].
//
// Starts are multiples of the slide since the epoch plus the offset. Invariants: slide > 0; size is a multiple of slide. The
// whole window of a bounded log, [S7.21], is one of a size that no log reaches.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/base/event_time.h"

namespace recmeter {

struct WindowSpec {
  std::string name;
  Duration size{60000};
  Duration slide{60000};  // equal to size: tumbling
  Duration offset{0};

  static constexpr Duration whole{std::int64_t{1} << 60};
  [[nodiscard]] bool is_whole() const { return size == whole; }
};

// The start of the pane of width `width`, on the grid shifted by `offset`, that holds `t`.
[[nodiscard]] EventTime pane_start(EventTime t, Duration width, Duration offset) noexcept;

// Whether every boundary of the grid (slide, offset) is one of (width, width_offset) as well.
[[nodiscard]] bool refines(Duration width, Duration width_offset, const WindowSpec& window) noexcept;

}  // namespace recmeter
