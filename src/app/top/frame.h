// frame: the model as text for a terminal, from which it takes its size. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/top/model.h"

namespace recmeter::top {

struct FrameSize {
  std::size_t columns = 80;  // 0: any number
  std::size_t rows = 0;      // 0: any number
};

// Lines without their ends, within the size, whatever the model holds. What does not fit is left out from the end, and the
// last line says so. Plain text, or with ANSI looks; nothing is told by a look alone.
[[nodiscard]] std::vector<std::string> frame(const Model& model, FrameSize size, bool color);

// Windows as blocks of eight heights between `low` and `high`, the newest `slots` of them that are `slide` apart, the newest
// last: a blank where there is no window or no value, and a dotted line before the first that is not final.
[[nodiscard]] std::string sparkline(const std::vector<Point>& points, Duration slide, std::size_t slots, double low,
                                    double high);

}  // namespace recmeter::top
