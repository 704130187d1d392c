// Examination: how likely a rank is looked at, compared with the first, as the configuration says it. `recmeter examination`
// estimates it.
//
// A value; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace recmeter {

struct Examination {
  double first = 0;             // the click rate, at rank 1, of the items of the lists that are compared with; in (0, 1]
  std::vector<double> by_rank;  // by rank, from 1: the rate there over the one at rank 1; > 0; empty: not configured

  [[nodiscard]] bool is_known() const { return !by_rank.empty(); }
  // The clicks that the first k ranks of a list of `length` are expected to get. Requires: min(k, length) values.
  [[nodiscard]] double expected_clicks(std::uint32_t k, std::uint32_t length) const {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(k, length); ++i) sum += first * by_rank[i];
    return sum;
  }
};

}  // namespace recmeter
