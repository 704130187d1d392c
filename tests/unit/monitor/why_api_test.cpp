// The API says why a metric changed, by the sums that a run keeps. web/API.md, docs/openapi.yaml.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "app/monitor/api.h"
#include "app/why/why_run.h"
#include "recmeter/live/kept_sums.h"
#include "support/api_contract.h"
#include "support/parsed_json.h"
#include "unit/monitor/shown_run.h"

namespace recmeter {
namespace {

using nlohmann::json;
using test::minute_ms;
using test::minute_row;
using test::ShownRun;

using Parameters = std::vector<http::Query::Parameter>;

Config explained_config() {
  Config config = test::shown_config();
  config.spec.attribution = AttributionSpec{.windows = {"minute"}, .keep = Duration{20 * minute_ms}};
  return config;
}

// `hits` lists of 60 have something, all at rank 1, of as many users.
Row row_of(std::int64_t n, std::uint64_t hits) {
  Row row = minute_row(n, "");
  row.lists = 60;
  MetricValue& metric = row.metrics.at(3);
  metric.value = metric.relevant_share = static_cast<double>(hits) / 60;
  metric.given_relevant = 1;
  GroupSums sums;
  for (std::size_t g = 0; g < 60; ++g) {
    sums.lists[g] = 1;
    sums.evidence[g] = g < hits ? 1 : 0;
    sums.value[g] = g < hits ? to_q32(1) : 0;
  }
  metric.group_sums = std::make_shared<GroupSums>(sums);
  return row;
}

class WhyApi : public testing::Test {
 protected:
  WhyApi() : schema_(*published_schema_of(explained_config(), "1.2.3")) {
    KeptSums sums(schema_.attribution->keep);
    for (const Row& row : rows_) sums.note(row);
    StateBatch batch;
    sums.save(batch, rows_.back().end + rows_.back().horizon);
    EXPECT_TRUE(run_.store.write(batch, StateStore::Durability::process));
    api_ = make(schema_);
  }
  [[nodiscard]] std::unique_ptr<Api> make(const PublishedSchema& schema, bool is_opening = false) {
    return std::make_unique<Api>(schema, ApiOptions{.snapshot = [this] { return run_.snapshot.snapshot(); },
                                                    .kept = &run_.store,
                                                    .is_opening = is_opening,
                                                    .events = std::make_shared<http::EventRing>(1, http::EventRing::Bounds{}),
                                                    .now = [] { return EventTime{0}; },
                                                    .state_bytes = {},
                                                    .server_counts = {}});
  }
  static http::Response ask(Api& api, Parameters parameters) {
    http::Request request;
    request.path = "/api/v1/why";
    request.query = http::Query(std::move(parameters));
    return api.handle(request);
  }
  [[nodiscard]] json told(const http::Response& response) {
    json value = support::parsed_json(*response.body);
    EXPECT_EQ(contract_.faults_of_answer(value, "/api/v1/why", response.status), std::vector<std::string>{})
        << *response.body;
    return value;
  }
  // The sentence of an answer that is none.
  [[nodiscard]] std::string refusal(int status, Parameters parameters) {
    const http::Response response = ask(*api_, std::move(parameters));
    EXPECT_EQ(response.status, status) << *response.body;
    EXPECT_EQ(response.content_type, "application/problem+json");
    return told(response)["detail"];
  }

  std::vector<Row> rows_{row_of(0, 40), row_of(1, 41), row_of(2, 20)};
  ShownRun run_;
  PublishedSchema schema_;
  std::unique_ptr<Api> api_;
  support::ApiContract contract_;
};

TEST_F(WhyApi, says_what_the_command_says_of_the_same_rows) {
  const http::Response response = ask(*api_, {{"metric", "mrr@3"}});
  ASSERT_EQ(response.status, 200) << *response.body;
  EXPECT_EQ(response.content_type, "application/json");
  const json answer = told(response);
  const why::Request request{.metric = "mrr@3"};
  why::KeptMeans means(request.metric, keep_rule_of(request));
  for (const Row& row : rows_) means.add(row);
  const auto expected = answer_of(request, *change_of(means, request), schema_.why_rules.at("mrr@3"), 8);
  EXPECT_EQ(*response.body, json_of(expected, 0));
  EXPECT_EQ(answer["b"]["start"], rows_[2].start.ms);
  EXPECT_EQ(answer["a"]["start"], rows_[1].start.ms) << "there is none a day before";
  EXPECT_EQ(answer["may_be_chance"], false);
  EXPECT_FALSE(answer["ci"].is_null());

  const http::Response text = ask(*api_, {{"metric", "mrr@3"}, {"format", "text"}, {"columns", "40"}});
  EXPECT_EQ(text.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(*text.body, text_of(expected, 40));
}

TEST_F(WhyApi, takes_the_windows_that_are_asked_for) {
  const std::string at = std::to_string(rows_[1].end.ms);
  const json by_then = told(ask(*api_, {{"metric", "mrr@3"}, {"window", "minute"}, {"at", at}, {"top", "0"}}));
  EXPECT_EQ(by_then["b"]["start"], rows_[1].start.ms);
  EXPECT_EQ(by_then["a"]["start"], rows_[0].start.ms);
  EXPECT_EQ(by_then["may_be_chance"], true);
  for (const std::string& against : {std::string("2m"), std::to_string(rows_[0].end.ms)}) {
    const json before = told(ask(*api_, {{"metric", "mrr@3"}, {"against", against}}));
    EXPECT_EQ(before["a"]["start"], rows_[0].start.ms) << against;
  }
}

TEST_F(WhyApi, says_what_a_request_should_have_been) {
  EXPECT_NE(refusal(404, {{"metric", "mrr@3"}, {"window", "hour"}}).find("attribution.windows names minute"),
            std::string::npos);
  EXPECT_NE(refusal(404, {{"metric", "mrr@3"}, {"at", "1000"}}).find("ends by then"), std::string::npos);
  EXPECT_NE(refusal(404, {{"metric", "mrr@3"}, {"against", "3h"}}).find("with window, at and against"), std::string::npos);
  EXPECT_NE(refusal(404, {{"metric", "mrr@1"}}).find("wait for one"), std::string::npos) << "nothing is kept of it";
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"window", "week"}}).find("name one of minute, hour"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@7"}}).find("metric=mrr@7"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"against", "soon"}}).find("against=soon"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"at", "soon"}}).find("at=soon"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"top", "many"}}).find("top=many"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"format", "xml"}}).find("json, text"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"windows", "minute"}}).find("did you mean `window`"), std::string::npos);
  EXPECT_NE(refusal(400, {{"metric", "mrr@3"}, {"key", "variant"}}).find("key, a and b go together"), std::string::npos);
}

TEST_F(WhyApi, of_a_run_that_keeps_nothing_says_how_it_would) {
  api_ = make(run_.schema);
  EXPECT_NE(refusal(404, {{"metric", "mrr@3"}}).find("write attribution: {windows: [...]}"), std::string::npos);
}

TEST_F(WhyApi, answers_once_the_state_is_open) {
  const auto opening = make(schema_, true);
  EXPECT_EQ(ask(*opening, {{"metric", "mrr@3"}}).status, 503);
}

}  // namespace
}  // namespace recmeter
