// MetricSpec: what the configuration asks of metrics, before names are resolved (metric/plan.h).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/metric/examination.h"
#include "recmeter/metric/off_policy.h"
#include "recmeter/metric/rating_rule.h"
#include "recmeter/metric/shown_counts.h"

namespace recmeter {

enum class GainKind : std::uint8_t { linear, exp2, binary };         // g(r) = r, 2^r - 1, or 1 for every r > 0
enum class ApDenominator : std::uint8_t { min, relevant, k, hits };  // [S5], map_list
enum class Unit : std::uint8_t { list, user, pooled };               // what the value is over, [S6]
enum class PrecisionDenominator : std::uint8_t { k, shown };         // k, or min(k, n)
enum class RecallDenominator : std::uint8_t { relevant, min };       // R_user, or min(R_user, k)
// The ideal DCG: of the best min(R, k) grades; of k grades of 1; of the best min(R, n, k); of all R, not cut.
enum class IdealDcg : std::uint8_t { cut, ones, shown, whole };
// Weight of a rank in DCG: 1 / log2(rank + 1), 1 / max(1, log2(rank)), 1 / rank, or 1.
enum class Discount : std::uint8_t { log2, log2_max2, rank, none };
// Which lists the mean is over. `relevant`: those with evidence. `user_relevant`: with R_user > 0, whatever the metric's
// evidence. Other tools drop lists without saying so.
enum class Over : std::uint8_t { all, nonempty, relevant, nonempty_relevant, user_relevant };
enum class Grade : std::uint8_t { gain, value };  // of an item: its gain, or what the action was worth
// Once, whatever the cutoffs: `none`, the whole list; `relevant`, the first R ranks, R the user's relevant items.
enum class Cut : std::uint8_t { k, none, relevant };

// Which items there are: those of the user and of the catalogue too, or the list's own alone.
enum class Universe : std::uint8_t { all, list };

inline constexpr std::uint32_t levels_of_recall = 1000;  // of MetricOptions::level: so that a level is reached exactly

// The choices that change a metric's definition. Every value carries those that are not the default in its definition id.
struct MetricOptions {
  GainKind gain = GainKind::linear;
  ApDenominator ap_denominator = ApDenominator::min;
  double beta = 2;                // of fbeta; > 0
  std::optional<Unit> unit = {};  // the metric's own by default: own_unit()
  PrecisionDenominator precision_denominator = PrecisionDenominator::k;
  RecallDenominator recall_denominator = RecallDenominator::relevant;
  IdealDcg ideal = IdealDcg::cut;
  Discount discount = Discount::log2;
  std::optional<Over> over = {};  // the metric's own by default
  Cut cut = Cut::k;
  Universe universe = Universe::all;
  std::uint64_t exposures = 1000;           // m of rarefied_items; >= 1
  double persistence = 0.8;                 // p of rbp; in (0, 1)
  double rank_share = 0.99;                 // p of latency: which share of the lists is no slower; in (0, 1]
  std::optional<double> slower_than = {};   // of latency: milliseconds; the value is then the share of slower lists
  double half_life = 5;                     // of half_life: the rank that weighs half; > 1
  std::optional<std::uint32_t> level = {};  // of ap_11: of recall, in thousandths; the precision there alone
  std::optional<double> from = {};          // of rated_auc: the smallest rating that is liked; ratings.liked by default
  std::string action = {};                  // grades come from this action alone, each 1; "": from all
  Grade grade = Grade::gain;
  std::optional<double> cap = {};    // of income: what an item is worth at most; > 0
  double clip = 10;                  // of ips_clipped: no weight counts more; > 0
  std::optional<Estimator> of = {};  // whose weights: of the metrics of weights

  // What other sections of the configuration say. MetricPlan sets them.
  std::uint64_t catalog_size = 0;  // 0: none configured
  RatingRule ratings = {};
  OffPolicySpec off_policy = {};
  Examination examination = {};
  double gain_max = 1;  // of the actions that grades come from
};

// A choice by name, for the list of those that a metric takes.
enum class MetricOption : std::uint8_t {
  gain,
  ap_denominator,
  beta,
  unit_list,  // of a metric whose own unit is `pooled`
  unit_user,
  unit_pooled,
  precision_denominator,
  recall_denominator,
  ideal,
  over,
  cut,
  exposures,
  action,
  persistence,
  rank_share,
  slower_than,
  half_life,
  grade,
  cap,
  liked_from,
  clip,
  estimator,
  discount,
  level,
  universe,
  cut_at_relevant  // Cut::relevant, of a metric that takes `cut`
};

class MetricOptionSet {
 public:
  constexpr MetricOptionSet() = default;
  constexpr MetricOptionSet(std::initializer_list<MetricOption> options) {
    for (const MetricOption option : options) bits_ |= bit(option);
  }
  [[nodiscard]] constexpr bool has(MetricOption option) const { return (bits_ & bit(option)) != 0; }

 private:
  static constexpr std::uint32_t bit(MetricOption option) { return 1U << static_cast<unsigned>(option); }
  std::uint32_t bits_ = 0;
};

struct MetricRequest {
  std::string name;
  std::optional<std::string> as =
      {};  // the key in rows, before "@k"; by default the name, and "/pooled" where the unit is that
  MetricOptions options = {};
};

// The trailing period over which an item's popularity is counted: docs/metrics.md, "Popularity".
struct PopularitySpec {
  std::int64_t period_ms = 24 * 60 * 60 * 1000;  // multiple of step_ms
  std::int64_t step_ms = 5 * 60 * 1000;          // it moves on at multiples of this since the epoch
  std::uint64_t top = 100;                       // serendipity: the most popular items nobody needs to be shown
};

struct MetricSpec {
  std::vector<std::uint32_t> cutoffs{1, 5, 10};  // distinct, >= 1, in configured order; empty: R alone
  std::vector<MetricRequest> requests;           // in configured order
  double confidence = 0.95;                      // in (0, 1)
  PopularitySpec popularity = {};
  Examination examination = {};
  bool left_out = false;  // rows keep what their values would be without one user group each, to be compared
  ShownCountsSpec shown_counts = {};
  bool curves = false;  // the counts behind ROC and precision-recall curves, up to the largest cutoff
};

}  // namespace recmeter
