#include "recmeter/metric/weight_facts.h"

#include <algorithm>
#include <array>
#include <limits>

#include "metric/policy_weights.h"
#include "metric/wide_column.h"
#include "metric/wide_int.h"

namespace recmeter {

namespace {

constexpr std::size_t bucket_of_one = 926;

// 1.01^-926 to above 1e8, from 1 in both directions.
constexpr std::array<double, weight_buckets> ends = [] {
  std::array<double, weight_buckets> all{};
  all[bucket_of_one] = 1;
  for (std::size_t i = bucket_of_one; i > 0; --i) all[i - 1] = all[i] / 1.01;
  for (std::size_t i = bucket_of_one; i + 1 < weight_buckets; ++i) all[i + 1] = all[i] * 1.01;
  return all;
}();
static_assert(ends[0] < 1e-4 && ends[weight_buckets - 1] >= weight_max && ends[weight_buckets - 2] < weight_max,
              "the last bucket reaches to the largest weight");

WideInt sum_at(std::span<const Int128> columns, std::size_t first, std::size_t width) {
  return wide_sum<WideInt>(columns.subspan(first, width));
}

// sum^2 / squares * factor / divisor.
std::optional<double> effective(const WideInt& sum, const WideInt& squares, Int128 factor, Int128 divisor) {
  if (squares == WideInt(0)) return 0.0;
  return rounded_quotient(sum * sum * WideInt(factor), squares * WideInt(divisor), 0);
}

std::optional<double> mean_weight(const ColumnSums& sums, std::uint32_t, const MetricOptions&) {
  const Int128 weights = sums.columns[WeightColumn::weights];
  if (weights == 0) return std::nullopt;
  return rounded_quotient(sum_at(sums.columns, WeightColumn::unclipped, WeightColumn::sum_width), WideInt(weights),
                          -q32_fraction_bits);
}

}  // namespace

std::uint32_t weight_bucket(double weight) noexcept {
  return static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end() - 1, weight) - ends.begin());
}

double weight_bound(std::uint32_t bucket) noexcept {
  return ends[bucket];
}

void UserWeights::add(std::span<const std::int64_t> columns) {
  const std::array<Int128, user_weight_columns> wide{columns[0], columns[1], columns[2]};
  const auto weight = wide_sum<Int128>(wide);
  constexpr int bits = 40;
  const Int128 a = weight >> bits;
  const Int128 b = weight - (a << bits);
  sum += weight;
  high += a * a;
  middle += a * b;
  low += b * b;
}

UserWeights& UserWeights::operator+=(const UserWeights& other) {
  sum += other.sum;
  high += other.high;
  middle += other.middle;
  low += other.low;
  return *this;
}

std::optional<double> effective_lists(const WeightFacts& facts) {
  const Int128 weights = facts.columns[WeightColumn::weights];
  if (weights == 0) return std::nullopt;
  const WideInt sum = sum_at(facts.columns, WeightColumn::sum, WeightColumn::sum_width);
  const WideInt squares = sum_at(facts.columns, WeightColumn::squares, WeightColumn::squares_width);
  return effective(sum, squares, facts.columns[WeightColumn::lists], weights);
}

std::optional<double> effective_users(const WeightFacts& facts) {
  if (facts.columns[WeightColumn::weights] == 0) return std::nullopt;
  const WideInt shift(Int128{1} << 40);
  const WideInt squares =
      (WideInt(facts.users.high) * shift + WideInt(facts.users.middle) * WideInt(2)) * shift + WideInt(facts.users.low);
  return effective(WideInt(facts.users.sum), squares, 1, 1);
}

std::optional<double> largest_share(const WeightFacts& facts) {
  if (!facts.largest) return std::nullopt;
  const WideInt sum = sum_at(facts.columns, WeightColumn::sum, WeightColumn::sum_width);
  if (sum <= WideInt(0)) return 1;
  return std::min(1.0, weight_bound(*facts.largest) / rounded_quotient(sum, WideInt(1), -q32_fraction_bits));
}

std::optional<double> weighed_lists(const WeightFacts& facts) {
  return static_cast<double>(facts.columns[WeightColumn::lists]);
}

std::string_view refusal_of(Estimator estimator, const WeightFacts& facts, const MetricOptions& options) {
  if (facts.columns[WeightColumn::out_of_range] > 0) return "weight";
  if (facts.columns[WeightColumn::unpredicted] > 0) return "predicted";
  if (facts.columns[WeightColumn::lists] == 0) return estimator == Estimator::replay_match ? "ess" : "";
  const OffPolicySpec& spec = options.off_policy;
  if (spec.min_ess > 0 && effective_lists(facts).value_or(0) < spec.min_ess) return "ess";
  if (spec.min_ess > 0 && effective_users(facts).value_or(0) < spec.min_ess) return "ess_users";
  if (spec.max_weight_share < 1 && largest_share(facts).value_or(0) > spec.max_weight_share) return "max_weight_share";
  return "";
}

bool weights_in_range(Estimator estimator, const ScoredList& list, std::uint32_t k) {
  bool all = true;
  const auto check = [&all](double, double unclipped) { all = all && std::abs(unclipped) <= weight_max; };
  for_each_weight(Estimator::ips, list, k, {}, check);
  for_each_weight(estimator, list, k, {}, check);
  return all;
}

bool add_weights_in_range(Estimator estimator, const ScoredList& list, std::uint32_t k, const MetricOptions& options,
                          std::span<std::int64_t> columns) {
  if (!weights_in_range(estimator, list, k)) {
    ++columns[WeightColumn::out_of_range];
    return false;
  }
  ++columns[WeightColumn::lists];
  for_each_weight(estimator, list, k, options, [&](double weight, double unclipped) {
    const Int128 rounded = to_q32_wide(weight);
    ++columns[WeightColumn::weights];
    add_wide(columns.subspan(WeightColumn::sum, WeightColumn::sum_width), rounded);
    add_wide(columns.subspan(WeightColumn::squares, WeightColumn::squares_width), rounded * rounded);
    add_wide(columns.subspan(WeightColumn::unclipped, WeightColumn::sum_width), to_q32_wide(unclipped));
  });
  return true;
}

const PooledForm weight_mean_form{
    .columns = weight_columns,
    .moved_by = MovedBy::policy,
    .add =
        [](const ScoredList& list, std::uint32_t k, const MetricOptions& options, std::span<std::int64_t> columns) {
          (void)add_weights_in_range(options.of.value_or(Estimator::replay_match), list, k, options, columns);
        },
    .value = mean_weight,
    .exact =
        [](const ColumnSums& sums) {
          return Quotient{sum_at(sums.columns, WeightColumn::unclipped, WeightColumn::sum_width),
                          WideInt(sums.columns[WeightColumn::weights])};
        },
    .weight = [](const ColumnSums& sums) { return static_cast<std::uint64_t>(sums.columns[WeightColumn::weights]); },
    .low = -std::numeric_limits<double>::infinity(),
    .high = std::numeric_limits<double>::infinity(),
};

}  // namespace recmeter
