// Lanes that judge another policy by the lists that were shown: the engine against the batch evaluator on random logs with
// policies, and the laws of such lanes. A failure prints the seed (support/effort.h). docs/semantics.md, [S5.44], [S5.45].
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "recmeter/result/render.h"
#include "support/batch_evaluator.h"
#include "support/effort.h"
#include "support/engine_run.h"
#include "support/random_candidates.h"
#include "support/random_log.h"
#include "support/random_spec.h"
#include "support/row_compare.h"

namespace recmeter::support {
namespace {

EvaluatorSpec random_policies(std::uint64_t seed) {
  EvaluatorSpec spec = with_lanes(with_whole_window(random_spec(seed), seed), seed);
  // Of the other metrics a few, which lanes_test.cpp has all of.
  std::vector<MetricRequest>& requests = spec.metrics.requests;
  if (requests.size() > 4) requests.erase(requests.begin() + 2, requests.end() - 2);
  std::erase_if(requests, [](const MetricRequest& request) { return request.name == "time_to"; });
  return with_off_policy(spec, seed);
}

// The hash of a lane's rule is looked at on its own. An interval of values that differ by their rounding alone may be there
// or not.
std::vector<Row> comparable(std::vector<Row> rows) {
  for (Row& row : rows) {
    row.config.clear();
    for (MetricValue& metric : row.metrics) {
      if (metric.se && *metric.se < 1e-9 * (1 + std::abs(metric.value.value_or(0)))) metric.ci.reset();
    }
  }
  return rows;
}

TEST(OffPolicyLanes, equal_the_batch_evaluator_on_random_logs) {
  for_each_seed(150, 5000, [](std::uint64_t seed) {
    const EvaluatorSpec spec = random_policies(seed);
    const RandomLog log = random_log(seed, spec);
    const BatchResult expected = evaluate_in_batch(spec, log.inputs);
    const EngineVariant variant{.shards = 1 + seed % 5, .block_bytes = seed % 3 == 0 ? 1 : 200 + seed % 3000, .open_max = 64};
    const EngineResult actual = run_engine(spec, log.inputs, variant);
    const auto rows = first_difference(comparable(expected.rows), comparable(actual.rows), 1e-9);
    EXPECT_FALSE(rows) << "seed " << seed << ": " << rows.value_or("");
    const auto report = first_difference(expected.report, actual.report);
    EXPECT_FALSE(report) << "seed " << seed << ": " << report.value_or("");
    const auto identity = broken_identity(actual.report);
    EXPECT_FALSE(identity) << "seed " << seed << ": " << identity.value_or("");
  });
}

}  // namespace
}  // namespace recmeter::support
