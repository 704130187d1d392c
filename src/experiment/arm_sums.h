// ArmSums: an arm's sums in double, each converted once. A plain value. [S10.20].
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "recmeter/experiment/comparison.h"
#include "recmeter/experiment/slot_sums.h"

namespace recmeter {

using SlotValues = std::array<double, experiment_slots>;

struct ArmSums {
  explicit ArmSums(const SlotSums& sums)
      : s(from_q32(total_of(sums.s))),
        n(from_q32(total_of(sums.n))),
        x(from_q32(total_of(sums.x))),
        p(from_q32(total_of(sums.p))),
        m(from_q32(total_of(sums.m))) {
    for (std::size_t g = 0; g < experiment_slots; ++g) {
      slot_s[g] = from_q32(sums.s[g]);
      slot_n[g] = from_q32(sums.n[g]);
      evidence_slots += sums.s[g] != 0 ? 1 : 0;
      list_slots += sums.n[g] > 0 ? 1 : 0;
    }
    ratio = n == 0 ? 0 : s / n;
    if (p == 0 && m == 0) return;  // without CUPED
    for (std::size_t g = 0; g < experiment_slots; ++g) {
      slot_x[g] = from_q32(sums.x[g]);
      slot_p[g] = from_q32(sums.p[g]);
      slot_m[g] = from_q32(sums.m[g]);
    }
  }

  // Says whether the slot takes part in V. With CUPED also one of members alone: the time before says something of it.
  [[nodiscard]] bool has(std::size_t g, bool with_cuped) const { return slot_n[g] > 0 || (with_cuped && slot_m[g] > 0); }
  [[nodiscard]] bool has_lists() const { return n != 0 && list_slots >= 2; }

  // Says whether all its slots are alike: what is left then is rounding.
  [[nodiscard]] bool is_even() const {
    constexpr double rounding = 1e-24;
    double squares = 0, sizes = 0;
    for (std::size_t g = 0; g < experiment_slots; ++g) {
      const double rest = slot_s[g] - ratio * slot_n[g];
      squares += rest * rest;
      sizes += std::abs(slot_s[g]);
    }
    return squares <= rounding * sizes * sizes;
  }

  // How far the slots lie from an end of the range: the nearest of 0 and those that are finite. [S10.21].
  [[nodiscard]] double edge(const MetricRange& range) const {
    double nearest = distance_from(0);
    for (const double end : {range.low, range.high}) {
      if (std::isfinite(end)) nearest = std::min(nearest, distance_from(end));
    }
    return nearest;
  }

  // As many lists as the unevenness of the slots makes of N: with a list a user hardly more than N. [S10.26], Q.
  [[nodiscard]] double uneven_lists() const {
    const double even = n / experiment_slots;
    double squares = 0;
    for (const double lists : slot_n) squares += (lists - even) * (lists - even);
    return std::max(n, squares);
  }

  double s, n, x, p, m;
  double ratio = 0;
  double evidence_slots = 0;  // with a numerator
  double list_slots = 0;      // with a denominator
  SlotValues slot_s{}, slot_n{}, slot_x{}, slot_p{}, slot_m{};

 private:
  [[nodiscard]] double distance_from(double end) const {
    double sum = 0;
    for (std::size_t g = 0; g < experiment_slots; ++g) sum += std::abs(slot_s[g] - end * slot_n[g]);
    return sum / n;
  }
};

}  // namespace recmeter
