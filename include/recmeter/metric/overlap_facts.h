// OverlapFacts: how alike the lists of different users are, as sums per user group. docs/metrics.md, "personalisation".
//
// A list that shows d > 0 distinct items in its top k gives each of them the weight 1/sqrt(d), rounded to a multiple of
// 2^-32. Two lists have the similarity sum of products of their weights over the items of both: the cosine of their sets.
// With X_gi the sum of weights over the lists of group g that show item i, the similarities of all ordered pairs of lists of
// two different groups add up to the sum over g of sum_i X_gi * (X_i - X_gi).
#pragma once

#include <array>
#include <cstdint>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/estimate.h"

namespace recmeter {

struct OverlapFacts {
  std::array<Int128, user_groups> shared{};        // sum_i X_gi * (X_i - X_gi), in 2^-64; 2^31 lists fit
  std::array<std::uint64_t, user_groups> lists{};  // that show an item in the top k
};

}  // namespace recmeter
