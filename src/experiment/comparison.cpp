#include "recmeter/experiment/comparison.h"

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "experiment/arm_sums.h"
#include "experiment/few_events.h"
#include "experiment/scaled_difference.h"
#include "experiment/slot_effects.h"

namespace recmeter {

namespace {

constexpr double exponent_max = 700;      // of exp() in t_of_normal()
constexpr double information_span = 1e6;  // around 1 / tau^2, where more_time() looks

// CUPED over both arms: how much of a slot's lists the time before foretells.
struct Cuped {
  Cuped(const ArmSums& a, const ArmSums& b) {
    if (!(a.p + b.p > 0) || !(a.m > 0) || !(b.m > 0)) return;
    ratio_before = (a.x + b.x) / (a.p + b.p);
    mean = weight_of(a, b);
    const double ratio = (a.s + b.s) / (a.n + b.n);
    double together = 0, squares = 0;
    for (const ArmSums* arm : {&a, &b}) {
      for (std::size_t g = 0; g < experiment_slots; ++g) {
        const double weight = (arm->slot_x[g] - ratio_before * arm->slot_p[g]) - mean * arm->slot_m[g];
        together += (arm->slot_s[g] - ratio * arm->slot_n[g]) * weight;
        squares += weight * weight;
      }
    }
    if (squares > 0) theta = together / squares * ((a.m + b.m) / (a.n + b.n));
  }

  [[nodiscard]] SlotEffects adjusted(const ArmSums& arm) const {
    SlotEffects out = plain_effects(arm);
    if (theta == 0) return out;
    const double own = sum_of(arm) / arm.m;
    out.with_cuped = true;
    out.value -= theta * (own - mean);
    for (std::size_t g = 0; g < experiment_slots; ++g) {
      const double weight = arm.slot_x[g] - ratio_before * arm.slot_p[g];
      out.psi[g] -= theta * (weight - own * arm.slot_m[g]) / arm.m;
    }
    return out;
  }

  double theta = 0;

 private:
  [[nodiscard]] double sum_of(const ArmSums& arm) const {
    double sum = 0;
    for (std::size_t g = 0; g < experiment_slots; ++g) sum += arm.slot_x[g] - ratio_before * arm.slot_p[g];
    return sum;
  }
  [[nodiscard]] double weight_of(const ArmSums& a, const ArmSums& b) const { return (sum_of(a) + sum_of(b)) / (a.m + b.m); }

  double ratio_before = 0;
  double mean = 0;
};

// V of an arm counts as at least that of a third of the events that the other arm makes likely: an arm that lacks the big
// buyers lacks their variance. At most one arm is lifted. Returns the degrees of freedom of the difference then: those of the
// other arm. [S10.21].
std::optional<double> lift(const ArmSums& a, Spread& of_a, const ArmSums& b, Spread& of_b, const MetricRange& range) {
  const double event = event_of(a, of_a.variance, b, of_b.variance, range);
  const double least_a = event * a.edge(range) / (3 * a.n);
  const double least_b = event * b.edge(range) / (3 * b.n);
  if (of_a.variance < least_a) {
    of_a.variance = least_a;
    return of_b.df;
  }
  if (of_b.variance < least_b) {
    of_b.variance = least_b;
    return of_a.df;
  }
  return std::nullopt;
}

// The two arms on one scale. Empty: they are not on it, or show too little.
std::optional<ScaledDifference> scaled(const ArmSums& a, const SlotEffects& control, const ArmSums& b, const SlotEffects& arm,
                                       const ComparisonRule& rule, bool is_relative) {
  if (is_relative && !(control.value > 0 && arm.value > 0)) return std::nullopt;
  ScaledDifference out{.y = is_relative ? std::log(arm.value / control.value) : arm.value - control.value,
                       .spread = {},
                       .scale = {.is_relative = is_relative, .end = rule.range.width()}};
  const double a_divisor = is_relative ? control.value : 1;
  const double b_divisor = is_relative ? arm.value : 1;
  auto spread_a = spread_of(a, control);
  auto spread_b = spread_of(b, arm);
  if (!spread_a || !spread_b) return std::nullopt;
  if (rule.is_paired) {
    SlotValues psi;
    for (std::size_t g = 0; g < experiment_slots; ++g) psi[g] = arm.psi[g] / b_divisor - control.psi[g] / a_divisor;
    const auto both = spread_of(psi, [&](std::size_t g) { return a.has(g, control.with_cuped) || b.has(g, arm.with_cuped); });
    if (!both) return std::nullopt;
    out.spread = *both;
    return out;
  }
  const auto df_lifted = lift(a, *spread_a, b, *spread_b, rule.range);
  const double v_a = spread_a->variance / (a_divisor * a_divisor);
  const double v_b = spread_b->variance / (b_divisor * b_divisor);
  const double v = v_a + v_b;
  out.spread = {v, df_lifted ? *df_lifted : v * v / (v_a * v_a / spread_a->df + v_b * v_b / spread_b->df)};
  return out;
}

// By the variance that each arm shows. Empty: these are few events.
std::optional<Comparison> compare_many(const ArmSums& a, const ArmSums& b, const ComparisonRule& rule) {
  for (const ArmSums* arm : {&a, &b}) {
    if (arm->evidence_slots < rule.evidence_min || arm->is_even()) return std::nullopt;
  }
  const Cuped cuped(a, b);
  const SlotEffects of_a = cuped.adjusted(a);
  const SlotEffects of_b = cuped.adjusted(b);
  const auto absolute = scaled(a, of_a, b, of_b, rule, false);
  const auto relative = scaled(a, of_a, b, of_b, rule, true);
  const auto& decisive = rule.is_absolute ? absolute : relative;
  if (!absolute || !decisive || decisive->spread.df < comparison_df_min) return std::nullopt;
  Comparison out{.control = of_a.value, .arm = of_b.value, .theta = cuped.theta};
  const bool is_cautious = decisive->spread.df < heavy_df_max;
  const auto clock = [&](const ScaledDifference& at, double tau) {
    return Clock{.r = tau * tau / at.spread.variance, .is_cautious = is_cautious};
  };
  const double tau = tau_of(rule);
  out.absolute = distance_of(*absolute, rule, clock(*absolute, rule.is_absolute ? tau : rule.mde * std::abs(of_a.value)));
  if (!rule.is_absolute) out.relative = distance_of(*relative, rule, clock(*relative, tau));
  out.evidence = evidence_of(*decisive, rule, clock(*decisive, tau));
  if (cuped.theta != 0) {
    const auto plain = scaled(a, plain_effects(a), b, plain_effects(b), rule, !rule.is_absolute);
    if (plain) out.variance_cut = 1 - decisive->spread.variance / plain->spread.variance;
  }
  return out;
}

}  // namespace

std::string_view missing_name(Missing missing) {
  constexpr std::array<std::string_view, 4> names{"no_lists", "no_events", "heavy", "too_few"};
  return names[static_cast<std::size_t>(missing)];
}

double normal_of_t(double t, double df) {
  const double size = std::sqrt(df * std::log1p(t * t / df)) * ((8 * df + 1) / (8 * df + 3));
  return std::copysign(size, t);
}

std::optional<double> t_of_normal(double z, double df) {
  const double scaled = z * ((8 * df + 3) / (8 * df + 1));
  const double exponent = scaled * scaled / df;
  if (exponent >= exponent_max) return std::nullopt;
  return std::copysign(std::sqrt(df * std::expm1(exponent)), z);
}

double tau_of(const ComparisonRule& rule) {
  return rule.is_absolute ? rule.mde : std::log1p(rule.mde);
}

double sequence_reach(double r, double alpha) {
  return std::sqrt((1 + r) / r * (2 * std::log(1 / alpha) + std::log1p(r)));
}

// The sequence has spent no more than the chance to cross, at its end, a mixture with half the spread: what is left is the
// last look's, with a fifth of it in reserve for what t and the slots leave out, and nine tenths where a few users decide it.
double last_look_alpha(double r, double alpha, PlannedLook look, bool is_cautious) {
  constexpr double share_kept = 0.8, share_cautious = 0.1;
  if (look == PlannedLook::only) return is_cautious ? share_cautious * alpha : alpha;
  const double spent = boost::math::erfc(sequence_reach(r, alpha) / std::sqrt(2 * (1 + r)));
  return alpha * std::min(is_cautious ? share_cautious : share_kept, (1 - spent) * (1 - spent));
}

double two_sided_normal(double alpha) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2));
}

