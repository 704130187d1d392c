// Every file of cases/ is a claim: what it says must come true, the batch evaluator must agree, and every variant of the run
// must give the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "recmeter/result/render.h"
#include "scenario/live_run.h"
#include "scenario/scenario.h"
#include "scenario/surprise.h"
#include "support/batch_evaluator.h"
#include "support/engine_run.h"
#include "support/row_compare.h"

namespace recmeter::scenario {
namespace {

using support::EngineResult;
using support::EngineVariant;
using support::run_engine;

std::vector<std::filesystem::path> cases() {
  std::vector<std::filesystem::path> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(RECMETER_SOURCE_DIR) / "tests/scenario/cases")) {
    if (file.path().extension() == ".scenario") paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Scenario scenario_in(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  auto [scenario, error] = parse_scenario(text.str());
  EXPECT_EQ(error, "") << path;
  return std::move(scenario);
}

class Claim : public testing::TestWithParam<std::filesystem::path> {};

void expect_same(const EngineResult& expected, const EngineResult& actual, const std::string& variant) {
  EXPECT_EQ(expected.bytes, actual.bytes) << variant;
  EXPECT_EQ(expected.lists, actual.lists) << variant;
  EXPECT_EQ(described(expected.report), described(actual.report)) << variant;
  EXPECT_EQ(support::broken_identity(actual.report).value_or(""), "") << variant;
}

void divide_the_work_otherwise(const Scenario& scenario, const EngineResult& expected) {
  for (const std::size_t shards : {1U, 2U, 8U}) {
    for (const std::size_t block : {1U, 200U, 65536U}) {
      EngineVariant variant{.shards = shards, .block_bytes = block, .open_max = 64, .lists = true};
      const std::string name = std::to_string(shards) + " shards, blocks of " + std::to_string(block);
      expect_same(expected, run_engine(scenario.spec, scenario.log.inputs, variant), name);
      variant.reverse_tasks = true;
      variant.open_max = 1;
      expect_same(expected, run_engine(scenario.spec, scenario.log.inputs, variant), name + ", tasks reversed");
    }
    const EngineVariant threads{.shards = shards, .block_bytes = 300, .open_max = 64, .threads = 3, .lists = true};
    expect_same(expected, run_engine(scenario.spec, scenario.log.inputs, threads),
                std::to_string(shards) + " shards, threads");
  }
}

// A partition's clock starts with its 64th timed event, so in a short log nothing is sealed or forgotten before the end. With
// as many ignored ones at its very beginning, every event is dealt with as it comes, and what can be forgotten on the way is.
void let_time_pass_from_the_first_event_on(const Scenario& scenario, const EngineResult& expected) {
  std::vector<support::BatchInput> inputs = scenario.log.inputs;
  std::uint64_t ticks = 0;
  for (std::size_t p = 0; p < inputs.size(); ++p) {
    std::int64_t first = scenario.log.lines[p].front().ts;
    for (const support::LogLine& line : scenario.log.lines[p]) first = std::min(first, line.ts);
    std::string before;
    for (std::size_t i = 0; i < 64; ++i, ++ticks) before += "{\"type\":\"tick\",\"ts\":" + std::to_string(first) + "}\n";
    inputs[p].bytes = before + inputs[p].bytes;
  }
  // Blocks of one to a few records: time also jumps over what would have been forgotten between two of them.
  for (const std::size_t block : {1U, 60U, 100U, 150U, 200U, 250U, 300U, 400U, 500U}) {
    EngineResult actual =
        run_engine(scenario.spec, inputs, {.shards = 1 + block % 3, .block_bytes = block, .open_max = 64, .lists = true});
    actual.report.events.ignored -= ticks;
    const std::string variant = "time passes in blocks of " + std::to_string(block);
    EXPECT_EQ(expected.bytes, actual.bytes) << variant;
    EXPECT_EQ(expected.lists, actual.lists) << variant;
    EXPECT_EQ(described(expected.report), described(actual.report)) << variant;
  }
}

void lay_out_the_log_otherwise(const Scenario& scenario, const EngineResult& expected) {
  const EngineVariant variant{.shards = 2, .block_bytes = 100, .open_max = 2, .lists = true};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto shuffled = support::shuffled_within_lateness(scenario.log, seed);
    expect_same(expected, run_engine(scenario.spec, shuffled.inputs, variant), "shuffle " + std::to_string(seed));
    for (const std::size_t partitions : {1U, 2U, 3U, 8U}) {
      const auto split = support::split_otherwise(scenario.log, seed, partitions);
      expect_same(expected, run_engine(scenario.spec, split.inputs, variant),
                  std::to_string(partitions) + " partitions, seed " + std::to_string(seed));
    }
  }
}

TEST_P(Claim, holds_in_every_variant) {
  const Scenario scenario = scenario_in(GetParam());
  if (HasFailure()) return;
  const EngineVariant plain{.lists = true};
  const EngineResult actual = run_engine(scenario.spec, scenario.log.inputs, plain);
  EXPECT_EQ(first_surprise(scenario, actual.rows, actual.report).value_or(""), "") << GetParam();
  const support::BatchResult batch = support::evaluate_in_batch(scenario.spec, scenario.log.inputs);
  EXPECT_EQ(first_surprise(scenario, batch.rows, batch.report).value_or(""), "") << "the batch evaluator";
  EXPECT_EQ(support::first_difference(batch.rows, actual.rows, 1e-9).value_or(""), "") << "the batch evaluator";
  if (HasFailure()) return;
  divide_the_work_otherwise(scenario, actual);
  if (scenario.spec.time.max_step.ms == 0) let_time_pass_from_the_first_event_on(scenario, actual);
  if (!scenario.fixed_layout) lay_out_the_log_otherwise(scenario, actual);
}

INSTANTIATE_TEST_SUITE_P(Scenario, Claim, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.stem().string(); });

