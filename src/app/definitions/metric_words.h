// The words for what a definition says in enumerations, shared by every form of its text. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recmeter/metric/definition.h"

namespace recmeter {

[[nodiscard]] std::string_view scope_word(const MetricDefinition& metric);     // "list", "user", "" where it has none
[[nodiscard]] std::string_view averaged_over(const MetricDefinition& metric);  // what the value is made of
[[nodiscard]] std::string_view evidence_rule(const MetricDefinition& metric);
[[nodiscard]] std::vector<std::string> needs_of(const MetricDefinition& metric);  // of the configuration, beside names
[[nodiscard]] std::string range_text(const MetricDefinition& metric);             // "[0, 1]", "[0, inf)"

struct OptionTaken {
  std::string_view name;
  std::vector<std::string_view> words;  // that the metric takes, the default among them; empty: a number
  std::string usual;
};
[[nodiscard]] std::vector<OptionTaken> options_taken_by(const MetricDefinition& metric);

}  // namespace recmeter
