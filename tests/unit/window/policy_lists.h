// Lists that another policy is judged by, written down in a test, and what rows say of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "recmeter/metric/registry.h"
#include "recmeter/window/running_sums.h"
#include "support/batch_policy.h"
#include "support/off_policy.h"

namespace recmeter::test {

using support::PolicyList;

// The metric as a row has it, over the first k ranks. `spec`: by default what the estimator needs, with nothing refused.
struct Asked {
  std::string name;
  std::uint32_t k = 10;
  MetricOptions options = {};
  std::optional<OffPolicySpec> spec = {};
};

[[nodiscard]] inline MetricPlan plan_of(const Asked& asked) {
  const MetricDefinition* metric = find_metric(asked.name);
  MetricContext context{.off_policy = asked.spec.value_or(support::off_policy_of(weighed_by(*metric, asked.options)))};
  auto plan = MetricPlan::make({.cutoffs = {asked.k}, .requests = {{asked.name, {}, asked.options}}}, context);
  EXPECT_TRUE(plan) << plan.error().context;
  return std::move(*plan);
}

inline void add(PaneSums& pane, const MetricPlan& plan, const PolicyList& list) {
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < list.rewards.size(); ++i) {
    if (list.rewards[i] > 0) hits.push_back({static_cast<std::uint32_t>(i + 1), list.rewards[i]});
  }
  ScoredList scored{.length = static_cast<std::uint32_t>(list.target.size()), .hits = hits};
  scored.policy = ListPolicy{list.target, list.logged, list.predicted, list.expected};
  pane.add({.group = list.group, .user = user_key(list.user)}, ListValues(plan, scored), {}, true);
}

[[nodiscard]] inline Estimate estimate(const MetricPlan& plan, const std::vector<PolicyList>& lists,
                                       double confidence = 0.95) {
  PaneSums pane;
  for (const PolicyList& list : lists) add(pane, plan, list);
  RunningSums sums;
  sums.enter(pane);
  return sums.estimate(plan.metrics().front(), confidence);
}

[[nodiscard]] inline Estimate estimate(const Asked& asked, const std::vector<PolicyList>& lists) {
  return estimate(plan_of(asked), lists);
}

}  // namespace recmeter::test
