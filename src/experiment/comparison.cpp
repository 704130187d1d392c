#include "recmeter/experiment/comparison.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace recmeter {

namespace {

constexpr double z_of_80_percent = 0.8416212335729143;
constexpr double half_width_max = 7;      // of ln(arm / control): wider says nothing
constexpr double exponent_max = 700;      // of exp() in t_of_normal()
constexpr double information_span = 1e6;  // around 1 / tau^2, where more_time() looks

using Effects = std::array<double, experiment_slots>;

// An arm's sums in double, each converted once.
struct Arm {
  explicit Arm(const SlotSums& sums)
      : s(from_q32(total_of(sums.s))),
        n(from_q32(total_of(sums.n))),
        x(from_q32(total_of(sums.x))),
        p(from_q32(total_of(sums.p))),
        m(from_q32(total_of(sums.m))) {
    for (std::size_t g = 0; g < experiment_slots; ++g) {
      slot_s[g] = from_q32(sums.s[g]);
      slot_n[g] = from_q32(sums.n[g]);
      evidence_slots += sums.s[g] != 0 ? 1 : 0;
    }
    ratio = s / n;
    if (p == 0 && m == 0) return;  // without CUPED
    for (std::size_t g = 0; g < experiment_slots; ++g) {
      slot_x[g] = from_q32(sums.x[g]);
      slot_p[g] = from_q32(sums.p[g]);
      slot_m[g] = from_q32(sums.m[g]);
    }
  }

  // Says whether the slot takes part in V. With CUPED also one of members alone: the time before says something of it.
  [[nodiscard]] bool has(std::size_t g, bool with_cuped) const { return slot_n[g] > 0 || (with_cuped && slot_m[g] > 0); }

  double s, n, x, p, m;
  double ratio = 0;
  double evidence_slots = 0;
  Effects slot_s{}, slot_n{}, slot_x{}, slot_p{}, slot_m{};
};

// The slots of an arm as it is compared: its value, and what each slot adds to it.
struct Effect {
  double value = 0;
  Effects psi{};
  bool with_cuped = false;
};

// V and its degrees of freedom, of the slots that hold() says.
struct Spread {
  double variance = 0;
  double df = 0;
};

template <class Holds>
std::optional<Spread> spread_of(const Effects& psi, Holds&& holds) {
  double slots = 0, squares = 0, fourths = 0;
  for (std::size_t g = 0; g < experiment_slots; ++g) {
    if (!holds(g)) continue;
    const double square = psi[g] * psi[g];
    slots += 1;
    squares += square;
    fourths += square * square;
  }
  if (slots < 2 || !(squares > 0)) return std::nullopt;
  const double kurtosis = slots * fourths / (squares * squares);
  const double df = kurtosis > 1 ? std::min(slots - 1, std::max(1.0, 2 * slots / (kurtosis - 1))) : slots - 1;
  return Spread{slots / (slots - 1) * squares, df};
}

Effect plain_effect(const Arm& arm) {
  Effect out{.value = arm.ratio};
  for (std::size_t g = 0; g < experiment_slots; ++g) out.psi[g] = (arm.slot_s[g] - arm.ratio * arm.slot_n[g]) / arm.n;
  return out;
}

// CUPED over both arms: how much of a slot's lists the time before foretells.
struct Cuped {
  Cuped(const Arm& a, const Arm& b) {
    if (!(a.p + b.p > 0) || !(a.m > 0) || !(b.m > 0)) return;
    ratio_before = (a.x + b.x) / (a.p + b.p);
    mean = weight_of(a, b);
    const double ratio = (a.s + b.s) / (a.n + b.n);
    double together = 0, squares = 0;
    for (const Arm* arm : {&a, &b}) {
      for (std::size_t g = 0; g < experiment_slots; ++g) {
        const double weight = (arm->slot_x[g] - ratio_before * arm->slot_p[g]) - mean * arm->slot_m[g];
        together += (arm->slot_s[g] - ratio * arm->slot_n[g]) * weight;
        squares += weight * weight;
      }
    }
    if (squares > 0) theta = together / squares * ((a.m + b.m) / (a.n + b.n));
  }

