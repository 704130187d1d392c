#include "recmeter/metric/estimate.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <span>

namespace recmeter {

namespace {

// The left-out values theta_(g), in group order; only groups with a list.
struct LeftOut {
  std::array<double, user_groups> theta{};
  std::size_t count = 0;
  bool defined = true;  // false when some group holds all lists, so that leaving it out leaves nothing

  [[nodiscard]] std::span<const double> values() const { return {theta.data(), count}; }
};

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double jackknife_se(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto groups = static_cast<double>(values.size());
  return std::sqrt((groups - 1) / groups * squares);
}

LeftOut leave_out_each(const GroupSums& sums, Int128 total, std::uint64_t lists) {
  LeftOut out;
  for (std::size_t g = 0; g < user_groups; ++g) {
    if (sums.lists[g] == 0) continue;
    if (sums.lists[g] == lists) {
      out.defined = false;
      ++out.count;
      continue;
    }
    out.theta[out.count++] = mean_of_q32(total - sums.value[g], lists - sums.lists[g]);
  }
  return out;
}

// Groups of very unequal weight carry less information than their number says.
double degrees_of_freedom(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  double fourths = 0;
  for (const double v : values) {
    const double square = (v - mean) * (v - mean);
    squares += square;
    fourths += square * square;
  }
  const auto groups = static_cast<double>(values.size());
  const double kurtosis = groups * fourths / (squares * squares);
  if (!(kurtosis > 1)) return groups - 1;
  return std::min(groups - 1, std::max(1.0, 2 * groups / (kurtosis - 1)));
}

std::optional<std::pair<double, double>> interval(double theta, const LeftOut& left_out, double low, double high,
                                                  double confidence) {
  const auto inside = [&](double x) { return x > low && x < high; };
  const auto values = left_out.values();
  if (!inside(theta) || !std::all_of(values.begin(), values.end(), inside)) return std::nullopt;
  if (std::all_of(values.begin(), values.end(), [&](double x) { return x == values[0]; })) return std::nullopt;
  const auto logit = [&](double x) { return std::log((x - low) / (high - x)); };
  std::array<double, user_groups> y{};
  std::transform(values.begin(), values.end(), y.begin(), logit);
  const std::span<const double> ys(y.data(), values.size());
  const double se = jackknife_se(ys);
  if (!(se > 0)) return std::nullopt;
  const boost::math::students_t distribution(degrees_of_freedom(ys));
  const double reach = boost::math::quantile(distribution, 1 - (1 - confidence) / 2) * se;
  const auto back = [&](double scale) { return low + (high - low) / (1 + std::exp(-scale)); };
  return std::pair{back(logit(theta) - reach), back(logit(theta) + reach)};
}

}  // namespace

Estimate estimate_mean(const GroupSums& sums, double low, double high, double confidence) {
  Estimate out;
  Int128 total = 0;
  std::uint64_t lists = 0;
  std::uint64_t evidence = 0;
  std::size_t evidence_groups = 0;
  for (std::size_t g = 0; g < user_groups; ++g) {
    total += sums.value[g];
    lists += sums.lists[g];
    evidence += sums.evidence[g];
    evidence_groups += sums.evidence[g] > 0 ? 1U : 0U;
  }
  if (lists == 0) return out;
  out.value = mean_of_q32(total, lists);
  out.relevant_share = share_of(evidence, lists);
  if (evidence > 0) out.given_relevant = mean_of_q32(total, evidence);
  const LeftOut left_out = leave_out_each(sums, total, lists);
  if (left_out.count < 2 || !left_out.defined) return out;
  out.se = jackknife_se(left_out.values());
  if (evidence_groups >= evidence_groups_min) out.ci = interval(*out.value, left_out, low, high, confidence);
  return out;
}

}  // namespace recmeter
