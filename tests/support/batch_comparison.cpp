#include "support/batch_comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace recmeter::support {
namespace {

using Real = long double;
using Slots = std::vector<Real>;

Real real(Int128 q32) {
  return static_cast<Real>(q32) / 4294967296.0L;
}

Real sum(const std::function<Real(std::size_t)>& of) {
  Real total = 0;
  for (std::size_t g = 0; g < 256; ++g) total += of(g);
  return total;
}

struct Arm {
  explicit Arm(const BatchLook::Sums& of) {
    for (std::size_t g = 0; g < 256; ++g) {
      s.push_back(real(of.s[g]));
      n.push_back(real(of.n[g]));
      x.push_back(real(of.x[g]));
      p.push_back(real(of.p[g]));
      m.push_back(real(of.m[g]));
      acting += of.s[g] != 0 ? 1 : 0;
      seen += of.n[g] > 0 ? 1 : 0;
    }
    total = sum([&](std::size_t g) { return n[g]; });
    rate = total == 0 ? 0 : sum([&](std::size_t g) { return s[g]; }) / total;
    const Real squares = sum([&](std::size_t g) { return (s[g] - rate * n[g]) * (s[g] - rate * n[g]); });
    const Real size = sum([&](std::size_t g) { return std::fabs(s[g]); });
    has_variance = squares > 1e-24L * size * size;
  }

  // D of [S10.21].
  [[nodiscard]] Real edge(const BatchRule& rule) const {
    Real least = sum([&](std::size_t g) { return std::fabs(s[g]); });
    for (const double h : {rule.low, rule.high}) {
      if (std::isinf(h)) continue;
      least = std::min(least, sum([&](std::size_t g) { return std::fabs(s[g] - Real{h} * n[g]); }));
    }
    return least / total;
  }

  Slots s, n, x, p, m;
  int acting = 0, seen = 0;
  Real total = 0, rate = 0;
  bool has_variance = false;
};

// V and nu of effects: [S10.21].
struct Spread {
  Real v = 0, nu = 0;
};

Spread spread(const Slots& effects) {
  const auto count = static_cast<Real>(effects.size());
  Real second = 0, fourth = 0;
  for (const Real effect : effects) {
    second += effect * effect / count;
    fourth += effect * effect * effect * effect / count;
  }
  if (count < 2 || second == 0) return {};
  const Real kappa = fourth / (second * second);
  const Real nu = kappa <= 1 ? count - 1 : std::min(count - 1, std::max(Real{1}, 2 * count / (kappa - 1)));
  return {count * count / (count - 1) * second, nu};
}

Spread own_spread(const Arm& arm) {
  if (!arm.has_variance) return {};
  Slots effects;
  for (std::size_t g = 0; g < 256; ++g) {
    if (arm.n[g] > 0) effects.push_back((arm.s[g] - arm.rate * arm.n[g]) / arm.total);
  }
  return spread(effects);
}

Real z_of_two_sided(Real alpha) {
  Real low = 0, high = 40;
  for (int step = 0; step < 80; ++step) {
    const Real middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(Real{2})) > alpha ? low : high) = middle;
  }
  return low;
}

std::optional<Real> student(Real z, Real nu) {
  const Real exponent = std::pow(z * (8 * nu + 3) / (8 * nu + 1), 2) / nu;
  if (exponent >= 700) return std::nullopt;
  return std::sqrt(nu * std::expm1(exponent));
}

// A difference on its scale becomes all that is said of it. `end`: how far absolute bounds reach.
void conclude(BatchComparison& to, Real y, Spread of, Real r, bool is_relative, Real end, const BatchRule& rule) {
  const Real error = std::sqrt(of.v);
  const Real t = y / error;
  to.value = is_relative ? std::expm1(y) : y;
  to.df = of.nu;
  to.z = std::copysign(std::sqrt(of.nu * std::log1p(t * t / of.nu)) * (8 * of.nu + 1) / (8 * of.nu + 3), t);
  to.p = std::erfc(std::fabs(to.z) / std::sqrt(Real{2}));
  to.log_e = r / (2 * (1 + r)) * to.z * to.z - std::log1p(r) / 2;
  const Real needed = std::log(1 / Real{rule.alpha_all});
  const Real sequence = std::sqrt((1 + r) / r * (2 * needed + std::log1p(r)));
  Real reach = sequence;
  if (rule.is_last) {
    const Real kept = of.nu < 20 && !to.is_few ? 0.1L : rule.is_only ? 1.0L : 0.8L;
    const Real left = 1 - std::erfc(sequence / std::sqrt(2 * (1 + r)));
    const Real share = rule.is_only ? kept : std::min(kept, left * left);
    reach = std::min(sequence, z_of_two_sided(share * rule.alpha_all));
  }
  to.is_sure = std::fabs(to.z) >= reach;
  const auto range = [&](Real z) -> BatchComparison::Range {
    const auto quantile = student(z, of.nu);
    if (is_relative) {
      if (!quantile || *quantile * error > 7) return std::nullopt;
      return std::pair(std::expm1(y - *quantile * error), std::expm1(y + *quantile * error));
    }
    if (!quantile) return std::isinf(end) ? BatchComparison::Range() : std::pair(-end, end);
    return std::pair(std::max(-end, y - *quantile * error), std::min(end, y + *quantile * error));
  };
  to.ci = range(z_of_two_sided(rule.alpha));
  to.cs = range(reach);
  const auto found = [&](Real z) -> std::optional<Real> {
    const Real change = (z + 0.8416212335729143L) * error;
    if (!is_relative) return change;
    return change > 7 ? std::nullopt : std::optional(std::expm1(change));
  };
  to.mde_fixed = found(z_of_two_sided(rule.alpha));
  to.mde_now = found(reach);
}

