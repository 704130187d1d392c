#include "config/cost.h"

#include <fmt/format.h>

#include <algorithm>

#include "recmeter/base/event_time.h"

namespace recmeter::config {

Cost cost_of(const EvaluatorPlan& plan) {
  const EvaluatorSpec& spec = *plan.spec;
  const auto lanes = static_cast<double>(std::max<std::size_t>(plan.lanes.size(), 1));
  const double rows = lanes * static_cast<double>(spec.join.horizons.size() * (spec.segments.size() + 1));
  const auto values = static_cast<double>(plan.metrics.metrics().size());
  Cost cost;
  for (const WindowSpec& window : spec.windows) {
    const auto size = static_cast<double>(window.size.ms), slide = static_cast<double>(window.slide.ms);
    cost.windows_per_list = std::max(cost.windows_per_list, size / slide);
    cost.values_per_list += rows * values;
    cost.rows_per_day += static_cast<double>(one_day.ms) / slide * rows;
  }
  cost.values_per_day = cost.rows_per_day * values;
  return cost;
}

void check_cost(const EvaluatorPlan& plan, Faults& faults) {
  const EvaluatorSpec& spec = *plan.spec;
  const Cost cost = cost_of(plan);
  std::string parts =
      fmt::format("{} windows x {} horizons x {} combinations of segments x {} values of a row", spec.windows.size(),
                  spec.join.horizons.size(), spec.segments.size() + 1, plan.metrics.metrics().size());
  if (spec.lanes.is_wanted()) parts += fmt::format(" x {} lanes", plan.lanes.size());
  if (cost.values_per_list > static_cast<double>(spec.limits.values_per_list)) {
    faults.add_at("limits.values_per_list",
                  fmt::format("every list would go into {} values: {}", count_text(cost.values_per_list), parts),
                  fmt::format("write fewer of the largest, or raise it above {}", spec.limits.values_per_list));
  }
  if (cost.values_per_day > static_cast<double>(spec.limits.values_per_day)) {
    faults.add_at(
        "limits.values_per_day",
        fmt::format("a day of events would make {} values in {} rows, and more with more than one value of a segment",
                    count_text(cost.values_per_day), count_text(cost.rows_per_day)),
        fmt::format("write longer slides of windows or fewer values, or raise it above {}", spec.limits.values_per_day));
  }
}

std::string count_text(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace recmeter::config
