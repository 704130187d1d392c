#include "experiment/few_events.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "experiment/slot_effects.h"

namespace recmeter {

namespace {

constexpr double events_least = 5;      // what an arm may have missed by chance
constexpr double df_of_users = 10;      // where no arm shows what an event is
constexpr double preference_width = 2;  // from -1 to 1
constexpr Spread no_spread{.variance = 0, .df = 0};

Spread own_spread(const ArmSums& arm) {
  return arm.is_even() ? no_spread : spread_of(arm, plain_effects(arm)).value_or(no_spread);
}

double square(double of) {
  return of * of;
}

// The variance of five users of whom each makes a difference of `width`.
double of_users(const ArmSums& arm, double width) {
  return events_least * square(width * arm.uneven_lists() / square(arm.n));
}

// The greatest difference that one list makes. Empty: there is no such bound.
std::optional<double> width_of(const ArmSums& a, const ArmSums& b, const MetricRange& range) {
  if (range.is_bounded()) return range.width();
  const double largest = std::max(std::abs(a.ratio), std::abs(b.ratio));
  if (a.is_even() && b.is_even() && largest > 0) return largest;
  return std::nullopt;
}

tl::expected<Spread, Missing> spread_of_few(const ArmSums& a, const ArmSums& b, const MetricRange& range) {
  const Spread spread_a = own_spread(a);
  const Spread spread_b = own_spread(b);
  const Spread& larger = b.n * spread_b.variance > a.n * spread_a.variance ? spread_b : spread_a;
  const double squares = square(a.n) * spread_a.variance + square(b.n) * spread_b.variance;
  if (larger.df >= comparison_df_min) {
    const double of_both = squares / (a.n + b.n);
    const double event = event_of(a, spread_a.variance, b, spread_b.variance, range);
    const auto variance = [&](const ArmSums& arm, const Spread& own) {
      return std::max({own.variance, of_both / arm.n, events_least * square(event / arm.n)});
    };
    return Spread{variance(a, spread_a) + variance(b, spread_b), larger.df};
  }
  const auto width = width_of(a, b, range);
  if (!width) {
    const bool are_many = a.evidence_slots >= evidence_slots_min && b.evidence_slots >= evidence_slots_min;
    return tl::unexpected(are_many ? Missing::heavy : Missing::too_few);
  }
  return Spread{std::max(spread_a.variance, of_users(a, *width)) + std::max(spread_b.variance, of_users(b, *width)),
                df_of_users};
}

// A user may be in both arms: what its lists have in common is no noise of the difference, or is more of it.
Spread paired_spread(const ArmSums& a, const ArmSums& b) {
  const SlotEffects of_a = plain_effects(a), of_b = plain_effects(b);
  SlotValues psi;
  for (std::size_t g = 0; g < experiment_slots; ++g) psi[g] = of_b.psi[g] - of_a.psi[g];
  return spread_of(psi, [&](std::size_t g) { return a.has(g, false) || b.has(g, false); }).value_or(no_spread);
}

}  // namespace

tl::expected<ScaledDifference, Missing> difference_of_few(const ArmSums& a, const ArmSums& b, const ComparisonRule& rule) {
  if (!a.has_lists() || !b.has_lists()) return tl::unexpected(Missing::no_lists);
  const bool has_events = a.evidence_slots > 0 || b.evidence_slots > 0;
  if (!has_events && (!rule.is_absolute || !rule.range.is_bounded())) return tl::unexpected(Missing::no_events);
  auto spread = spread_of_few(a, b, rule.range);
  if (!spread) return tl::unexpected(spread.error());
  if (rule.is_paired) {
    const Spread paired = paired_spread(a, b);
    if (paired.variance > spread->variance) *spread = paired;
    if (spread->df < comparison_df_min) return tl::unexpected(Missing::heavy);
  }
  return ScaledDifference{.y = b.ratio - a.ratio, .spread = *spread, .scale = {.end = rule.range.width()}};
}

Spread spread_of_few(const ArmSums& preference) {
  return {std::max(own_spread(preference).variance, of_users(preference, preference_width)), df_of_users};
}

}  // namespace recmeter
