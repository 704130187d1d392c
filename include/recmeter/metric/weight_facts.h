// WeightFacts: what is known of the weights behind an off-policy estimate in a window: whether they can carry it. [S5.45].
//
// The sums are exact. The largest weight is known to 1 %: a maximum cannot be taken back when a window moves on, counts by
// bucket can. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "recmeter/base/exact_sum.h"
#include "recmeter/metric/metric_spec.h"
#include "recmeter/metric/pooled_form.h"

namespace recmeter {

// Columns of what lists have weighed, the first of a metric of weights: lists; weights; lists with a number out of range;
// lists without predictions; the sum of weights; of their squares; of weights before they are clipped. All lists are in the
// sums but those with a weight out of range.
inline constexpr std::size_t weight_columns = 14;
// Of each user, the sum of its weights (metric/wide_column.h).
inline constexpr std::size_t user_weight_columns = 3;

// Bucket i holds weights above 1.01^(i - 1 - bucket_of_one) and up to 1.01^(i - bucket_of_one); the first all smaller ones.
inline constexpr std::size_t weight_buckets = 2779;
// Requires: 0 < weight <= weight_max.
[[nodiscard]] std::uint32_t weight_bucket(double weight) noexcept;
[[nodiscard]] double weight_bound(std::uint32_t bucket) noexcept;

// What of weights is kept only for those that ask for it. Their sums always are.
struct WeightParts {
  bool users = false;    // the sum of each user's
  bool largest = false;  // the largest
};

// Of each user's weights, W in 2^-32: the sum of W and, in parts that 128 bits hold, of W^2.
struct UserWeights {
  Int128 sum = 0;
  Int128 high = 0;    // W = a * 2^40 + b: of a * a
  Int128 middle = 0;  // of a * b
  Int128 low = 0;     // of b * b

  // A user's columns.
  void add(std::span<const std::int64_t> columns);
  UserWeights& operator+=(const UserWeights& other);
};

struct WeightFacts {
  std::span<const Int128> columns = {};       // weight_columns of them, of all users
  UserWeights users = {};                     // where they are known
  std::optional<std::uint32_t> largest = {};  // bucket of the largest weight; nothing: all are 0, or there is none
};

// (sum of w)^2 / sum of w^2, in lists: where each rank has a weight of its own, over the ranks of a list. Null without
// weights.
[[nodiscard]] std::optional<double> effective_lists(const WeightFacts& facts);
// The same of the sums of each user's weights.
[[nodiscard]] std::optional<double> effective_users(const WeightFacts& facts);
// Of the largest weight in the sum of all, at most 1; up to 1 % too large.
[[nodiscard]] std::optional<double> largest_share(const WeightFacts& facts);
// Lists that have a weight, or several.
[[nodiscard]] std::optional<double> weighed_lists(const WeightFacts& facts);

// Why no value is published: "weight", "predicted", "ess", "ess_users" or "max_weight_share"; "": nothing is refused, as
// where no list has a policy. Of replay_match without a match: "ess", whatever is asked of the effective lists.
[[nodiscard]] std::string_view refusal_of(Estimator estimator, const WeightFacts& facts, const MetricOptions& options);

// The mean weight, before it is clipped: 1 where propensities are right. Its columns are those above.
extern const PooledForm weight_mean_form;
inline constexpr double suspect_confidence = 0.999;  // of the interval outside of which propensities are wrong

}  // namespace recmeter