// theta, the adjusted values and the effects of [S10.22].
struct Adjusted {
  Real theta = 0, control = 0, arm = 0;
  std::vector<std::optional<Real>> of_control, of_arm;  // by slot; empty: it does not count
};

Adjusted adjusted(const Arm& a, const Arm& b) {
  Adjusted out;
  const auto both = [&](const Slots Arm::* of) { return sum([&](std::size_t g) { return (a.*of)[g] + (b.*of)[g]; }); };
  const auto own = [&](const Arm& arm, const Slots Arm::* of) { return sum([&](std::size_t g) { return (arm.*of)[g]; }); };
  const Real rate_before = both(&Arm::p) > 0 ? both(&Arm::x) / both(&Arm::p) : 0;
  const auto w = [&](const Arm& arm, std::size_t g) { return arm.x[g] - rate_before * arm.p[g]; };
  const bool has_members = both(&Arm::p) > 0 && own(a, &Arm::m) > 0 && own(b, &Arm::m) > 0;
  const Real mean = has_members ? sum([&](std::size_t g) { return w(a, g) + w(b, g); }) / both(&Arm::m) : 0;
  if (has_members) {
    const Real rate = both(&Arm::s) / both(&Arm::n);
    Real upper = 0, lower = 0;
    for (const Arm* arm : {&a, &b}) {
      upper += sum([&](std::size_t g) { return (arm->s[g] - rate * arm->n[g]) * (w(*arm, g) - mean * arm->m[g]); });
      lower += sum([&](std::size_t g) { return std::pow(w(*arm, g) - mean * arm->m[g], 2); });
    }
    if (lower > 0) out.theta = upper / lower * both(&Arm::m) / both(&Arm::n);
  }
  const auto effects = [&](const Arm& arm, Real& value) {
    std::vector<std::optional<Real>> psi(256);
    const Real members = own(arm, &Arm::m);
    const Real own_mean = out.theta == 0 ? 0 : sum([&](std::size_t g) { return w(arm, g); }) / members;
    value = arm.rate - (out.theta == 0 ? 0 : out.theta * (own_mean - mean));
    for (std::size_t g = 0; g < 256; ++g) {
      if (!(arm.n[g] > 0) && (out.theta == 0 || !(arm.m[g] > 0))) continue;
      psi[g] = (arm.s[g] - arm.rate * arm.n[g]) / arm.total;
      if (out.theta != 0) *psi[g] -= out.theta * (w(arm, g) - own_mean * arm.m[g]) / members;
    }
    return psi;
  };
  out.of_control = effects(a, out.control);
  out.of_arm = effects(b, out.arm);
  return out;
}

Slots counting(const std::vector<std::optional<Real>>& effects) {
  Slots out;
  for (const auto& effect : effects) {
    if (effect) out.push_back(*effect);
  }
  return out;
}

// By each arm's own variance: y, v, nu. Empty: these are few events.
std::optional<std::pair<Real, Spread>> of_many(const Arm& a, const Arm& b, const Adjusted& at, const BatchRule& rule) {
  if (!rule.is_absolute && (at.control <= 0 || at.arm <= 0)) return std::nullopt;
  const Real by_a = rule.is_absolute ? 1 : at.control, by_b = rule.is_absolute ? 1 : at.arm;
  const Real y = rule.is_absolute ? at.arm - at.control : std::log(at.arm / at.control);
  Spread out;
  if (rule.is_paired) {
    Slots effects;
    for (std::size_t g = 0; g < 256; ++g) {
      if (!at.of_control[g] && !at.of_arm[g]) continue;
      effects.push_back(at.of_arm[g].value_or(0) / by_b - at.of_control[g].value_or(0) / by_a);
    }
    out = spread(effects);
  } else {
    Spread v_a = spread(counting(at.of_control)), v_b = spread(counting(at.of_arm));
    const Real edges = a.total * a.edge(rule) + b.total * b.edge(rule);
    const Real event = edges == 0 ? 0 : (a.total * a.total * v_a.v + b.total * b.total * v_b.v) / edges;
    const Real least_a = event * a.edge(rule) / (3 * a.total), least_b = event * b.edge(rule) / (3 * b.total);
    const bool lifts_a = v_a.v < least_a, lifts_b = v_b.v < least_b;
    if (lifts_a) v_a.v = least_a;
    if (lifts_b) v_b.v = least_b;
    const Real term_a = v_a.v / (by_a * by_a), term_b = v_b.v / (by_b * by_b);
    out.v = term_a + term_b;
    out.nu = out.v * out.v / (term_a * term_a / v_a.nu + term_b * term_b / v_b.nu);
    if (lifts_a) out.nu = v_b.nu;
    if (lifts_b) out.nu = v_a.nu;
  }
  if (out.nu < 5) return std::nullopt;
  return std::pair(y, out);
}

