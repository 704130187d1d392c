#include "support/batch_interval.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
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

double logit(double x) {
  return std::log(x / (1 - x));
}
double expit(double y) {
  return 1 / (1 + std::exp(-y));
}

std::optional<std::pair<double, double>> interval(double value, const std::vector<double>& without, double confidence) {
  const auto undefined = [](double x) { return x <= 0 || x >= 1; };
  if (undefined(value) || std::any_of(without.begin(), without.end(), undefined)) return std::nullopt;
  if (std::all_of(without.begin(), without.end(), [&](double x) { return x == without.front(); })) return std::nullopt;
  std::vector<double> y;
  for (const double theta : without) y.push_back(logit(theta));
  const auto count = static_cast<double>(y.size());
  const double centre = mean_of(y);
  const double squares = power_sum(y, centre, 2);
  if (squares == 0) return std::nullopt;
  const double kappa = count * power_sum(y, centre, 4) / (squares * squares);
  const double freedom = kappa <= 1 ? count - 1 : std::min(count - 1, std::max(1.0, 2 * count / (kappa - 1)));
  const double t = boost::math::quantile(boost::math::students_t(freedom), 1 - (1 - confidence) / 2);
  const double half = t * jackknife_se(y);
  return std::pair{expit(logit(value) - half), expit(logit(value) + half)};
}

}  // namespace

std::int64_t to_fixed(double value) {
  // nearbyint follows the rounding mode, which is to nearest, ties to even; the scaling is exact.
  return static_cast<std::int64_t>(std::nearbyint(value * 4294967296.0));
}

// "se is null below 2 groups or with an undefined θ_(g)"
Estimate estimate_left_out(double value, std::size_t groups, std::size_t with_evidence, const std::vector<double>& without,
                           double confidence) {
  Estimate result;
  result.value = value;
  if (groups < 2 || without.size() < groups) return result;
  result.se = jackknife_se(without);
  if (with_evidence >= groups_min) result.ci = interval(value, without, confidence);
  return result;
}

Estimate estimate_mean(const GroupSums& groups, double confidence) {
  GroupSum all;
  std::size_t with_evidence = 0;
  for (const GroupSum& group : groups) {
    all.sum += group.sum;
    all.lists += group.lists;
    all.evidence += group.evidence;
    with_evidence += group.evidence > 0 ? 1U : 0U;
  }
  std::vector<double> without;  // θ_(g) of the G groups with a list in the mean
  for (const GroupSum& group : groups) {
    if (group.lists == 0 || group.lists == all.lists) continue;
    without.push_back(quotient(all.sum - group.sum, all.lists - group.lists));
  }
  Estimate result;
  result.value = quotient(all.sum, all.lists);
  result.relevant_share = static_cast<double>(all.evidence) / static_cast<double>(all.lists);
  if (all.evidence > 0) result.given_relevant = quotient(all.sum, all.evidence);
  if (without.size() >= 2) result.se = jackknife_se(without);
  if (with_evidence >= groups_min) result.ci = interval(result.value, without, confidence);
  return result;
}

}  // namespace recmeter::support
