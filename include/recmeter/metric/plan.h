// MetricPlan: the configured metrics, resolved: which columns a list fills and which metrics read them.
//
// Immutable after construction; any thread. Invariants:
//   (1) metrics() are names x cutoffs in configured order; a metric without cutoff stands there once;
//   (2) a column is either a counter of lists, shared by all metrics that count the same, or holds values in 2^-32 or what a
//       PooledForm makes of them, of one metric alone;
//   (3) columns that the same kind of list moves (MovedBy) stand side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/join/join_rule.h"
#include "recmeter/metric/definition.h"
#include "recmeter/metric/metric_spec.h"

namespace recmeter {

struct PlannedMetric {
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);
  static constexpr std::uint32_t no_cut = static_cast<std::uint32_t>(-1);       // Cut::none
  static constexpr std::uint32_t at_relevant = static_cast<std::uint32_t>(-2);  // Cut::relevant: another of each list

  const MetricDefinition* definition = nullptr;
  MetricOptions options;
  std::string key =
      {};  // as rows show it: name, or the configured `as`, "@k" or "@R" unless uncut, and a unit that is not `list`
  std::string definition_id = {};  // metric/definition_id.h; empty when all is default
  std::uint32_t cutoff = 0;        // 0: none; no_cut: the whole list; at_relevant: cutoff_at() says it
  Over over = Over::all;
  const PooledForm* pooled = nullptr;            // when the value is made of sums
  const PooledForm* of_user = nullptr;           // unit `user` of a metric of sums: makes each user's value of the user's own
  std::size_t column = no_column;                // the first of its values
  std::size_t columns = 0;                       // how many
  std::size_t mean_column = no_column;           // counts the lists in the mean; no_column: all of them
  std::size_t shown_column = no_column;          // counts what relevant_share is a share of; no_column: all lists
  std::size_t evidence_column = no_column;       // counts lists with evidence, in the mean or not; no_column: as the mean
  std::size_t mean_evidence_column = no_column;  // counts those of them that are in the mean; no_column: all are
  std::size_t action = AskedAction::none;        // index into asked_actions() of the one it is of
  bool by_value = false;                         // and graded by what that was worth
  std::size_t user_column = no_column;           // of UserSums: values, lists with evidence; or of_user's; or a UserForm's
  std::size_t weight_series = no_column;         // where its largest weights are counted: of MetricPlan::weight_series()
  bool weighs_users = false;                     // user_column holds the sums of its weights
  std::size_t exposure = 0;                      // exposure: index into exposure_cutoffs()
  std::size_t rank_block = no_column;            // of MetricPlan::shown_blocks(): what is counted by rank
  std::size_t group_block = no_column;           // the same by group of items
};

// The list as the metric sees it.
[[nodiscard]] inline ScoredList seen_by(const PlannedMetric& metric, const ScoredList& list) {
  const ScoredList seen = metric.action == AskedAction::none ? list : list.of_action(metric.action, metric.by_value);
  return metric.options.universe == Universe::list ? seen.alone() : seen;
}
// How many ranks of the list, as the metric sees it, count.
[[nodiscard]] inline std::uint32_t cutoff_at(const PlannedMetric& metric, const ScoredList& seen) {
  if (metric.cutoff != PlannedMetric::at_relevant) return metric.cutoff;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(seen.relevant_of_user(), PlannedMetric::at_relevant));
}
// Whether the list, as the metric sees it, is one of those it is over; whether it says something to it.
[[nodiscard]] bool in_mean(const PlannedMetric& metric, const ScoredList& list);
[[nodiscard]] bool has_evidence(const PlannedMetric& metric, const ScoredList& list);

// What the rest of the configuration says that definitions depend on.
struct MetricContext {
  std::uint64_t catalog_size = 0;  // 0: no catalogue
  bool catalog_has_attributes = false;
  bool has_lanes = false;
  RatingRule ratings = {};
  std::optional<OffPolicySpec> off_policy = {};  // nothing: no other policy is judged
  std::vector<Action> actions = {};
  std::vector<std::size_t> looked_at = {};  // actions that are looked at alone, whether a metric asks for them or not
};

// Columns of what was shown: metric/shown_counts.h.
struct ShownBlock {
  std::size_t action = AskedAction::none;
  bool of_groups = false;    // else of ranks
  std::uint32_t cutoff = 0;  // the largest of the metrics that have it
  std::size_t columns = 0;
  std::size_t column = 0;  // the first
  MovedBy moved_by = MovedBy::every_list;
};

struct ColumnRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

class MetricPlan {
 public:
  // Fails on an unknown name, an option the metric does not take, a catalogue that is not there, and two metrics of one key.
  [[nodiscard]] static Result<MetricPlan> make(const MetricSpec& spec, const MetricContext& context = {});

