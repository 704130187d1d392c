#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "recmeter/result/read_row.h"
#include "recmeter/result/render.h"
#include "unit/result/rows.h"

namespace recmeter {
namespace {

using Json = nlohmann::ordered_json;

TEST(RenderJson, writes_the_documented_row_byte_for_byte) {
  EXPECT_EQ(render_json(test::documented_row()),
            R"({"schema":"recmeter.window/1","evaluator":"default","config":"9f2c51d07be3a810","window":"minute",)"
            R"("start":1700000040000,"end":1700000100000,"start_utc":"2023-11-14T22:14:00Z","horizon":"30m",)"
            R"("segment":{"variant":"A"},"stage":"final","revision":null,"matured":1,"incomplete":[],"lists":1234,)"
            R"("feedback":{"click":{"credited":310,"repeated":12},"purchase":{"credited":9,"repeated":0}},)"
            R"("metrics":{"precision@10":{"value":0.0251,"se":0.0006,"ci":[0.0239,0.0263],"given_relevant":0.11,)"
            R"("relevant_share":0.228},"distinct_items@10":{"value":5120,"se":null,"ci":null}}})");
}

TEST(RenderKey, of_an_evaluators_rows_and_of_no_others_begin_alike) {
  for (const char* name : {"shop", "a \"quoted\",name", "\xC3\xA9"}) {
    Row row = test::bare_row();
    row.evaluator = name;
    EXPECT_TRUE(render_key(row).starts_with(render_key_start(name))) << render_key(row);
    row.evaluator += "2";
    EXPECT_FALSE(render_key(row).starts_with(render_key_start(name))) << render_key(row);
  }
}

TEST(RenderJson, says_null_for_what_does_not_exist) {
  Row row = test::bare_row();
  MetricValue metric = test::without_interval("ndcg_list@5", std::nullopt);
  metric.has_evidence = true;
  row.metrics = {metric};
  const Json json = Json::parse(render_json(row));
  EXPECT_EQ(json["metrics"]["ndcg_list@5"].dump(),
            R"({"value":null,"se":null,"ci":null,"given_relevant":null,"relevant_share":null})");
  EXPECT_EQ(json["segment"].dump(), "{}");
  EXPECT_EQ(json["feedback"].dump(), "{}");
}

TEST(RenderJson, says_why_an_estimate_has_no_value_and_is_read_again) {
  Row row = test::bare_row();
  MetricValue refused = test::without_interval("snips@5", std::nullopt);
  refused.has_evidence = true;
  refused.refused = "ess_users";
  MetricValue suspect = test::without_interval("ips@5", 0.25);
  suspect.has_evidence = true;
  suspect.definition_id = "ips{action=click}";
  suspect.is_suspect = true;
  row.metrics = {refused, suspect};
  const std::string text = render_json(row);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["metrics"]["snips@5"].dump(),
            R"({"value":null,"se":null,"ci":null,"given_relevant":null,"relevant_share":null,"refused":"ess_users"})");
  EXPECT_EQ(json["metrics"]["ips@5"].dump(),
            R"({"value":0.25,"se":null,"ci":null,"given_relevant":null,"relevant_share":null,)"
            R"("definition":"ips{action=click}","suspect":"propensities"})");
  const auto read = read_row(text);
  ASSERT_TRUE(read) << read.error().context;
  EXPECT_EQ(render_json(*read), text);
}

TEST(RenderJson, carries_stage_revision_maturity_and_reasons) {
  Row row = test::bare_row();
  row.stage = Stage::provisional;
  row.revision = 7;
  row.matured = 0.25;
  row.incomplete = {"start", "gap"};
  const Json json = Json::parse(render_json(row));
  EXPECT_EQ(json["stage"], "provisional");
  EXPECT_EQ(json["revision"], 7);
  EXPECT_EQ(json["matured"], 0.25);
  EXPECT_EQ(json["incomplete"], Json({"start", "gap"}));
}

TEST(RenderJson, keeps_segments_apart_from_syntax) {
  Row row = test::bare_row();
  row.segment = {{"ke\"y", "\\(none)\n\x01"}, {"b", "\u2028{}"}, {"", "日本"}};
  const std::string text = render_json(row);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const Json json = Json::parse(text);
  for (const auto& [key, value] : row.segment) EXPECT_EQ(json["segment"][key], value);
}

TEST(RenderJson, does_not_lose_large_counts) {
  Row row = test::bare_row();
  row.lists = 18'446'744'073'709'551'615U;
  EXPECT_EQ(Json::parse(render_json(row))["lists"].get<std::uint64_t>(), row.lists);
}

Report filled_report() {
  Report report;
  report.complete = false;
  report.records = 12;
  report.events = {1, 2, 3, 4, 5, {0, 2, 4, 6, 8, 10, 12, 14}, 7, 8, 9, 10, 11};
  report.feedback = {1, 2, 3, 4, 5, 6};
  report.lists = 13;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::bad_propensity)] = 2;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::not_json)] = 1;
  report.partitions = {
      {"logs/a\xff.jsonl", 5, {11, 10, 9, 8, 7, {6}, 5, 4, 3, 2, 1}, EventTime{1700000040000}, {{30}, {2}, {29}}},
      {"stdin", 0, {}, std::nullopt, {}}};
  report.rows_final = 3;
  report.rows_truncated = 2;
  report.rows_provisional = 1;
  report.sums_bytes_max = 14;
  report.exposure_bytes_max = 15;
  report.popularity_bytes_max = 16;
  report.wall_seconds = 1.25;
  report.events_per_second = 1e6;
  return report;
}

