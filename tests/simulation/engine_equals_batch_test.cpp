// The engine against the batch evaluator, on random logs: the same rows, fates and outcomes. A failure prints the seed
// (support/effort.h: how to run it alone, or more of them).
#include <gtest/gtest.h>

#include <string>

#include "simulation/engine_laws.h"
#include "support/effort.h"
#include "support/heavy_log.h"
#include "support/random_log.h"
#include "support/random_spec.h"

namespace recmeter::support {
namespace {

TEST(Engine, equals_the_batch_evaluator_on_random_logs) {
  for_each_seed(150, 5000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = with_whole_past(with_whole_window(random_spec(seed), seed), seed);
    expect_the_batch_evaluators(seed, spec, random_log(seed, spec));
  });
}

TEST(Engine, equals_the_batch_evaluator_on_heavy_users_long_silences_and_many_segments) {
  for_each_seed(40, 1000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = with_whole_past(with_whole_window(heavy_spec(seed), seed), seed);
    expect_the_batch_evaluators(seed, spec, heavy_log(seed, spec));
  });
}

// [S4.16], [S4.24]: on light timelines, which are scanned, and on heavy ones, which are indexed.
TEST(Engine, equals_the_batch_evaluator_where_what_was_done_is_taken_back) {
  for_each_seed(200, 5000, [](std::uint64_t seed) {
    const EvaluatorSpec light = with_returns(with_whole_past(random_spec(seed), seed), seed);
    expect_the_batch_evaluators(seed, light, random_log(seed, light));
    if (seed % 3 != 0) return;
    const EvaluatorSpec heavy = with_returns(with_whole_past(heavy_spec(seed), seed), seed);
    expect_the_batch_evaluators(seed, heavy, heavy_log(seed, heavy));
  });
}

}  // namespace
}  // namespace recmeter::support
