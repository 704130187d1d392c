// Two arms compared the slow and obvious way: [S10.20] to [S10.27] and [S10.34] of docs/semantics.md, written down once more
// in long double. The oracle of comparisons; it shares no code with the product.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "support/batch_experiment.h"

namespace recmeter::support {

struct BatchRule {
  bool is_absolute = false;
  bool is_paired = false;
  double mde = 0;
  double alpha = 0.05;
  double alpha_all = 0.05;
  double low = 0;  // of the metric's values
  double high = 1;
  bool is_last = false;  // of the planned looks
  bool is_only = false;  // there is one alone
};

struct BatchComparison {
  using Range = std::optional<std::pair<long double, long double>>;
  std::string missing = {};  // "": they are compared
  bool is_few = false;
  long double control = 0, arm = 0, theta = 0;
  // On the scale that decides.
  long double value = 0, df = 0, z = 0, p = 0, log_e = 0;
  Range ci = {}, cs = {};
  std::optional<long double> mde_fixed = {}, mde_now = {};
  bool is_sure = false;
};

[[nodiscard]] BatchComparison compare_in_batch(const BatchLook::Sums& control, const BatchLook::Sums& arm,
                                               const BatchRule& rule);
[[nodiscard]] BatchComparison compare_draft_in_batch(const BatchLook::Sums& preference, const BatchRule& rule);

}  // namespace recmeter::support
