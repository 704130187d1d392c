// How a metric that is asked for is called. The key is what rows show: `precision{action=purchase}@10/user`, the name or what
// `as` says, the action it is of, the cutoff, and a unit that is not `list`. The id of its definition is the metric's name,
// and in braces every choice that is not the default: `ndcg_list{gain=exp2}`.
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

// What was chosen for each option that the metric takes, in a fixed order. "over" has the metric's own default; "action" is
// left out where none is named.
[[nodiscard]] std::vector<OptionChoice> option_choices(const MetricDefinition& metric, const MetricOptions& options);

// What `as` says; else the name, the action it is of, and other than usual parameters of a formula: `rbp{p=0.5}`.
[[nodiscard]] std::string key_stem(const MetricRequest& request);
// `cutoff`: as text, for metrics that have one and are not uncut.
[[nodiscard]] std::string metric_key(const MetricRequest& request, const MetricDefinition& metric, std::string_view cutoff);

[[nodiscard]] std::string definition_id(const MetricDefinition& metric, const MetricOptions& options);

// Every option there is and the words it takes; numbers say their range.
struct OptionWords {
  MetricOption option;
  std::string_view name;
  std::vector<std::string_view> words;  // empty: a number, or for `action` a name
};
[[nodiscard]] std::span<const OptionWords> all_options() noexcept;

}  // namespace recmeter
