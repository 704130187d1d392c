// Laws of the engine that tests hold on logs of several kinds. A failure prints the seed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/batch_evaluator.h"
#include "support/engine_run.h"
#include "support/random_log.h"
#include "support/row_compare.h"

namespace recmeter::support {

// The same rows, fates and outcomes as the batch evaluator's. `comparable` leaves out of rows what is looked at elsewhere.
inline void expect_the_batch_evaluators(
    std::uint64_t seed, const EvaluatorSpec& spec, const RandomLog& log,
    const std::function<std::vector<Row>(std::vector<Row>)>& comparable = [](std::vector<Row> rows) { return rows; }) {
  const BatchResult expected = evaluate_in_batch(spec, log.inputs);
  const EngineVariant variant{.shards = 1 + seed % 5, .block_bytes = seed % 3 == 0 ? 1 : 200 + seed % 3000, .open_max = 64};
  const EngineResult actual = run_engine(spec, log.inputs, variant);
  const auto rows = first_difference(comparable(expected.rows), comparable(actual.rows), 1e-9);
  EXPECT_FALSE(rows) << "seed " << seed << ": " << rows.value_or("");
  const auto report = first_difference(expected.report, actual.report);
  EXPECT_FALSE(report) << "seed " << seed << ": " << report.value_or("");
  const auto identity = broken_identity(actual.report);
  EXPECT_FALSE(identity) << "seed " << seed << ": " << identity.value_or("");
}

// Where two texts part, or nothing.
inline std::string difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  const auto [at, other] = std::ranges::mismatch(expected, actual);
  const auto from = static_cast<std::size_t>(at - expected.begin());
  const std::size_t line = expected.rfind('\n', from) == std::string::npos ? 0 : expected.rfind('\n', from) + 1;
  return "expected ..." + expected.substr(line, from - line + 60) + "..., got ..." + actual.substr(from, 60);
}

// The bytes of rows and of scored lists, and what each lane counts, of an orderly log.
inline void expect_the_same_however_cut_and_divided(std::uint64_t seed, const EvaluatorSpec& spec, const RandomLog& log) {
  const EngineResult plain = run_engine(spec, log.inputs, {.lists = true});
  const auto expect_same = [&](const RandomLog& other, const EngineVariant& variant) {
    const EngineResult result = run_engine(spec, other.inputs, variant);
    EXPECT_EQ(difference(plain.bytes, result.bytes), "") << "seed " << seed;
    EXPECT_EQ(difference(plain.lists, result.lists), "") << "seed " << seed;
    ASSERT_EQ(result.report.lanes.size(), plain.report.lanes.size());
    for (std::size_t lane = 0; lane < result.report.lanes.size(); ++lane) {
      EXPECT_EQ(result.report.lanes[lane].counts, plain.report.lanes[lane].counts) << "seed " << seed;
    }
  };
  expect_same(log, {.shards = 4, .block_bytes = 1, .reverse_tasks = true, .lists = true});
  expect_same(log, {.shards = 3, .block_bytes = 777, .threads = 2, .lists = true});
  expect_same(shuffled_within_lateness(log, seed + 1), {.shards = 2, .block_bytes = 300, .lists = true});
  expect_same(split_otherwise(log, seed + 2, 3), {.shards = 5, .block_bytes = 100, .open_max = 2, .lists = true});
}

}  // namespace recmeter::support
