#include "experiment/scaled_difference.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace recmeter {

namespace {

constexpr double half_width_max = 7;  // of ln(arm / control): wider says nothing

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

Distance distance_of(const ScaledDifference& at, const ComparisonRule& rule, const Clock& clock) {
  return {at.scale.is_relative ? std::expm1(at.y) : at.y, interval(at, two_sided_normal(rule.alpha)),
          interval(at, planned_reach(clock.r, rule.alpha_all, rule.look, clock.is_cautious))};
}

TestStatistic evidence_of(const ScaledDifference& at, const ComparisonRule& rule, const Clock& clock) {
  TestStatistic out{.y = at.y, .variance = at.spread.variance, .df = at.spread.df};
  const double se = std::sqrt(out.variance);
  out.z = normal_of_t(out.y / se, out.df);
  out.p = boost::math::erfc(std::abs(out.z) / std::sqrt(2.0));
  const double r = clock.r;
  out.log_e = r / (2 * (1 + r)) * out.z * out.z - std::log1p(r) / 2;
  const double reach = planned_reach(r, rule.alpha_all, rule.look, clock.is_cautious);
  out.is_sure = out.log_e >= std::log(1 / rule.alpha_all);
  if (rule.look != PlannedLook::early) out.is_sure |= std::abs(out.z) >= reach;
  out.mde_fixed = found_with(two_sided_normal(rule.alpha), se, at.scale.is_relative);
  out.mde_now = found_with(reach, se, at.scale.is_relative);
  return out;
}

}  // namespace recmeter
