// Metric values of one list and their expectation under independent ranks: the truth the generator prints.
//
// Gains are click 1, purchase 3 (after a click), linear; definitions as in the documentation of recmeter's metrics: list
// scope, ap_denominator min. Written apart from the evaluator on purpose: it is a second opinion.
// Thread safety: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace recmeter::generate {

inline constexpr std::array<std::size_t, 3> truth_cutoffs{1, 5, 10};
inline constexpr std::array<std::string_view, 5> truth_metrics{"precision", "hit_rate", "mrr", "map_list", "ndcg_list"};

// [metric][cutoff], in the order of the two arrays above.
using MetricValues = std::array<std::array<double, truth_cutoffs.size()>, truth_metrics.size()>;

inline constexpr double click_gain = 1;
inline constexpr double purchase_gain = 3;

// What may become of one rank.
struct RankChances {
  double relevant = 0;   // a click or a purchase is credited
  double purchased = 0;  // a purchase is credited; at most `relevant`
};

// Values of a list whose rank i has grades[i - 1].
[[nodiscard]] MetricValues metrics_of_list(std::span<const double> grades);

// Their expectation when ranks are independent. Exact: a sum over the states (how many purchased, how many clicked), not over
// the click sets. Time: ranks * 66 states * cutoffs.
[[nodiscard]] MetricValues expected_metrics(std::span<const RankChances> ranks);

}  // namespace recmeter::generate
