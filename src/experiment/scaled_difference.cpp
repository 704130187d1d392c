#include "experiment/scaled_difference.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace recmeter {

namespace {

constexpr double half_width_max = 7;  // of ln(arm / control): wider says nothing

double two_sided_normal(double alpha) {
  return boost::math::quantile(boost::math::normal(), 1 - alpha / 2);
}

// y +- reach, on the scale that a reader sees. Empty: it would say nothing.
std::optional<Interval> interval(const ScaledDifference& at, double z) {
  const double end = at.scale.end;
  const std::optional<double> t = t_of_normal(z, at.spread.df);
  if (!t) return at.scale.is_relative || std::isinf(end) ? std::nullopt : std::optional(Interval{-end, end});
  const double half = *t * std::sqrt(at.spread.variance);
  if (!at.scale.is_relative) return Interval{std::max(at.y - half, -end), std::min(at.y + half, end)};
  if (half > half_width_max) return std::nullopt;
  return Interval{std::expm1(at.y - half), std::expm1(at.y + half)};
}

// The change that `z` standard errors and power would find.
std::optional<double> found_with(double z, double se, bool is_relative) {
  const double half = (z + z_of_80_percent) * se;
  if (!is_relative) return half;
  return half > half_width_max ? std::nullopt : std::optional(std::expm1(half));
}

}  // namespace

Distance distance_of(const ScaledDifference& at, const ComparisonRule& rule, double r) {
  return {at.scale.is_relative ? std::expm1(at.y) : at.y, interval(at, two_sided_normal(rule.alpha)),
          interval(at, sequence_reach(r, rule.alpha_all))};
}

TestStatistic evidence_of(const ScaledDifference& at, const ComparisonRule& rule, double r) {
  TestStatistic out{.y = at.y, .variance = at.spread.variance, .df = at.spread.df};
  const double se = std::sqrt(out.variance);
  out.z = normal_of_t(out.y / se, out.df);
  out.p = boost::math::erfc(std::abs(out.z) / std::sqrt(2.0));
  out.log_e = r / (2 * (1 + r)) * out.z * out.z - std::log1p(r) / 2;
  out.mde_fixed = found_with(two_sided_normal(rule.alpha), se, at.scale.is_relative);
  out.mde_now = found_with(sequence_reach(r, rule.alpha_all), se, at.scale.is_relative);
  return out;
}

}  // namespace recmeter
