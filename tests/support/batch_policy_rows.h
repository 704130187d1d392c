// The metrics that judge another policy, as the rows of the batch evaluator have them. [S5.44], [S5.45].
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "recmeter/result/row.h"
#include "support/batch_metrics.h"
#include "support/batch_policy.h"

namespace recmeter::support {

// All of them. They are not among batch_metrics(): the lists of a lane that judges a policy have no others.
[[nodiscard]] std::span<const MetricDefinition> policy_metrics();
[[nodiscard]] bool judges_policy(std::string_view metric);
// Of an estimator the one that it is, of the others the one whose weights are asked for.
[[nodiscard]] Estimator estimator_of(std::string_view metric, const MetricOptions& options);

// A row's value. `lists`: those that judge the policy, with rewards, of `shown` in the row.
[[nodiscard]] MetricValue policy_value(const MetricColumn& column, const std::vector<PolicyList>& lists, std::size_t shown,
                                       double confidence);

// What the list's ranks brought, as `off_policy.reward` says.
[[nodiscard]] std::vector<double> rewards_of(const MetricColumn& column, const ListRelevance& list);

}  // namespace recmeter::support