  [[nodiscard]] Effect adjusted(const Arm& arm) const {
    Effect out = plain_effect(arm);
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
  [[nodiscard]] double sum_of(const Arm& arm) const {
    double sum = 0;
    for (std::size_t g = 0; g < experiment_slots; ++g) sum += arm.slot_x[g] - ratio_before * arm.slot_p[g];
    return sum;
  }
  [[nodiscard]] double weight_of(const Arm& a, const Arm& b) const { return (sum_of(a) + sum_of(b)) / (a.m + b.m); }

  double ratio_before = 0;
  double mean = 0;
};

// The two arms on one scale.
struct Scaled {
  double y = 0;
  Spread spread;
};

std::optional<Scaled> scaled(const Arm& a, const Effect& control, const Arm& b, const Effect& arm, bool is_paired,
                             bool is_relative) {
  if (is_relative && !(control.value > 0 && arm.value > 0)) return std::nullopt;
  const double y = is_relative ? std::log(arm.value / control.value) : arm.value - control.value;
  const double a_divisor = is_relative ? control.value : 1;
  const double b_divisor = is_relative ? arm.value : 1;
  const auto is_in_a = [&](std::size_t g) { return a.has(g, control.with_cuped); };
  const auto is_in_b = [&](std::size_t g) { return b.has(g, arm.with_cuped); };
  const auto spread_a = spread_of(control.psi, is_in_a);
  const auto spread_b = spread_of(arm.psi, is_in_b);
  if (!spread_a || !spread_b) return std::nullopt;
  if (is_paired) {
    Effects psi;
    for (std::size_t g = 0; g < experiment_slots; ++g) psi[g] = arm.psi[g] / b_divisor - control.psi[g] / a_divisor;
    const auto both = spread_of(psi, [&](std::size_t g) { return is_in_a(g) || is_in_b(g); });
    if (!both) return std::nullopt;
    return Scaled{y, *both};
  }
  const double v_a = spread_a->variance / (a_divisor * a_divisor);
  const double v_b = spread_b->variance / (b_divisor * b_divisor);
  const double v = v_a + v_b;
  return Scaled{y, {v, v * v / (v_a * v_a / spread_a->df + v_b * v_b / spread_b->df)}};
}

double two_sided_normal(double alpha) {
  return boost::math::quantile(boost::math::normal(), 1 - alpha / 2);
}

// y +- reach, on the scale that a reader sees. Empty: it would say nothing.
std::optional<Interval> interval(const Scaled& at, double z, bool is_relative) {
  const std::optional<double> t = t_of_normal(z, at.spread.df);
  if (!t) return std::nullopt;
  const double half = *t * std::sqrt(at.spread.variance);
  if (!is_relative) return Interval{at.y - half, at.y + half};
  if (half > half_width_max) return std::nullopt;
  return Interval{std::expm1(at.y - half), std::expm1(at.y + half)};
}

Distance distance_of(const Scaled& at, const ComparisonRule& rule, double tau, bool is_relative) {
  const double r = tau * tau / at.spread.variance;
  return {is_relative ? std::expm1(at.y) : at.y, interval(at, two_sided_normal(rule.alpha), is_relative),
          interval(at, sequence_reach(r, rule.alpha_all), is_relative)};
}

// The change that `z` standard errors and power would find.
std::optional<double> found_with(double z, double se, bool is_relative) {
  const double half = (z + z_of_80_percent) * se;
  if (!is_relative) return half;
  return half > half_width_max ? std::nullopt : std::optional(std::expm1(half));
}

TestStatistic evidence_of(const Scaled& at, const ComparisonRule& rule, double tau) {
  TestStatistic out{.y = at.y, .variance = at.spread.variance, .df = at.spread.df};
  const double se = std::sqrt(out.variance);
  const double r = tau * tau / out.variance;
  out.z = normal_of_t(out.y / se, out.df);
  out.p = boost::math::erfc(std::abs(out.z) / std::sqrt(2.0));
  out.log_e = r / (2 * (1 + r)) * out.z * out.z - std::log1p(r) / 2;
  out.mde_fixed = found_with(two_sided_normal(rule.alpha), se, !rule.is_absolute);
  out.mde_now = found_with(sequence_reach(r, rule.alpha_all), se, !rule.is_absolute);
  return out;
}

}  // namespace

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

std::optional<Comparison> compare_arms(const SlotSums& control, const SlotSums& arm, const ComparisonRule& rule) {
  const Arm a(control);
  const Arm b(arm);
  if (a.evidence_slots < rule.evidence_min || b.evidence_slots < rule.evidence_min) return std::nullopt;
  const Cuped cuped(a, b);
  const Effect effect_a = cuped.adjusted(a);
  const Effect effect_b = cuped.adjusted(b);
  const auto absolute = scaled(a, effect_a, b, effect_b, rule.is_paired, false);
  const auto relative = scaled(a, effect_a, b, effect_b, rule.is_paired, true);
  const auto& decisive = rule.is_absolute ? absolute : relative;
  if (!absolute || !decisive || decisive->spread.df < comparison_df_min) return std::nullopt;
  Comparison out{.control = effect_a.value, .arm = effect_b.value, .theta = cuped.theta};
  const double tau = tau_of(rule);
  out.absolute = distance_of(*absolute, rule, rule.is_absolute ? tau : rule.mde * std::abs(effect_a.value), false);
  if (!rule.is_absolute) out.relative = distance_of(*relative, rule, tau, true);
  out.evidence = evidence_of(*decisive, rule, tau);
  if (cuped.theta != 0) {
    const auto plain = scaled(a, plain_effect(a), b, plain_effect(b), rule.is_paired, !rule.is_absolute);
    if (plain) out.variance_cut = 1 - decisive->spread.variance / plain->spread.variance;
  }
  return out;
}

std::optional<Comparison> compare_with_zero(const SlotSums& sums, const ComparisonRule& rule) {
  const Arm arm(sums);
  if (arm.evidence_slots < rule.evidence_min) return std::nullopt;
  const Effect effect = plain_effect(arm);
  const auto spread = spread_of(effect.psi, [&](std::size_t g) { return arm.has(g, false); });
  if (!spread || spread->df < comparison_df_min) return std::nullopt;
  const Scaled at{effect.value, *spread};
  ComparisonRule absolute = rule;
  absolute.is_absolute = true;
  return Comparison{.arm = effect.value,
                    .absolute = distance_of(at, absolute, rule.mde, false),
                    .evidence = evidence_of(at, absolute, rule.mde)};
}

}  // namespace recmeter
