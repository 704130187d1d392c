// Off-policy estimates from their formulas, in long doubles and over whole lists: [S5.44], [S5.45].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/metric/off_policy.h"

namespace recmeter::support {

// A list that another policy is judged by, by rank.
struct PolicyList {
  std::vector<double> target;
  std::vector<double> logged;
  std::vector<double> predicted;  // empty: none
  std::vector<double> expected;
  std::vector<double> rewards;
  std::string user;
  std::size_t group = 0;  // of the user
};

// What of rows is told of an estimate.
struct PolicyEstimate {
  std::optional<double> value;
  std::optional<double> weight_mean;
  std::optional<double> ess;
  std::optional<double> ess_users;
  std::optional<double> max_weight_share;
  std::optional<double> matches;
  bool has_number_too_large = false;  // a weight: such lists weigh nothing; or a product with one
  bool lacks_predictions = false;     // some list of `dr` does
  double largest = 0;                 // weight, whatever its sign
  double weight_sum = 0;
};

// Whether the judged policy is sure to show the first k ranks.
[[nodiscard]] bool is_match(const PolicyList& list, std::size_t k);
// Whether a weight of the list is above 1e8, for the estimator's own weights.
[[nodiscard]] bool has_huge_weight(Estimator estimator, const PolicyList& list, std::size_t k);

// The value and what is known of its weights: of the lists that the estimator can reckon with.
[[nodiscard]] PolicyEstimate policy_estimate(Estimator estimator, const std::vector<PolicyList>& lists, std::size_t k,
                                             double clip);

}  // namespace recmeter::support
