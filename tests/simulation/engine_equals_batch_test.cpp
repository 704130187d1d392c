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

}  // namespace
}  // namespace recmeter::support