// Where brokers have taken the records, wrong clocks are judged by them: what depends on the rule for plain files is left
// out, and so is a log that its partitions' order decides. A live run has no end, so what is truncated it does not make.
TEST(Scenarios, have_the_same_rows_live_with_a_restart_in_the_middle) {
  std::size_t compared = 0;
  for (const std::filesystem::path& path : cases()) {
    const Scenario scenario = scenario_in(path);
    if (scenario.fixed_layout || scenario.spec.time.max_step.ms != 0) continue;
    std::map<std::string, std::string> expected;
    for (const Row& row : run_engine(scenario.spec, scenario.log.inputs, {}).rows) {
      if (row.stage == Stage::final) expected.emplace(render_key(row), render_json(row));
    }
    for (const auto& [key, json] : live_rows(scenario)) {
      ASSERT_TRUE(expected.contains(key)) << path << " has no final row " << key;
      EXPECT_EQ(expected.at(key), json) << path;
      ++compared;
    }
  }
  EXPECT_GE(compared, 60U);
}

TEST(Scenarios, are_enough_to_be_worth_having) {
  EXPECT_GE(cases().size(), 25U);
}

TEST(Scenarios, that_expect_something_else_fail) {
  const auto run = [](const std::string& expectation) {
    const auto [scenario, error] =
        parse_scenario("at 0s list L1 u1 a\nat 1s click u1 a\nat 2h tick\nfates ignored=1\n" + expectation);
    EXPECT_EQ(error, "");
    const EngineResult actual = run_engine(scenario.spec, scenario.log.inputs, {});
    return first_surprise(scenario, actual.rows, actual.report);
  };
  EXPECT_FALSE(run("outcomes credited=1\nlists 1\nrow final hour 0s lists=1 click=1/0 precision@1=1\n"));
  EXPECT_TRUE(run("outcomes organic=1\nrow final hour 0s\n"));
  EXPECT_TRUE(run("fates ignored=1 late=1\nrow final hour 0s\n"));
  EXPECT_TRUE(run("lists 2\nrow final hour 0s\n"));
  EXPECT_TRUE(run("row truncated hour 0s\n"));
  EXPECT_TRUE(run("row final hour 1h\n"));
  EXPECT_TRUE(run("row final hour 0s {variant=A}\n"));
  EXPECT_TRUE(run("row final hour 0s precision@1=0.9\n"));
  EXPECT_TRUE(run("row final hour 0s nonsense=1\n"));
  EXPECT_TRUE(run(""));
}

TEST(Scenarios, with_a_word_nobody_knows_are_refused) {
  for (const char* text : {"at 0s list L1 u1 a\nnonsense 1\n", "join nonsense=1\nat 0s tick\n", "at 0x tick\n",
                           "at 0s row L1 u1 a\n", "fates nonsense=1\nat 0s tick\n", "# nothing\n"}) {
    EXPECT_NE(parse_scenario(text).second, "") << text;
  }
}

}  // namespace
}  // namespace recmeter::scenario
