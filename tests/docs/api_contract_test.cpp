// docs/openapi.yaml against rows: what is published is told of, and what is told is published. The answers of the API are
// held against it in tests/unit/monitor.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "docs/page.h"
#include "recmeter/result/render.h"
#include "support/api_contract.h"
#include "support/parsed_json.h"

namespace recmeter::docs {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

class ApiContractTest : public testing::Test {
 protected:
  // Has every member that a row may have.
  static json full_row() {
    Row row;
    row.evaluator = "default";
    row.config = "0123456789abcdef";
    row.window = "minute";
    row.segment = {{"variant", "A"}};
    row.stage = Stage::provisional;
    row.revision = 3;
    row.matured = 0.5;
    row.incomplete = {"start", "gap", "late_after_idle", "future_by_clock", "distinct_items"};
    row.feedback = {{"click", 1, 0}};
    row.metrics.push_back({.key = "ndcg_list@10",
                           .definition_id = "ndcg_list{gain=exp2}",
                           .value = 0.5,
                           .se = 0.1,
                           .ci = {{0.4, 0.6}},
                           .has_evidence = true,
                           .given_relevant = 0.5,
                           .relevant_share = 1});
    row.metrics.push_back(
        {.key = "distinct_items@10", .value = {}, .se = {}, .ci = {}, .given_relevant = {}, .relevant_share = {}});
    return support::parsed_json(render_json(row));
  }
  // Has every member that the report of a run may have.
  static json full_report() {
    Report report;
    EventCounts::for_each([](std::uint64_t& count) { count = 1; }, report.events);
    report.feedback.returned_late = 1;
    report.feedback.without_value = 1;
    report.lanes.resize(2);
    report.lanes.front().counts.unpaired = 1;
    report.lanes.back().is_policy = true;
    report.invalid_reasons.fill(1);
    PartitionReport& partition = report.partitions.emplace_back();
    partition.events = report.events;
    partition.is_sorted = true;
    report.tzdata = "2026a";
    report.gap_at_end = GapAtEnd{.partition = "b.jsonl", .records = 12, .step = Duration{60'000}, .to = {}, .rows = 4};
    report.warnings = {"no feedback was credited"};
    return support::parsed_json(render_json(report));
  }
  [[nodiscard]] Texts faults(const json& row) const { return contract_.faults(row, "Row"); }

  support::ApiContract contract_;
};

TEST_F(ApiContractTest, has_no_schema_that_says_nothing) {
  EXPECT_EQ(contract_.bare_schemas(), Texts{});
}

TEST_F(ApiContractTest, tells_of_the_rows_that_were_ever_published) {
  std::ifstream rows(RECMETER_SOURCE_DIR "/tests/golden/rows.jsonl");
  std::size_t count = 0;
  for (std::string line; std::getline(rows, line); ++count) EXPECT_EQ(faults(support::parsed_json(line)), Texts{}) << line;
  EXPECT_GT(count, 10U);
}

TEST_F(ApiContractTest, tells_of_every_member_of_a_row) {
  EXPECT_EQ(faults(full_row()), Texts{});
  EXPECT_EQ(faults(support::parsed_json(Page("docs/rows.md").blocks("json").at(0))), Texts{});
}

TEST_F(ApiContractTest, wants_every_member_that_all_rows_have) {
  const json full = full_row();
  for (const auto& [name, value] : full.items()) {
    json less = full;
    less.erase(name);
    EXPECT_EQ(faults(less), Texts{"Row has no " + name});
  }
  for (const char* name : {"value", "se", "ci"}) {
    json less = full;
    less["metrics"]["ndcg_list@10"].erase(name);
    EXPECT_EQ(faults(less), Texts{std::string("Row.metrics.ndcg_list@10 has no ") + name});
  }
}

TEST_F(ApiContractTest, tells_of_every_member_of_a_report) {
  Texts untold = contract_.faults(full_report(), "Status");
  std::erase_if(untold, [](const std::string& fault) { return !fault.ends_with("is not told of"); });  // a run adds members
  EXPECT_EQ(untold, Texts{});
}

TEST_F(ApiContractTest, lets_nothing_else_into_a_row) {
  const auto with = [](const char* place, const json& value) {
    json row = full_row();
    row[json::json_pointer(place)] = value;
    return row;
  };
  EXPECT_EQ(faults(with("/more", 1)), Texts{"Row.more is not told of"});
  EXPECT_EQ(faults(with("/metrics/ndcg_list@10/more", 1)), Texts{"Row.metrics.ndcg_list@10.more is not told of"});
  EXPECT_EQ(faults(with("/lists", nullptr)), Texts{"Row.lists is null"});
  EXPECT_EQ(faults(with("/lists", -1)), Texts{"Row.lists is too small"});
  EXPECT_EQ(faults(with("/lists", 1.5)), Texts{"Row.lists is no integer"});
  EXPECT_EQ(faults(with("/matured", 1.5)), Texts{"Row.matured is too large"});
  EXPECT_EQ(faults(with("/stage", "done")), Texts{"Row.stage may not be done"});
  EXPECT_EQ(faults(with("/config", "x")), Texts{"Row.config has not the form of one: x"});
  EXPECT_EQ(faults(with("/segment/variant", 1)), Texts{"Row.segment.variant is no string"});
  EXPECT_EQ(faults(with("/incomplete/0", "rain")), Texts{"Row.incomplete[0] may not be rain"});
  EXPECT_EQ(faults(with("/metrics/ndcg_list@10/ci", json::array({0.5}))), Texts{"Row.metrics.ndcg_list@10.ci is too short"});
}

}  // namespace
}  // namespace recmeter::docs
