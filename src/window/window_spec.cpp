#include "recmeter/window/window_spec.h"

namespace recmeter {

namespace {

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

}  // namespace

EventTime pane_start(EventTime t, Duration width, Duration offset) noexcept {
  return EventTime{floor_to(t.ms - offset.ms, width.ms) + offset.ms};
}

bool refines(Duration width, Duration width_offset, const WindowSpec& window) noexcept {
  return window.slide.ms % width.ms == 0 &&
         floor_to(window.offset.ms - width_offset.ms, width.ms) == window.offset.ms - width_offset.ms;
}

}  // namespace recmeter
