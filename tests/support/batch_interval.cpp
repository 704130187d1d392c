#include "support/batch_interval.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace recmeter::support {
namespace {

constexpr std::size_t groups_min = 20;

double quotient(WideSum sum, std::uint64_t count) {
  return static_cast<double>(static_cast<long double>(sum) / (static_cast<long double>(count) * 4294967296.0L));
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double power_sum(const std::vector<double>& values, double centre, int power) {
  double sum = 0;
  for (const double value : values) sum += std::pow(value - centre, power);
  return sum;
}

// √((G−1)/G · Σ(θ_(g) − mean)²)
double jackknife_se(const std::vector<double>& without) {
  const auto count = static_cast<double>(without.size());
  return std::sqrt((count - 1) / count * power_sum(without, mean_of(without), 2));
}

// "y = ln((θ−lo)/(hi−θ)) for a metric with range [lo, hi], ln θ for [0, ∞)", θ itself for (−∞, ∞)
double to_y(double x, Range range) {
  if (std::isinf(range.low)) return x;
  return range.high == std::numeric_limits<double>::infinity() ? std::log(x) : std::log((x - range.low) / (range.high - x));
}
double from_y(double y, Range range) {
  if (std::isinf(range.low)) return y;
  if (range.high == std::numeric_limits<double>::infinity()) return std::exp(y);
  return (range.low + range.high * std::exp(y)) / (1 + std::exp(y));
}

std::optional<std::pair<double, double>> interval(double value, const std::vector<double>& without, double confidence,
                                                  Range range, std::optional<bool> all_equal) {
  const auto undefined = [range](double x) { return x <= range.low || x >= range.high; };
  if (undefined(value) || std::any_of(without.begin(), without.end(), undefined)) return std::nullopt;
  const bool look_equal = std::all_of(without.begin(), without.end(), [&](double x) { return x == without.front(); });
  if (all_equal.value_or(look_equal)) return std::nullopt;
  std::vector<double> y;
  for (const double theta : without) y.push_back(to_y(theta, range));
  const auto count = static_cast<double>(y.size());
  const double centre = mean_of(y);
  const double squares = power_sum(y, centre, 2);
  if (squares == 0) return std::pair{value, value};
  const double kappa = count * power_sum(y, centre, 4) / (squares * squares);
  const double freedom = kappa <= 1 ? count - 1 : std::min(count - 1, std::max(1.0, 2 * count / (kappa - 1)));
  const double t = boost::math::quantile(boost::math::students_t(freedom), 1 - (1 - confidence) / 2);
  const double half = t * jackknife_se(y);
  return std::pair{from_y(to_y(value, range) - half, range), from_y(to_y(value, range) + half, range)};
}

}  // namespace

std::int64_t to_fixed(double value) {
  // nearbyint follows the rounding mode, which is to nearest, ties to even; the scaling is exact.
  return static_cast<std::int64_t>(std::nearbyint(value * 4294967296.0));
}

WideSum to_fixed_wide(double value) {
  return static_cast<WideSum>(std::nearbyint(value * 4294967296.0));
}

std::int64_t fixed_quotient(WideSum sum, std::uint64_t count) {
  const WideSum divisor = count;
  WideSum below = sum / divisor;
  WideSum rest = sum % divisor;
  if (rest < 0) {
    --below;
    rest += divisor;
  }
  const bool up = 2 * rest > divisor || (2 * rest == divisor && below % 2 != 0);
  return static_cast<std::int64_t>(below + (up ? 1 : 0));
}

Estimate estimate_left_out(std::optional<double> value, const std::vector<std::optional<double>>& without,
                           std::size_t evidence_groups, double confidence, Range range, std::optional<bool> all_equal) {
  Estimate result;
  result.value = value;
  const bool defined = std::all_of(without.begin(), without.end(), [](const auto& theta) { return theta.has_value(); });
  if (!value || without.size() < 2 || !defined) return result;
  std::vector<double> values;
  for (const auto& theta : without) values.push_back(*theta);
  result.se = jackknife_se(values);
  if (evidence_groups >= groups_min) result.ci = interval(*value, values, confidence, range, all_equal);
  return result;
}

Estimate estimate_mean(const GroupSums& groups, double confidence, Range range) {
  GroupSum all;
  std::size_t with_evidence = 0;
  for (const GroupSum& group : groups) {
    all.sum += group.sum;
    all.lists += group.lists;
    all.evidence += group.evidence;
    with_evidence += group.evidence > 0 ? 1U : 0U;
  }
  if (all.lists == 0) return {};
  std::vector<std::optional<double>> without;  // θ_(g) of the G groups with a list in the mean
  std::vector<boost::multiprecision::cpp_rational> exact;
  for (const GroupSum& group : groups) {
    if (group.lists == 0 || group.lists == all.lists) continue;
    without.emplace_back(quotient(all.sum - group.sum, all.lists - group.lists));
    exact.emplace_back(boost::multiprecision::cpp_int(all.sum - group.sum), all.lists - group.lists);
  }
  const bool all_equal = std::all_of(exact.begin(), exact.end(), [&](const auto& theta) { return theta == exact.front(); });
  Estimate result = estimate_left_out(quotient(all.sum, all.lists), without, with_evidence, confidence, range, all_equal);
  result.relevant_share = static_cast<double>(all.evidence) / static_cast<double>(all.lists);
  if (all.evidence > 0) result.given_relevant = quotient(all.sum, all.evidence);
  return result;
}

}  // namespace recmeter::support
