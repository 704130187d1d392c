// Random logs must be nasty enough to prove something, and the laws of [S1] must hold of the oracle itself.
#include "support/random_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "support/batch_evaluator.h"
#include "support/effort.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

TEST(RandomLog, is_a_function_of_its_seed) {
  const EvaluatorSpec spec = random_spec(5);
  const RandomLog a = random_log(5, spec);
  const RandomLog b = random_log(5, spec);
  ASSERT_EQ(a.inputs.size(), b.inputs.size());
  for (std::size_t p = 0; p < a.inputs.size(); ++p) EXPECT_EQ(a.inputs[p].bytes, b.inputs[p].bytes);
}

TEST(RandomLog, meets_every_fate_reason_outcome_and_stage) {
  EventCounts events;
  FeedbackCounts feedback;
  std::array<std::uint64_t, invalid_reason_count> reasons{};
  std::uint64_t final_rows = 0, truncated_rows = 0, intervals = 0, others = 0;
  const std::uint64_t seeds = std::max<std::uint64_t>(effort(200), 20);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const EvaluatorSpec spec = random_spec(seed);
    const BatchResult result = evaluate_in_batch(spec, random_log(seed, spec).inputs);
    ASSERT_EQ(broken_identity(result.report), std::nullopt) << "seed " << seed;
    for (std::size_t i = 0; i < reasons.size(); ++i) reasons[i] += result.report.invalid_reasons[i];
    events.ignored += result.report.events.ignored;
    events.future += result.report.events.future;
    events.late += result.report.events.late;
    for (std::size_t i = 0; i < duplicate_reason_count; ++i) events.duplicates[i] += result.report.events.duplicates[i];
    events.impressions += result.report.events.impressions;
    events.feedback += result.report.events.feedback;
    feedback.credited += result.report.feedback.credited;
    feedback.repeated += result.report.feedback.repeated;
    feedback.organic += result.report.feedback.organic;
    feedback.not_in_list += result.report.feedback.not_in_list;
    feedback.unmatched += result.report.feedback.unmatched;
    final_rows += result.report.rows_final;
    truncated_rows += result.report.rows_truncated;
    for (const Row& row : result.rows) {
      for (const MetricValue& metric : row.metrics) intervals += metric.ci ? 1U : 0U;
      for (const auto& [key, value] : row.segment) others += value == "(other)" ? 1U : 0U;
    }
  }
  for (const InvalidReason reason : native_json_reasons) {
    EXPECT_GT(reasons[static_cast<std::size_t>(reason)], 0U) << "reason " << static_cast<int>(reason);
  }
  for (const std::uint64_t count :
       {events.ignored, events.future, events.late, events.duplicate(), feedback.credited, feedback.repeated,
        feedback.organic, feedback.not_in_list, feedback.unmatched, final_rows, truncated_rows, intervals, others}) {
    EXPECT_GT(count, seeds / 2);
  }
  // Too many of these would leave too few events to evaluate.
  EXPECT_LT(5 * events.late, events.impressions + events.feedback);
}

TEST(RandomLog, of_an_orderly_log_every_layout_gives_the_same_rows) {
  for_each_seed(60, 60, [](std::uint64_t seed) {
    const EvaluatorSpec spec = random_spec(seed);
    const RandomLog log = orderly_log(seed, spec);
    const BatchResult expected = evaluate_in_batch(spec, log.inputs);
    ASSERT_EQ(expected.report.events.late + expected.report.events.future, 0U) << "seed " << seed;
    for (const RandomLog& layout :
         {shuffled_within_lateness(log, seed + 1), split_otherwise(log, seed + 2, 1), split_otherwise(log, seed + 3, 5)}) {
      const BatchResult actual = evaluate_in_batch(spec, layout.inputs);
      EXPECT_EQ(actual.report.events.late + actual.report.events.future, 0U) << "seed " << seed;
      EXPECT_EQ(first_difference(expected.rows, actual.rows, 0), std::nullopt) << "seed " << seed;
      EXPECT_EQ(expected.report.events, actual.report.events) << "seed " << seed;
    }
  });
}

// [S1.5]
TEST(RandomLog, the_rows_of_a_horizon_do_not_depend_on_the_others) {
  for_each_seed(40, 40, [](std::uint64_t seed) {
    EvaluatorSpec spec = random_spec(seed);
    for (Action& action : spec.join.actions) action.once = false;
    const RandomLog log = random_log(seed, spec);
    const std::vector<Row> all = evaluate_in_batch(spec, log.inputs).rows;
    for (const Duration horizon : spec.join.horizons) {
      EvaluatorSpec alone = spec;
      alone.join.horizons = {horizon};
      std::vector<Row> expected;
      std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
                   [horizon](const Row& row) { return row.horizon == horizon; });
      ASSERT_EQ(first_difference(expected, evaluate_in_batch(alone, log.inputs).rows, 0), std::nullopt) << "seed " << seed;
    }
  });
}

}  // namespace
}  // namespace recmeter::support
