// The engine against the batch evaluator, on random logs: the same rows, fates and outcomes. A failure prints the seed; run
// one with RECMETER_SEED=n, more with RECMETER_SEEDS=n.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/batch_evaluator.h"
#include "support/engine_run.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

void compare_once(std::uint64_t seed) {
  const EvaluatorSpec spec = random_spec(seed);
  const RandomLog log = random_log(seed, spec);
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
  if (std::getenv("RECMETER_SEED") != nullptr) return compare_once(from_environment("RECMETER_SEED", 0));
  const std::uint64_t seeds = from_environment("RECMETER_SEEDS", std::getenv("RECMETER_LONG") != nullptr ? 20000 : 1500);
  for (std::uint64_t seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) compare_once(seed);
}

}  // namespace
}  // namespace recmeter::support
