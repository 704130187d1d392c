#include "config/window_memory.h"

#include <algorithm>
#include <cmath>

#include "recmeter/window/exposure.h"
#include "recmeter/window/item_set.h"
#include "recmeter/window/pane_sums.h"
#include "recmeter/window/running_sums.h"

namespace recmeter::config {

namespace {

// How many of `of` are met in `times` draws.
double met(double of, double times) {
  return of * (1 - std::exp(-times / of));
}

double seconds(Duration span) {
  return static_cast<double>(span.ms) / 1000;
}

// Of one segment value, on the average: a list is in one of each combination.
double lists_in(Duration span, const WindowTraffic& of) {
  return of.lists_per_second * seconds(span) * of.combinations / of.segments;
}

double users_bytes(const EvaluatorPlan& plan, const WindowTraffic& of, Duration span) {
  if (!plan.metrics.needs_users()) return 0;
  constexpr double slot_bytes = 32;     // UserSums' row without columns
  constexpr double slots_per_user = 2;  // it doubles when it is nearly full
  const double row = slot_bytes + static_cast<double>(plan.metrics.user_columns() * sizeof(std::int64_t));
  return met(of.users, lists_in(span, of)) * row * slots_per_user;
}

double pane_sums_bytes(const EvaluatorPlan& plan, const WindowTraffic& of, Duration width) {
  const double groups = met(user_groups, lists_in(width, of) * (1 - std::exp(-of.feedback_per_list)));
  return static_cast<double>(sizeof(PaneSums)) + groups * static_cast<double>(plan.metrics.columns() * sizeof(std::int64_t)) +
         users_bytes(plan, of, width);
}

double exposure_bytes(const EvaluatorPlan& plan, const WindowTraffic& of, Duration width) {
  const auto cutoffs = static_cast<double>(plan.metrics.exposure_cutoffs().size());
  const double shown = lists_in(width, of) * of.items_per_list;
  const double pages = std::max(1.0, of.items / ItemSet::page_bits);
  const double set = met(pages, shown) * sizeof(ItemSet::Page) + pages * sizeof(void*);
  const double counts = plan.metrics.exposure_needs().counts ? met(of.items, shown) * 8 : 0;
  return static_cast<double>(sizeof(Exposure)) + cutoffs * (set + counts);
}

Duration pane_width(const EvaluatorPlan& plan, std::size_t window) {
  return plan.grids.grids()[plan.grids.grid_of(window)].width;
}

double panes_of(const WindowSpec& window, Duration width) {
  return std::max(1.0, static_cast<double>(window.size.ms) / static_cast<double>(width.ms));
}

}  // namespace

double sums_memory(const EvaluatorPlan& plan, const WindowTraffic& of) {
  const auto columns = static_cast<double>(plan.metrics.columns() * sizeof(Int128));
  double bytes = 0;
  for (std::size_t w = 0; w < plan.spec->windows.size(); ++w) {
    const WindowSpec& window = plan.spec->windows[w];
    const Duration width = pane_width(plan, w);
    const double panes = panes_of(window, width);
    // The sums of a window of one pane are that pane's, until the next takes its place.
    const double running = static_cast<double>(sizeof(RunningSums)) + static_cast<double>(user_groups) * columns +
                           (panes > 1 ? users_bytes(plan, of, window.size) : 0);
    bytes += (panes + 1) * pane_sums_bytes(plan, of, width) + running;
  }
  return bytes * of.segments * static_cast<double>(plan.spec->join.horizons.size());
}

double exposure_memory(const EvaluatorPlan& plan, const WindowTraffic& of) {
  if (!plan.wants_exposure()) return 0;
  const auto cutoffs = static_cast<double>(plan.metrics.exposure_cutoffs().size());
  double bytes = 0;
  for (std::size_t w = 0; w < plan.spec->windows.size(); ++w) {
    const WindowSpec& window = plan.spec->windows[w];
    const Duration width = pane_width(plan, w);
    const double panes = panes_of(window, width);
    bytes += (panes + 1) * exposure_bytes(plan, of, width);
    const double mark = panes > 255 ? sizeof(std::uint32_t) : sizeof(std::uint8_t);
    if (panes > 1) bytes += met(of.items, lists_in(window.size, of) * of.items_per_list) * cutoffs * mark;
  }
  return bytes * of.segments;
}

double preview_memory(const EvaluatorPlan& plan, const WindowTraffic& of) {
  const JoinRule& join = plan.spec->join;
  const Duration kept = plan.longest_window() + join.longest_horizon() + join.skew + join.assemble;
  double bytes = 0;
  for (const PaneGrid& grid : plan.grids.grids()) {
    const double panes = static_cast<double>(kept.ms) / static_cast<double>(grid.width.ms) + 1;
    bytes += panes * static_cast<double>(join.horizons.size()) * pane_sums_bytes(plan, of, grid.width);
    if (plan.wants_exposure()) bytes += panes * exposure_bytes(plan, of, grid.width);
  }
  return bytes * of.segments;
}

}  // namespace recmeter::config
