// How likely each rank is looked at, over the first, from what was shown and clicked.
//
//   random_order()  lists shown in random order: click rate at rank k over the one at rank 1;
//   harvested()     lists of several variants: items that one variant shows at rank k and another at rank k + 1 are the same
//                   items at two ranks. Agarwal, Zaitsev, Wang, Li, Najork, Joachims: Estimating position bias without
//                   intrusive interventions. WSDM 2019, section 4, AdjacentChain.
//
// Intervals by the jackknife over user groups (metric/estimate.h), on the logarithm of the ratio, the whole chain made again
// without each group. Sums are of integers (of harvested(): of m * clicks / shown in units of 2^-56), so equal counts give
// equal bits. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/examination/show_counts.h"

namespace recmeter::examining {

// Why there is no value.
enum class Reason : std::uint8_t {
  none,       // there is one
  too_few,    // fewer than `min`: times shown (random_order), comparisons (harvested)
  no_clicks,  // nobody clicked there, or at what it is compared with
  after,      // the chain ends before
};
[[nodiscard]] std::string_view to_string(Reason reason) noexcept;

struct RankExamination {
  std::uint32_t rank = 0;
  std::optional<double> value;  // over rank 1, which has 1
  std::optional<std::pair<double, double>> ci;
  Reason reason = Reason::none;
  Shows shows;
  std::uint64_t comparisons = 0;  // harvested(), from rank 2: sum of m, of rank k - 1 with k
};

struct Examined {
  std::vector<RankExamination> ranks;  // as far as anything was shown
  // The click rate, at rank 1, of items as attractive as those shown: clicks over the sum of values, of all ranks up to the
  // first without a value. Of random_order() that is the click rate at rank 1.
  std::optional<double> first;
  // harvested(): times shown that count in no comparison of a pair of ranks, as one variant shows the item at both.
  std::uint64_t moved = 0;

  // How many ranks from the first have a value.
  [[nodiscard]] std::size_t known() const;
};

struct EstimateOptions {
  std::uint64_t min = 100;
  double confidence = 0.95;
};

[[nodiscard]] Examined random_order(const ShowCounts& counts, const EstimateOptions& options);
[[nodiscard]] Examined harvested(ShowCounts& counts, const EstimateOptions& options);

}  // namespace recmeter::examining
