// The engine against the batch evaluator, on random logs: the same rows, fates and outcomes. A failure prints the seed
// (support/effort.h: how to run it alone, or more of them).
#include <gtest/gtest.h>

#include <string>

#include "support/batch_evaluator.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/heavy_log.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

void compare_once(std::uint64_t seed, const EvaluatorSpec& spec, const RandomLog& log) {
  const BatchResult expected = evaluate_in_batch(spec, log.inputs);
  const EngineVariant variant{.shards = 1 + seed % 5, .block_bytes = seed % 3 == 0 ? 1 : 200 + seed % 3000, .open_max = 64};
  const EngineResult actual = run_engine(spec, log.inputs, variant);
  const auto rows = first_difference(expected.rows, actual.rows, 1e-9);
  EXPECT_FALSE(rows) << "seed " << seed << ": " << rows.value_or("");
  const auto report = first_difference(expected.report, actual.report);
  EXPECT_FALSE(report) << "seed " << seed << ": " << report.value_or("");
  const auto identity = broken_identity(actual.report);
  EXPECT_FALSE(identity) << "seed " << seed << ": " << identity.value_or("");
}

TEST(Engine, equals_the_batch_evaluator_on_random_logs) {
  for_each_seed(150, 5000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = with_whole_past(with_whole_window(random_spec(seed), seed), seed);
    compare_once(seed, spec, random_log(seed, spec));
  });
}

TEST(Engine, equals_the_batch_evaluator_on_heavy_users_long_silences_and_many_segments) {
  for_each_seed(40, 1000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = with_whole_past(with_whole_window(heavy_spec(seed), seed), seed);
    compare_once(seed, spec, heavy_log(seed, spec));
  });
}

}  // namespace
}  // namespace recmeter::support
