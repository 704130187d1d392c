// Curve: the counts behind the ROC and precision-recall curves over k = 0..K, summed over lists: per k the relevant items in
// the top k and all distinct items there; once the relevant items and the size of the universe. [S5], "fallout".
//
// Kept only when asked for (`replay --curves`). Pure functions; any thread. Sources: Herlocker et al. 2004, section 4.1.3
// (ROC); Schröder et al. 2011, section 5.2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recmeter/join/scored_list.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

struct CurvePoint {
  std::optional<std::uint32_t> k;  // absent: everything, behind the largest k
  std::uint64_t tp = 0;
  std::uint64_t fp = 0;
  std::uint64_t fn = 0;
  std::optional<std::uint64_t> tn;  // absent: no catalogue
  std::optional<double> recall;     // tp / (tp + fn), the true positive rate; absent: 0/0, as below
  std::optional<double> fpr;        // fp / (fp + tn)
  std::optional<double> precision;  // tp / (tp + fp)
};

// How many columns a curve up to K takes.
[[nodiscard]] constexpr std::size_t curve_columns(std::uint32_t k_max) {
  return 2 * std::size_t{k_max} + 2;
}

// Adds a list. Requires: ListPart::missed and ListPart::distinct; curve_columns(k_max) columns.
void add_to_curve(const ScoredList& list, std::uint32_t k_max, const MetricOptions& options, std::span<std::int64_t> columns);

// The points of the summed columns, k = 0..K; with a catalogue one more, at which all items are shown.
[[nodiscard]] std::vector<CurvePoint> curve_of(std::span<const Int128> columns, std::uint32_t k_max, bool has_catalog);

}  // namespace recmeter
