// WorkedExample: a metric computed by hand; documentation shows it and a test computes it. The lists are those of
// docs/metrics.md, "The example".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

// A list to reckon with by hand: a ScoredList and the items it shows, by rank, "" where there is none.
struct ExampleList {
  std::string_view name;
  std::span<const std::string_view> items;
  ScoredList scored;
};

// All of them, in the order in which documentation shows them.
[[nodiscard]] std::span<const ExampleList> example_lists() noexcept;

struct WorkedExample {
  std::string_view lists;       // their names: "A", or "ABD" for what they make together
  std::uint32_t cutoff = 0;     // 0: the metric has none
  std::string_view arithmetic;  // how the value comes about
  double value = 0;             // to four decimals
  MetricOptions options = {};
};

}  // namespace recmeter