Real five_users(const Arm& arm, Real range) {
  const Real uneven = sum([&](std::size_t g) { return std::pow(arm.n[g] - arm.total / 256, 2); });
  return 5 * std::pow(range * std::max(arm.total, uneven) / (arm.total * arm.total), 2);
}

// [S10.26]; `missing` is filled where nothing can be said.
Spread of_few(const Arm& a, const Arm& b, const BatchRule& rule, std::string& missing) {
  const bool is_bounded = std::isfinite(rule.low) && std::isfinite(rule.high);
  if (a.total == 0 || b.total == 0 || a.seen < 2 || b.seen < 2) return missing = "no_lists", Spread();
  if (a.acting == 0 && b.acting == 0 && (!rule.is_absolute || !is_bounded)) return missing = "no_events", Spread();
  const Spread v_a = own_spread(a), v_b = own_spread(b);
  const Spread x = b.total * v_b.v > a.total * v_a.v ? v_b : v_a;
  const Real squares = a.total * a.total * v_a.v + b.total * b.total * v_b.v;
  Spread out;
  if (x.nu >= 5) {
    const Real edges = a.total * a.edge(rule) + b.total * b.edge(rule);
    const Real event = edges == 0 ? 0 : squares / edges;
    const Real w = squares / (a.total + b.total);
    out.v = std::max({v_a.v, w / a.total, 5 * std::pow(event / a.total, 2)}) +
            std::max({v_b.v, w / b.total, 5 * std::pow(event / b.total, 2)});
    out.nu = x.nu;
  } else {
    Real m = 0;
    if (is_bounded) {
      m = Real{rule.high} - Real{rule.low};
    } else if (!a.has_variance && !b.has_variance) {
      m = std::max(std::fabs(a.rate), std::fabs(b.rate));
    }
    if (m == 0) return missing = a.acting >= 20 && b.acting >= 20 ? "heavy" : "too_few", Spread();
    out.v = std::max(v_a.v, five_users(a, m)) + std::max(v_b.v, five_users(b, m));
    out.nu = 10;
  }
  if (!rule.is_paired) return out;
  Slots effects;
  for (std::size_t g = 0; g < 256; ++g) {
    if (!(a.n[g] > 0) && !(b.n[g] > 0)) continue;
    effects.push_back((b.s[g] - b.rate * b.n[g]) / b.total - (a.s[g] - a.rate * a.n[g]) / a.total);
  }
  const Spread paired = spread(effects);
  if (paired.v > out.v) out = paired;
  if (out.nu < 5) missing = "heavy";
  return out;
}

}  // namespace

BatchComparison compare_in_batch(const BatchLook::Sums& control, const BatchLook::Sums& arm, const BatchRule& rule) {
  const Arm a(control), b(arm);
  BatchComparison out;
  const bool is_bounded = std::isfinite(rule.low) && std::isfinite(rule.high);
  const Real end = is_bounded ? Real{rule.high} - Real{rule.low} : INFINITY;
  if (a.acting >= 20 && b.acting >= 20 && a.has_variance && b.has_variance) {
    const Adjusted at = adjusted(a, b);
    if (const auto many = of_many(a, b, at, rule)) {
      out.control = at.control;
      out.arm = at.arm;
      out.theta = at.theta;
      const Real tau = rule.is_absolute ? Real{rule.mde} : std::log1p(Real{rule.mde});
      conclude(out, many->first, many->second, tau * tau / many->second.v, !rule.is_absolute, end, rule);
      return out;
    }
  }
  const Spread few = of_few(a, b, rule, out.missing);
  if (!out.missing.empty()) return out;
  out.is_few = true;
  out.control = a.rate;
  out.arm = b.rate;
  conclude(out, b.rate - a.rate, few, 8, false, end, rule);
  return out;
}

BatchComparison compare_draft_in_batch(const BatchLook::Sums& preference, const BatchRule& rule) {
  const Arm arm(preference);
  BatchComparison out;
  if (arm.seen < 2) {
    out.missing = "no_lists";
    return out;
  }
  Spread own = own_spread(arm);
  out.is_few = arm.acting < 20 || own.v == 0 || own.nu < 5;
  if (out.is_few) own = {std::max(own.v, five_users(arm, 2)), 10};
  out.arm = arm.rate;
  conclude(out, arm.rate, own, out.is_few ? 8 : Real{rule.mde} * Real{rule.mde} / own.v, false, 1, rule);
  return out;
}

}  // namespace recmeter::support
