// Comparison: an arm against the control, at one look: with an interval for that look alone, and with one that holds for all
// looks together.
//
// The value of an arm is R = S / N. Its variance comes from the slots by the delta method (Deng, Knoblich, Lu 2018), with
// degrees of freedom limited by the kurtosis of the slots' effects: heavy users, not the number of slots, limit them. CUPED
// takes out what the time before explains (Deng, Xu, Kohavi, Walker 2013). The statistic t becomes z by Wallace's
// transformation (1959), and what is said over all looks comes from a mixture sequential probability ratio test whose clock
// is information, 1 / v (Robbins 1970; Johari et al. 2017; Howard et al. 2021; Waudby-Smith et al. 2024). Where an arm shows
// too few events to have a variance of its own, it gets one from both arms, or from five of its users. [S10.20] to [S10.27].
//
// Pure functions; any thread. Sums over slots run g = 0..255, uncontracted, so equal sums give equal bits.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "recmeter/base/result.h"
#include "recmeter/experiment/slot_sums.h"

namespace recmeter {

inline constexpr double evidence_slots_min = 20;  // slots with a numerator, below which events are few
inline constexpr double comparison_df_min = 5;    // degrees of freedom, likewise
inline constexpr double heavy_df_max = 20;        // below: a few users decide it

// In which the values of a metric lie.
struct MetricRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool is_bounded() const { return std::isfinite(low) && std::isfinite(high); }
  // The greatest difference between two values.
  [[nodiscard]] double width() const { return is_bounded() ? high - low : std::numeric_limits<double>::infinity(); }
};

// A look among those that are planned. The last one is a test of its own, with what the others have left. [S10.25].
enum class PlannedLook : std::uint8_t { early, last, only };

struct ComparisonRule {
  bool is_absolute = false;  // the difference is tested, not the ratio
  bool is_paired = false;    // `assign: list`: a user may be in both arms
  double mde = 0;            // > 0: the change worth acting on; a share of the control unless is_absolute
  double alpha = 0.05;       // of the interval for one look
  double alpha_all = 0.05;   // of what is said over all looks: alpha, shared among what is tested
  double evidence_min = evidence_slots_min;
  MetricRange range = {};
  PlannedLook look = PlannedLook::early;
};

// Why two arms cannot be compared.
enum class Missing : std::uint8_t {
  no_lists,   // an arm has lists of no or hardly any user
  no_events,  // nobody did it in either arm
  heavy,      // a few users make nearly all of it
  too_few,    // hardly anybody did it
};
[[nodiscard]] std::string_view missing_name(Missing missing);

using Interval = std::pair<double, double>;

struct Distance {
  double value = 0;
  std::optional<Interval> ci = {};  // for one look
  std::optional<Interval> cs = {};  // for all looks together; of the scale that decides it excludes 0 exactly when is_sure
};

// Of the scale that decides.
struct TestStatistic {
  double y = 0;         // ln(arm / control), or arm - control
  double variance = 0;  // v, of y
  double df = 0;
  double z = 0;
  double p = 0;  // of one look, two-sided
  double log_e = 0;
  bool is_sure = false;                  // that there is a difference, for all looks together
  std::optional<double> mde_fixed = {};  // the change that one planned look would find in 80 of 100 cases
  std::optional<double> mde_now = {};    // that looking all the while would have found by now
};

struct Comparison {
  double control = 0;  // adjusted by CUPED
  double arm = 0;
  double theta = 0;         // 0: without CUPED
  double variance_cut = 0;  // the share of v that CUPED took away
  bool is_few = false;      // of few events: an arm shows too little to have a variance of its own
  Distance absolute = {};
  std::optional<Distance> relative = {};  // empty: is_absolute, or few events
  TestStatistic evidence = {};
  [[nodiscard]] bool is_heavy() const { return evidence.df < heavy_df_max; }
  // On the scale that decides.
  [[nodiscard]] const Distance& decisive() const { return relative ? *relative : absolute; }
};

using Compared = tl::expected<Comparison, Missing>;

[[nodiscard]] Compared compare_arms(const SlotSums& control, const SlotSums& arm, const ComparisonRule& rule);

// S / N, unadjusted. Empty: N = 0.
[[nodiscard]] std::optional<double> ratio_of(const SlotSums& sums);

// The preference of one arm of values in [-1, 1] against 0, as a team draft has it (Chapelle, Joachims, Radlinski, Yue 2012).
// [S10.34]
[[nodiscard]] Compared compare_with_zero(const SlotSums& sums, const ComparisonRule& rule);

// min(1, 1 / e) over all looks so far.
[[nodiscard]] double p_always(double log_e_max);

// How much more of the time since the start is needed until the mde would be found in 80 of 100 cases: a share of that time,
// at least 0. Returning users add less than new ones, so it is a lower bound. [S10.27]
[[nodiscard]] double more_time(double variance, double tau, double alpha);

// ln(1 + mde), or mde: the half-way point of the mixture.
[[nodiscard]] double tau_of(const ComparisonRule& rule);

// The half-width of the sequence in standard errors, of r = tau^2 / v.
[[nodiscard]] double sequence_reach(double r, double alpha);

// alpha that the last look has, of that of all looks; `is_cautious`: a few users decide it.
[[nodiscard]] double last_look_alpha(double r, double alpha, PlannedLook look, bool is_cautious);
// The half-width at that look: no more than that of the sequence.
[[nodiscard]] double planned_reach(double r, double alpha, PlannedLook look, bool is_cautious);
// In standard errors, of a normal distribution: both sides together have `alpha`.
[[nodiscard]] double two_sided_normal(double alpha);

// t with `df` degrees of freedom as z, and back. Empty: z is out of range.
[[nodiscard]] double normal_of_t(double t, double df);
[[nodiscard]] std::optional<double> t_of_normal(double z, double df);

}  // namespace recmeter
