// WatchedComparison: all looks at one comparison together, held against the true difference: which found it, which missed it.
#pragma once

#include <cmath>
#include <optional>

#include "recmeter/experiment/comparison.h"

namespace recmeter {

// The true difference on the scale that a comparison has: a share of the control, or of few events the difference itself.
struct TrueDifference {
  std::optional<double> relative = {};  // empty: unknown on that scale
  std::optional<double> absolute = {};

  static TrueDifference none() { return {.relative = 0, .absolute = 0}; }
  [[nodiscard]] std::optional<double> on_scale_of(const Comparison& at) const { return at.relative ? relative : absolute; }
};

struct WatchedComparison {
  TrueDifference truth;
  bool is_naive_false = false;    // an interval for one look missed 0
  bool is_truth_missed = false;   // an interval for all looks missed the truth
  bool has_wrong_sign = false;    // some look was sure of the opposite of the truth
  bool is_few_found = false;      // a look of few events knew of a difference
  bool is_ever_sure = false;      // as the last look is by its own test
  std::optional<int> found = {};  // the look that knew of a difference
  std::optional<Comparison> last = {};
  double plain_y = 0;      // at the end, without CUPED
  double known_share = 0;  // of users, with lists before

  void look(int number, const std::optional<Comparison>& at, double alpha) {
    last = at;
    if (!at) return;
    is_naive_false |= at->evidence.p < alpha;
    const std::optional<double> of = truth.on_scale_of(*at);
    if (const auto& cs = at->decisive().cs; cs && of) is_truth_missed |= misses(*cs, *of);
    const bool is_found = at->evidence.log_e >= std::log(1 / alpha);
    is_ever_sure |= at->evidence.is_sure;
    if (!is_found && !at->evidence.is_sure) return;
    has_wrong_sign |= at->evidence.y * of.value_or(truth.relative.value_or(0)) < 0;
    if (!is_found) return;
    is_few_found |= at->is_few;
    if (!found) found = number;
  }

  // Intervals for one look at the end whose truth is known.
  [[nodiscard]] bool has_ci() const { return last && last->decisive().ci && truth.on_scale_of(*last); }
  [[nodiscard]] bool covers() const { return !misses(*last->decisive().ci, *truth.on_scale_of(*last)); }
  [[nodiscard]] bool has_width() const { return has_ci() && last->decisive().cs; }
  // The half-width of the sequence by that of one look, in y.
  [[nodiscard]] double width() const {
    const auto width_of = [&](const Interval& of) {
      return last->relative ? std::log1p(of.second) - std::log1p(of.first) : of.second - of.first;
    };
    return width_of(*last->decisive().cs) / width_of(*last->decisive().ci);
  }

 private:
  static bool misses(const Interval& of, double truth) { return of.first > truth || of.second < truth; }
};

}  // namespace recmeter