double planned_reach(double r, double alpha, PlannedLook look, bool is_cautious) {
  const double sequence = sequence_reach(r, alpha);
  if (look == PlannedLook::early) return sequence;
  return std::min(sequence, two_sided_normal(last_look_alpha(r, alpha, look, is_cautious)));
}

double p_always(double log_e_max) {
  return std::min(1.0, std::exp(-log_e_max));
}

double more_time(double variance, double tau, double alpha) {
  double low = std::log(1 / (information_span * tau * tau));
  double high = std::log(information_span / (tau * tau));
  const auto is_enough = [&](double log_information) {
    const double information = std::exp(log_information);
    return (sequence_reach(tau * tau * information, alpha) + z_of_80_percent) / std::sqrt(information) <= tau;
  };
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;  // no double lies between them: further steps change nothing
    (is_enough(middle) ? high : low) = middle;
  }
  return std::max(0.0, std::exp(high) * variance - 1);
}

std::optional<double> ratio_of(const SlotSums& sums) {
  const double n = from_q32(total_of(sums.n));
  if (n == 0) return std::nullopt;
  return from_q32(total_of(sums.s)) / n;
}

Compared compare_arms(const SlotSums& control, const SlotSums& arm, const ComparisonRule& rule) {
  const ArmSums a(control);
  const ArmSums b(arm);
  if (auto many = compare_many(a, b, rule)) return *many;
  const auto at = difference_of_few(a, b, rule);
  if (!at) return tl::unexpected(at.error());
  return Comparison{.control = a.ratio,
                    .arm = b.ratio,
                    .is_few = true,
                    .absolute = distance_of(*at, rule, {.r = few_events_r}),
                    .evidence = evidence_of(*at, rule, {.r = few_events_r})};
}

Compared compare_with_zero(const SlotSums& sums, const ComparisonRule& rule) {
  const ArmSums arm(sums);
  if (arm.list_slots < 2) return tl::unexpected(Missing::no_lists);
  ScaledDifference at{.y = arm.ratio, .spread = {}, .scale = {.end = 1}};
  const auto own = spread_of(arm, plain_effects(arm));
  const bool is_few = arm.evidence_slots < rule.evidence_min || arm.is_even() || !own || own->df < comparison_df_min;
  at.spread = is_few ? spread_of_few(arm) : *own;
  const Clock clock{.r = is_few ? few_events_r : rule.mde * rule.mde / at.spread.variance,
                    .is_cautious = !is_few && at.spread.df < heavy_df_max};
  return Comparison{
      .arm = at.y, .is_few = is_few, .absolute = distance_of(at, rule, clock), .evidence = evidence_of(at, rule, clock)};
}

}  // namespace recmeter
