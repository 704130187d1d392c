// The id of a definition: the metric's name, and in braces every choice that is not the default: `ndcg_list{gain=exp2}`.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/metric/definition.h"

namespace recmeter {

struct OptionChoice {
  std::string_view option;  // as the configuration calls it
  std::string value;
  bool is_default = false;
};

// What was chosen for each option that the metric takes, in a fixed order. "over" has the metric's own default.
[[nodiscard]] std::vector<OptionChoice> option_choices(const MetricDefinition& metric, const MetricOptions& options);

[[nodiscard]] std::string definition_id(const MetricDefinition& metric, const MetricOptions& options);

// Every option there is and the words it takes; numbers say their range.
struct OptionWords {
  MetricOption option;
  std::string_view name;
  std::vector<std::string_view> words;  // empty: a number
};
[[nodiscard]] std::span<const OptionWords> all_options() noexcept;

}  // namespace recmeter
