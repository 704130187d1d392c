// The metrics a person most likely meant. Papers and other tools have names of their own (`ctr`, `map`, `coverage`), and a
// cutoff is written where none belongs, or left out where it is part of the key.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recmeter::config {

// At most three of `keys`, which are names of metrics or keys of their values (`ndcg_list@10`), likeliest first: those of
// that name with another cutoff or option, and no others where it is a metric's name; else those that others call so; else
// those with all of its words; else those whose words it has; else the nearest. Of several keys of a metric the one with the
// written cutoff, else the first. Empty: none is near. [I3.50]
[[nodiscard]] std::vector<std::string> metrics_meant(std::string_view written, std::span<const std::string_view> keys);

// "did you mean `action_rate` or `action_per_item`?"; "" where none is near.
[[nodiscard]] std::string metric_question(std::string_view written, std::span<const std::string_view> keys);

// The unit of a metric's or key's values: "ms", "items"; "" where they have none, or there is no such metric.
[[nodiscard]] std::string_view unit_of_metric(std::string_view key);

// The names of all metrics, as documentation lists them.
[[nodiscard]] std::span<const std::string_view> names_of_metrics();

}  // namespace recmeter::config
