// A week of a fashion shop (Open Bandit Dataset, men's campaign, small sample): real rows and clicks through the engine.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "gzip_file.h"
#include "recmeter/event/join_key.h"
#include "support/batch_evaluator.h"
#include "support/engine_run.h"
#include "support/parsed_json.h"
#include "support/row_compare.h"
#include "support/shared_data.h"

namespace recmeter::conformance {
namespace {

using support::BatchInput;
using support::EngineResult;
using support::run_engine;

// As configs/obd.yaml has it, and a window that holds the whole week.
EvaluatorSpec obd_spec() {
  EvaluatorSpec spec;
  spec.name = "obd";
  spec.join.horizons = {Duration{30 * 60'000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  constexpr std::int64_t day = 24 * 3'600'000;
  spec.windows = {{.name = "day", .size = {day}, .slide = {day}, .offset = {0}},
                  {.name = "month", .size = {30 * day}, .slide = {30 * day}, .offset = {0}}};
  spec.segments = {{.keys = {"policy"}, .keep = {}}};
  spec.metrics.cutoffs = {1, 3};
  for (const char* name : {"precision", "hit_rate", "mrr", "map_user", "ndcg_list", "recall", "f1", "distinct_items",
                           "empty_list_share", "short_list_share"}) {
    spec.metrics.requests.push_back({.name = name, .as = {}, .options = {}});
  }
  return spec;
}

BatchInput partition(std::string name, std::string bytes) {
  return {std::move(name), std::move(bytes), FieldTable::native(), Duration{60'000}};
}

// Splits lines by what `name_of` says of them; partitions in the order of their names.
template <class NameOf>
std::vector<BatchInput> split(const std::string& bytes, NameOf&& name_of) {
  std::map<std::string, std::string> parts;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) parts[name_of(line)] += line + "\n";
  std::vector<BatchInput> inputs;
  for (auto& [name, part] : parts) inputs.push_back(partition(name, std::move(part)));
  return inputs;
}

std::string kind_of(const std::string& line) {
  return line.find(R"("type":"impression")") != std::string::npos ? "impressions" : "feedback";
}

std::string hour_of(const std::string& line) {
  const auto from = line.find(R"("ts":)") + 5;
  return std::to_string(std::stoll(line.substr(from, 13)) / 3'600'000);
}

class Obd : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = support::shared_data("obd/men.jsonl.gz");
    if (!support::has_shared_data("obd/men.jsonl.gz")) {
      GTEST_SKIP() << "SKIPPED: no Open Bandit data at " << path << "; set RECMETER_SHARED_DATA";
    }
    const std::optional<std::string> bytes = whole_file(path);
    ASSERT_TRUE(bytes);
    bytes_ = *bytes;
    whole_ = {partition("men.jsonl", bytes_)};
  }

  std::string bytes_;
  std::vector<BatchInput> whole_;
  EvaluatorSpec spec_ = obd_spec();
};

TEST_F(Obd, gives_the_rows_and_the_report_of_the_batch_evaluator) {
  const auto expected = support::evaluate_in_batch(spec_, whole_);
  const EngineResult actual = run_engine(spec_, whole_, {.shards = 1, .block_bytes = 1 << 16});
  EXPECT_GT(actual.rows.size(), 20U);
  EXPECT_EQ(support::first_difference(expected.rows, actual.rows, 1e-9), std::nullopt);
  EXPECT_EQ(support::first_difference(expected.report, actual.report), std::nullopt);
  EXPECT_EQ(support::broken_identity(actual.report), std::nullopt);
}

TEST_F(Obd, loses_no_event) {
  const EngineResult result = run_engine(spec_, whole_, {.shards = 1, .block_bytes = 1 << 16});
  EXPECT_EQ(result.report.records, 20'115U);
  EXPECT_EQ(result.report.events.impressions, 20'000U);
  EXPECT_EQ(result.report.events.feedback, 115U);
  EXPECT_EQ(result.report.feedback.credited, 115U);
}

TEST_F(Obd, gives_equal_bytes_for_any_number_of_shards_and_any_blocks) {
  const std::string expected = run_engine(spec_, whole_, {.shards = 1, .block_bytes = 1 << 20}).bytes;
  for (const std::size_t shards : {2U, 8U}) {
    EXPECT_EQ(run_engine(spec_, whole_, {.shards = shards, .block_bytes = 5000, .threads = 2}).bytes, expected) << shards;
  }
}

TEST_F(Obd, gives_equal_bytes_split_into_impressions_and_feedback) {
  // Clicks are hours apart, so that in a file of their own honest ones look like wrong clocks to the future rule, whose own
  // tests are elsewhere: off in both layouts.
  spec_.time.max_step = Duration{0};
  const EngineResult one = run_engine(spec_, whole_, {.shards = 2, .block_bytes = 1 << 16});
  const std::vector<BatchInput> split_inputs = split(bytes_, kind_of);
  ASSERT_EQ(split_inputs.size(), 2U);
  const EngineResult two = run_engine(spec_, split_inputs, {.shards = 2, .block_bytes = 1 << 14});
  EXPECT_EQ(two.bytes, one.bytes);
  EXPECT_EQ(two.report.feedback, one.report.feedback);
}

TEST_F(Obd, gives_equal_bytes_split_by_hour) {
  const EngineResult one = run_engine(spec_, whole_, {.shards = 2, .block_bytes = 1 << 16});
  const std::vector<BatchInput> hours = split(bytes_, hour_of);
  ASSERT_GT(hours.size(), 100U) << "more than are open at once";
  const EngineResult many = run_engine(spec_, hours, {.shards = 2, .block_bytes = 1 << 14});
  EXPECT_EQ(many.report.events.future + many.report.events.late, 0U);
  EXPECT_EQ(many.bytes, one.bytes);
}

// Every user in an arm by a hash of its id: nothing differs, however often it is looked at.
std::string with_arms(const std::string& bytes, std::uint64_t seed) {
  std::string result;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) {
    const std::size_t user = line.find(R"("user_id":")") + 11;
    const std::string id = line.substr(user, line.find('"', user) - user) + std::to_string(seed);
    const std::size_t segments = line.find(R"("segments":{)");
    if (segments != std::string::npos) line.insert(segments + 12, hash_id(id) % 2 == 0 ? R"("arm":"A",)" : R"("arm":"B",)");
    result += line + "\n";
  }
  return result;
}

TEST_F(Obd, has_arms_by_hash_that_are_never_shipped_nor_called_worse) {
  constexpr Duration hour{3'600'000};
  spec_.experiments = {{.name = "a-a",
                        .arms = {.key = "arm", .values = {"A", "B"}},
                        .allocation = {0.5, 0.5},
                        .start = EventTime{1'574'553'600'000 + hour.ms},  // an hour after the log begins
                        .duration = Duration{6 * 24 * hour.ms},
                        .every = hour,
                        .horizon = spec_.join.horizons.front(),
                        .primary = {{.metric = "hit_rate@3", .mde = 0.2}, {.metric = "mrr@3", .mde = 0.2}},
                        .secondary = {{.metric = "precision@1", .mde = 0.2}}}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const EngineResult result = run_engine(spec_, std::vector{partition("men.jsonl", with_arms(bytes_, seed))}, {});
    ASSERT_GT(result.looks.size(), 100U);
    EXPECT_EQ(result.looks.back().look.incomplete, std::vector<std::string>{});
    EXPECT_EQ(result.experiments.find(R"("verdict":"ship")"), std::string::npos) << "seed " << seed;
    EXPECT_EQ(result.experiments.find("worse:"), std::string::npos) << "seed " << seed;
    EXPECT_EQ(result.experiments.find(R"("reason":"incomplete")"), std::string::npos) << "seed " << seed;
  }
}

// Counted plainly from the raw lines: every list shows one slot, at most one click a list.
struct Plain {
  double lists = 0;
  double clicks = 0;
  double clicks_on_first = 0;  // on the first slot
};

std::map<std::string, Plain> plain_counts(const std::string& bytes) {
  std::map<std::string, Plain> of_policy;
  std::map<std::string, std::pair<std::string, int>> lists;  // list id -> policy, position
  std::istringstream in(bytes);
  std::vector<nlohmann::json> clicks;
  for (std::string line; std::getline(in, line);) {
    auto record = support::parsed_json(line);
    if (record.at("type") == "click") {
      clicks.push_back(std::move(record));
      continue;
    }
    const auto policy = record.at("segments").at("policy").get<std::string>();
    lists[record.at("list_id").get<std::string>()] = {policy, record.at("position").get<int>()};
    of_policy[policy].lists += 1;
  }
  for (const auto& click : clicks) {
    const auto& [policy, position] = lists.at(click.at("list_id").get<std::string>());
    of_policy[policy].clicks += 1;
    of_policy[policy].clicks_on_first += position == 1 ? 1 : 0;
  }
  return of_policy;
}

TEST_F(Obd, finds_the_click_through_rate_of_each_policy) {
  const auto plain = plain_counts(bytes_);
  ASSERT_EQ(plain.size(), 2U);
  const EngineResult result = run_engine(spec_, whole_, {.shards = 2, .block_bytes = 1 << 16});
  std::size_t compared = 0;
  for (const Row& row : result.rows) {
    if (row.window != "month" || row.segment.empty()) continue;
    const Plain& expected = plain.at(row.segment.front().second);
    std::map<std::string, double> values;
    for (const MetricValue& metric : row.metrics) values[metric.key] = metric.value.value_or(-1);
    EXPECT_EQ(static_cast<double>(row.lists), expected.lists);
    // A list is one slot at its position, so a click is a hit in the top 3, and one in the top 1 only on the first slot.
    EXPECT_DOUBLE_EQ(values["hit_rate@3"], expected.clicks / expected.lists);
    EXPECT_NEAR(values["precision@3"] * 3, expected.clicks / expected.lists, 1e-9);  // 1/3 is rounded to 2^-32 a list
    EXPECT_DOUBLE_EQ(values["precision@1"], expected.clicks_on_first / expected.lists);
    ++compared;
  }
  EXPECT_EQ(compared, 2U);
}

}  // namespace
}  // namespace recmeter::conformance
