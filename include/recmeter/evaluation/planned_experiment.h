// PlannedExperiment: an ExperimentSpec worked out against the metrics and horizons of its evaluator. Immutable after
// construction; any thread. [S10.1] to [S10.5].
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/experiment/verdict.h"
#include "recmeter/metric/plan.h"

namespace recmeter {

// One of the two sums of a metric in a row of sums: columns of 2^-32 (metric/wide_column.h), or one that counts.
struct SumPlace {
  std::size_t first = 0;
  std::size_t width = 1;
  bool is_count = false;
};

struct TestedMetric {
  const MetricTest* test;
  TestRole role;
  Better better;
  SumPlace sum;                        // S
  SumPlace weight;                     // N
  std::optional<SumPlace> uncut = {};  // of a metric with a cap: S without it
  bool is_per_user = false;            // known of all users or of none: [S10.8]
  MetricRange range = {};              // of the metric's values
};

// Which teams drafted the lists, as ScoredList::teams numbers them, and what shows whose items people want.
struct PlannedDraft {
  std::array<std::uint8_t, 2> teams;  // as the arms
  std::size_t action;                 // its place in MetricPlan::asked_actions()
};

// An entry of `primary`, `guardrails` or `secondary` that cannot be tested.
struct RefusedTest {
  TestRole role;
  std::size_t number;  // in its list, from 0
  std::string metric;
  std::string cause;
  std::string remedy;
};

struct PlannedExperiment {
  const ExperimentSpec* spec;
  std::size_t horizon = 0;            // its number in join.horizons
  Duration min_duration;              // before it nothing is shipped; less in a state of an earlier version
  Duration age;                       // horizon + skew: a list this much older than the watermark is final
  std::vector<TestedMetric> metrics;  // primary, guardrails, secondary, each in configured order
  // Those that the metrics sum: of MetricPlan's columns, or behind them of those of its users.
  std::vector<std::size_t> columns;
  bool sums_users = false;          // whether some are of users
  std::vector<std::size_t> acting;  // of those columns: they count a user once; at most acting_max
  std::optional<PlannedDraft> draft = {};

  // Errors: PATH: CAUSE; REMEDY. `spec` outlives the plan.
  // `teams`: all that ScoredList::teams tells apart, in its order.
  [[nodiscard]] static Result<PlannedExperiment> make(const ExperimentSpec& spec, const EvaluatorSpec& evaluator,
                                                      const MetricPlan& metrics, std::span<const std::string> teams = {});

  // All entries that make() would refuse, of which it names the first.
  [[nodiscard]] static std::vector<RefusedTest> refused_tests(const ExperimentSpec& spec, const MetricPlan& metrics);

  static constexpr std::size_t acting_max = 8;
  // A list's labels: the arm that it names, as many as there are arms where it names none; the number of its user.
  static constexpr std::size_t labels_per_list = 2;
  static constexpr std::size_t arm_label = 0;
  static constexpr std::size_t user_label = 1;
  // A row of sums: lists, users that became members, `columns`; with CUPED then the same of the time before without members.
  // Of a team draft, instead of columns: wins less losses of the arm, lists with a credit, wins.
  static constexpr std::size_t lists_at = 0;
  static constexpr std::size_t users_at = 1;
  static constexpr std::size_t columns_at = 2;
  static constexpr std::size_t preference_at = columns_at;
  static constexpr std::size_t credited_at = columns_at + 1;
  static constexpr std::size_t wins_at = columns_at + 2;
  [[nodiscard]] std::size_t before_at() const { return draft ? wins_at + 1 : columns_at + columns.size(); }
  [[nodiscard]] std::size_t width() const { return before_at() + (has_before() ? 1 + columns.size() : 0); }

  // The same sum over the time before. A user that became a member did so once.
  [[nodiscard]] SumPlace before(SumPlace place) const {
    if (place.first == lists_at) place.first = before_at();
    if (place.first >= columns_at && place.first < before_at()) place.first += before_at() + 1 - columns_at;
    return place;
  }

  [[nodiscard]] bool has_before() const { return spec->cuped_before.ms > 0; }
  [[nodiscard]] EventTime end() const { return spec->start + spec->duration; }
  // Looks are numbered from 1; the lists of a look are those from the one before it on. Numbers up to 0 are of the time
  // before the start, in pieces of the same length.
  [[nodiscard]] EventTime look_time(std::int64_t number) const { return {spec->start.ms + number * spec->every.ms}; }
  [[nodiscard]] std::int64_t last_look() const { return spec->duration.ms / spec->every.ms; }
  // The first look that has a list of this time. Requires: ts < end().
  [[nodiscard]] std::int64_t look_of(EventTime ts) const {
    const std::int64_t since = (ts - spec->start).ms;
    return since >= 0 ? since / spec->every.ms + 1 : (since + 1) / spec->every.ms;
  }
  // Once lists have been scored up to this watermark and no further, those of the look are there, and none of the next.
  [[nodiscard]] EventTime complete_at(std::int64_t number) const { return look_time(number) + age - Duration{1}; }
  // The first of these times after a watermark; plus_infinity: all are over.
  [[nodiscard]] EventTime next_complete_after(EventTime w) const;
};

}  // namespace recmeter
