#include "app/report/why_lines.h"

#include <utility>

#include "app/why/asked_metric.h"
#include "app/why/why_run.h"
#include "recmeter/metric/mean_over_lists.h"

namespace recmeter {

void WhyLines::add(const Row& row) {
  for (const MetricValue& metric : row.metrics) {
    if (mean_over_lists(metric.key) == nullptr) continue;
    means_.try_emplace(metric.key, metric.key, why::keep_rule_of({.metric = metric.key})).first->second.add(row);
  }
}

std::vector<std::string> WhyLines::lines() const {
  constexpr std::size_t shown = 8;
  std::vector<std::string> out;
  for (const auto& [metric, means] : means_) {
    const why::Request request{.metric = metric};
    const auto rule = why::rule_of_key(metric);
    auto change = why::change_of(means, request);
    if (!rule || !change) continue;
    const why::Answer answer = answer_of(request, std::move(*change), *rule, shown);
    if (may_be_chance(answer)) continue;
    out.push_back(json_of(answer, 0));
    out.back().pop_back();
  }
  return out;
}

}  // namespace recmeter