  [[nodiscard]] std::span<const PlannedMetric> metrics() const { return metrics_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  // Per user, for metrics of unit `user`; 0 when there is none.
  [[nodiscard]] std::size_t user_columns() const { return user_columns_; }
  // Whether some metric looks at users one by one.
  [[nodiscard]] bool needs_users() const { return needs_users_; }
  // Cutoffs that some exposure metric asks for, ascending.
  // 0 stands for what was shown with a score, for metrics without a cutoff.
  [[nodiscard]] std::span<const std::uint32_t> exposure_cutoffs() const { return exposure_cutoffs_; }
  [[nodiscard]] ExposureParts exposure_needs() const { return exposure_needs_; }
  [[nodiscard]] bool needs(ListPart part) const { return needs_.has(part); }
  // In the order of ScoredList::by_action.
  [[nodiscard]] std::span<const AskedAction> asked_actions() const { return asked_actions_; }

  // The largest k of curves, 0: none are wanted; and the first of their columns (metric/curve.h).
  [[nodiscard]] std::uint32_t curve_cutoff() const { return curve_cutoff_; }
  [[nodiscard]] std::size_t curve_column() const { return curve_column_; }

  [[nodiscard]] std::span<const ShownBlock> shown_blocks() const { return shown_; }

  // Adds the list's values to `columns`, which has columns() of them.
  void add_values(const ScoredList& list, std::span<std::int64_t> columns) const;
  // The same for the columns of its user.
  void add_user_values(const ScoredList& list, std::span<std::int64_t> columns) const;
  // Counts of lists by bucket: what the list's latency and its largest weights are, where some metric asks for them. Numbers
  // below latency_buckets are those of latencies, then come weight_buckets for each of weight_series().
  [[nodiscard]] std::size_t buckets() const;
  [[nodiscard]] std::size_t weight_series() const { return weight_series_; }
  void add_buckets(const ScoredList& list, std::vector<std::uint32_t>& buckets) const;

  // What the metric says of this list alone, as published means count it; null where it leaves the list out or is undefined.
  // Not for families exposure and audience.
  [[nodiscard]] static std::optional<double> value_of(const PlannedMetric& metric, const ScoredList& whole);
  // Visits the ranges that hold the columns which the list may change: visit(ColumnRange), none of them empty.
  template <class Visit>
  void for_each_moved(const ScoredList& list, Visit&& visit) const {
    for_each_moved_kind(list, [&](std::size_t kind) {
      if (moved_[kind].first < moved_[kind].end) visit(moved_[kind]);
    });
  }
  // Whether the list changes no column: then it is only counted.
  [[nodiscard]] bool only_counts(const ScoredList& list) const;

 private:
  // A column that counts the lists for which something holds.
  struct Counter {
    Evidence evidence = Evidence::none;
    bool nonempty = false;          // and which have items
    bool relevant_of_user = false;  // and which have, or miss, a relevant item
    decltype(MetricDefinition::has_evidence) has_evidence = nullptr;
    MetricOptions options;
    std::uint32_t cutoff = 0;
    std::size_t action = AskedAction::none;
    bool by_value = false;
    std::size_t column = 0;
  };
  static constexpr std::size_t moved_by_kinds = 6;
  [[nodiscard]] static constexpr std::size_t number(MovedBy moved_by) { return static_cast<std::size_t>(moved_by); }

  [[nodiscard]] Result<void> add(const MetricRequest& request, const MetricSpec& spec, const MetricContext& context);
  [[nodiscard]] Result<void> add_planned(PlannedMetric metric);
  // Its index.
  std::size_t ask_for(std::size_t action);
  // What the metric needs of the action is needed from now on.
  std::size_t ask_for(std::size_t action, const MetricDefinition& metric, const MetricOptions& options);
  void add_curve(const MetricSpec& spec, const MetricContext& context);
  void add_shown_counts(const ShownCountsSpec& spec);
  void add_to_shown(const ShownBlock& block, const ScoredList& list, std::span<std::int64_t> columns) const;
  void place(PlannedMetric& metric);
  void place_weights(PlannedMetric& metric, WeightParts parts);
  void place_user(PlannedMetric& metric, std::size_t columns, MovedBy moved_by);
  std::size_t counter(Evidence evidence, bool nonempty, const PlannedMetric& metric, bool relevant_of_user = false);
  void order_columns();
  // The kinds of metrics that the list moves.
  template <class Visit>
  static void for_each_moved_kind(const ScoredList& list, Visit&& visit) {
    if (!list.hits.empty()) visit(number(MovedBy::hits));
    if (list.relevant_of_user() > 0) visit(number(MovedBy::relevant));
    if (list.credited > 0) visit(number(MovedBy::feedback));
    const auto is_moved = [](const ActionPart& part) { return !part.hits.empty() || part.missed_items > 0; };
    if (std::any_of(list.by_action.begin(), list.by_action.end(), is_moved)) visit(number(MovedBy::action));
    if (list.policy) visit(number(MovedBy::policy));
    visit(number(MovedBy::every_list));
  }

  std::vector<PlannedMetric> metrics_;
  std::array<std::vector<Counter>, moved_by_kinds> counters_;
  std::array<std::vector<std::size_t>, moved_by_kinds> summed_;        // indices of metrics with columns
  std::array<std::vector<std::size_t>, moved_by_kinds> summed_users_;  // of those of unit `user`
  std::vector<std::uint32_t> exposure_cutoffs_;
  ExposureParts exposure_needs_;
  ListParts needs_;
  std::vector<AskedAction> asked_actions_;
  std::size_t columns_ = 0;
  std::array<ColumnRange, moved_by_kinds> moved_;
  std::size_t user_columns_ = 0;
  std::uint32_t curve_cutoff_ = 0;
  std::size_t curve_column_ = 0;
  MetricOptions curve_options_;
  std::vector<ShownBlock> shown_;
  std::size_t weight_series_ = 0;
  bool needs_users_ = false;
};

}  // namespace recmeter
