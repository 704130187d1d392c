// SlotEffects: what each slot adds to the value of an arm, and the spread that these effects have. Plain values. [S10.21].
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "experiment/arm_sums.h"

namespace recmeter {

struct SlotEffects {
  double value = 0;  // of the arm
  SlotValues psi{};
  bool with_cuped = false;
};

// V and its degrees of freedom, of the slots that holds() says.
struct Spread {
  double variance = 0;
  double df = 0;
};

template <class Holds>
[[nodiscard]] std::optional<Spread> spread_of(const SlotValues& psi, Holds&& holds) {
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

[[nodiscard]] inline SlotEffects plain_effects(const ArmSums& arm) {
  SlotEffects out{.value = arm.ratio};
  for (std::size_t g = 0; g < experiment_slots; ++g) out.psi[g] = (arm.slot_s[g] - arm.ratio * arm.slot_n[g]) / arm.n;
  return out;
}

[[nodiscard]] inline std::optional<Spread> spread_of(const ArmSums& arm, const SlotEffects& effects) {
  return spread_of(effects.psi, [&](std::size_t g) { return arm.has(g, effects.with_cuped); });
}

// The event: as much as one adds to S, with all that comes from the same users; V of both arms. 0: there is none.
[[nodiscard]] inline double event_of(const ArmSums& a, double variance_a, const ArmSums& b, double variance_b,
                                     const MetricRange& range) {
  const double divisor = a.n * a.edge(range) + b.n * b.edge(range);
  if (divisor == 0) return 0;
  return (a.n * a.n * variance_a + b.n * b.n * variance_b) / divisor;
}

}  // namespace recmeter