TEST(RenderReport, has_the_documented_keys_in_their_order) {
  const std::string text = render_json(filled_report());
  EXPECT_EQ(
      Json::parse(text).dump(),
      R"({"schema":"recmeter.report/1","complete":false,"records":12,)"
      R"("events":{"read":1,"invalid":2,"ignored":3,"future":4,"late":5,"duplicate":56,)"
      R"("duplicates":{"again":0,"nothing_new":2,"taken":4,"shown":6,"late_row":8,"full":10,"once":12,"line":14},"impressions":7,"feedback":8,)"
      R"("undecided":9,"late_after_idle":10,"future_by_clock":11},)"
      R"("feedback":{"credited":1,"repeated":2,"organic":3,"not_in_list":4,"unmatched":5,"pending":6},)"
      R"("lists":13,"invalid_reasons":{"not_json":1,"bad_propensity":2},)"
      R"("partitions":[{"name":"logs/a)"
      "\ufffd"
      R"(.jsonl","records":5,)"
      R"("events":{"read":11,"invalid":10,"ignored":9,"future":8,"late":7,"duplicate":6,)"
      R"("duplicates":{"again":6,"nothing_new":0,"taken":0,"shown":0,"late_row":0,"full":0,"once":0,"line":0},"impressions":5,"feedback":4,)"
      R"("undecided":3,"late_after_idle":2,"future_by_clock":1},)"
      R"("watermark":1700000040000,"disorder":{"max":30,"p50":2,"p999":29}},)"
      R"({"name":"stdin","records":0,)"
      R"("events":{"read":0,"invalid":0,"ignored":0,"future":0,"late":0,"duplicate":0,)"
      R"("duplicates":{"again":0,"nothing_new":0,"taken":0,"shown":0,"late_row":0,"full":0,"once":0,"line":0},"impressions":0,"feedback":0,)"
      R"("undecided":0,"late_after_idle":0,"future_by_clock":0},)"
      R"("watermark":null,"disorder":{"max":0,"p50":0,"p999":0}}],)"
      R"("rows":{"final":3,"truncated":2,"provisional":1},"sums_bytes_max":14,)"
      R"("exposure_bytes_max":15,"popularity_bytes_max":16,"wall_seconds":1.25,"events_per_second":1000000})");
}

TEST(RenderReport, leaves_out_of_members_that_are_0_those_of_the_contract_alone) {  // [I5.6]
  Report report;
  report.partitions = {{"a", 0, {}, std::nullopt, {}}};
  report.lanes = {{.name = "B", .counts = {}}, {.name = "P", .is_policy = true, .counts = {}}};
  const auto without = Json::parse(render_json(report));
  report.events.candidates = report.partitions[0].events.candidates = 1;
  report.events.policies = report.partitions[0].events.policies = 1;
  report.feedback.returned_late = report.feedback.without_value = 1;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::not_json)] = 1;
  for (LaneReport& lane : report.lanes) lane.counts.unpaired = 1;
  std::vector<std::string> more;
  for (const Json& change : Json::diff(without, Json::parse(render_json(report)))) {
    EXPECT_EQ(change["op"], "add") << change;
    EXPECT_EQ(change["value"], 1) << change;
    more.push_back(change["path"]);
  }
  std::ranges::sort(more);
  EXPECT_EQ(more, (std::vector<std::string>{"/events/candidates", "/events/policies", "/invalid_reasons/not_json",
                                            "/lanes/0/unpaired", "/lanes/1/unpaired", "/partitions/0/events/candidates",
                                            "/partitions/0/events/policies", "/returned_late", "/without_value"}));
}

TEST(RenderReport, has_warnings_where_there_are_any) {
  Report report = filled_report();
  EXPECT_FALSE(Json::parse(render_json(report)).contains("warnings"));
  report.warnings = {"one", "another"};
  EXPECT_EQ(Json::parse(render_json(report))["warnings"], Json({"one", "another"}));
}

TEST(RenderReport, has_the_gap_that_holds_rows_back) {
  Report report = filled_report();
  const EventTime to{1'700'000'000'000};
  report.gap_at_end = GapAtEnd{.partition = "b.jsonl", .records = 12, .step = Duration{60'000}, .to = to, .rows = 0};
  EXPECT_FALSE(Json::parse(render_json(report)).contains("gap_at_end")) << "no row would be final without it";
  report.gap_at_end->rows = 4;
  EXPECT_EQ(Json::parse(render_json(report))["gap_at_end"].dump(),
            R"({"partition":"b.jsonl","records":12,"step":60000,"to":1700000000000,"rows":4})");
}

TEST(RenderReport, is_indented_and_ends_its_last_line) {
  Report report;
  report.partitions = {{"a", 0, {}, std::nullopt, {}}};
  const std::string text = render_json(report);
  EXPECT_TRUE(text.starts_with("{\n  \"schema\": \"recmeter.report/1\",\n  \"complete\": true,\n")) << text;
  EXPECT_NE(text.find("\n  \"invalid_reasons\": {},\n  \"partitions\": [\n    {\n      \"name\": \"a\",\n"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("\n  \"events_per_second\": 0\n}\n")) << text;
}

}  // namespace
}  // namespace recmeter
