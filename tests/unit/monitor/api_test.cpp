// What clients are told, held against the rows that a run has shown. web/API.md, docs/openapi.yaml.
#include "app/monitor/api.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "recmeter/result/render.h"
#include "support/api_contract.h"
#include "support/parsed_json.h"
#include "unit/monitor/shown_run.h"

namespace recmeter {
namespace {

using nlohmann::json;
using test::minute_ms;
using test::minute_row;
using test::ShownRun;
using test::zero_ms;

using Parameters = std::vector<http::Query::Parameter>;

class ApiTest : public testing::Test {
 protected:
  ApiTest()
      : events_(std::make_shared<http::EventRing>(1, http::EventRing::Bounds{})),
        api_(run_.schema, {.snapshot = [this] { return run_.snapshot.snapshot(); },
                           .kept = &run_.store,
                           .events = events_,
                           .now = [this] { return now_; },
                           .state_bytes = [] { return std::uint64_t{4096}; },
                           .server_counts = {}}) {}

  [[nodiscard]] http::Response ask(const std::string& path, Parameters parameters = {}, const std::string& accept = "") {
    http::Request request;
    request.path = path;
    request.query = http::Query(std::move(parameters));
    request.accept = accept;
    return api_.handle(request);
  }
  // What is answered, as docs/openapi.yaml has it.
  [[nodiscard]] json told(const http::Response& response, const std::string& path) {
    json value = support::parsed_json(*response.body);
    EXPECT_EQ(contract_.faults_of_answer(value, path, response.status), std::vector<std::string>{}) << *response.body;
    return value;
  }
  [[nodiscard]] json get(const std::string& path, Parameters parameters = {}) {
    const http::Response response = ask(path, std::move(parameters));
    EXPECT_EQ(response.status, 200) << *response.body;
    EXPECT_EQ(response.content_type, "application/json");
    return told(response, path);
  }
  // The sentence of a 400.
  [[nodiscard]] std::string complaint(const std::string& path, Parameters parameters) {
    const http::Response response = ask(path, std::move(parameters));
    EXPECT_EQ(response.status, 400) << *response.body;
    EXPECT_EQ(response.content_type, "application/problem+json");
    return told(response, path)["detail"];
  }
  static Parameters minute(Parameters more = {}) {
    Parameters all{{"window", "minute"}, {"metric", "precision@3"}, {"horizon", "30m"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  ShownRun run_;
  EventTime now_{zero_ms};
  std::shared_ptr<http::EventRing> events_;
  Api api_;
  support::ApiContract contract_;
};

TEST_F(ApiTest, joins_what_is_kept_and_what_is_open_to_one_series) {
  for (std::int64_t n = 0; n < 3; ++n) run_.show(minute_row(n, "A"));
  run_.keep();
  run_.show(minute_row(3, "A"));
  run_.show(minute_row(4, "A", Stage::provisional, 0.25));
  run_.show(minute_row(4, "B", Stage::provisional, 0.25));
  run_.stands(ShownRun::status_at(EventTime{zero_ms + 34 * minute_ms}));
  const json series = get("/api/v1/series", minute({{"segment", "variant:A"}}));
  EXPECT_EQ(series["segment"], json({{"variant", "A"}}));
  EXPECT_EQ(series["final_until"], zero_ms + 4 * minute_ms) << "the watermark less the horizon";
  const json& columns = series["columns"];
  EXPECT_EQ(columns["start"].size(), 5U);
  EXPECT_EQ(columns["start"][4], zero_ms + 4 * minute_ms);
  EXPECT_EQ(columns["end"][0], zero_ms + minute_ms);
  EXPECT_EQ(columns["stage"], json({"final", "final", "final", "final", "provisional"}));
  EXPECT_EQ(columns["lists"], json({100, 101, 102, 103, 104}));
  EXPECT_EQ(columns["matured"], json({1, 1, 1, 1, 0.25}));
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_DOUBLE_EQ(columns["value"][n], 0.2 + 0.001 * static_cast<double>(n));
    EXPECT_DOUBLE_EQ(columns["low"][n], columns["value"][n].get<double>() - 0.02);
    EXPECT_EQ(columns["incomplete"][n], json::array());
  }
}

TEST_F(ApiTest, gives_the_windows_that_end_in_the_range) {
  for (std::int64_t n = 0; n < 5; ++n) run_.show(minute_row(n, ""));
  run_.keep();
  for (std::int64_t n = 5; n < 8; ++n) run_.show(minute_row(n, ""));
  const auto ends = [&](std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> out;
    const json series =
        get("/api/v1/series",
            minute({{"from", std::to_string(zero_ms + from * minute_ms)}, {"to", std::to_string(zero_ms + to * minute_ms)}}));
    for (const json& end : series["columns"]["end"]) out.push_back((end.get<std::int64_t>() - zero_ms) / minute_ms);
    return out;
  };
  EXPECT_EQ(ends(2, 4), (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(ends(4, 7), (std::vector<std::int64_t>{5, 6, 7}));
  EXPECT_EQ(ends(8, 20), (std::vector<std::int64_t>{}));
}

TEST_F(ApiTest, gives_windows_as_they_stood_at_a_tenth) {
  for (const double matured : {0.2, 0.65, 0.9}) run_.show(minute_row(0, "", Stage::provisional, matured));
  run_.show(minute_row(0, ""));
  run_.show(minute_row(1, "", Stage::provisional, 0.1));
  run_.keep();
  const json series = get("/api/v1/series", minute({{"matured", "0.6"}}));
  EXPECT_EQ(series["columns"]["start"], json({zero_ms}));
  EXPECT_EQ(series["columns"]["matured"], json({0.65}));
  EXPECT_EQ(series["columns"]["stage"], json({"provisional"}));

  run_.show(minute_row(2, "", Stage::provisional, 0.6));
  run_.show(minute_row(3, "", Stage::provisional, 0.59));
  const json newest = get("/api/v1/series", minute({{"matured", "0.6"}}));
  EXPECT_EQ(newest["columns"]["matured"], json({0.65, 0.6})) << "also what the state does not hold yet";
}

TEST_F(ApiTest, compares_two_segments_by_their_user_groups) {
  for (std::int64_t n = 0; n < 2; ++n) {
    run_.show(minute_row(n, "A"));
    run_.show(minute_row(n, "B"));
  }
  run_.keep();
  run_.show(minute_row(2, "A", Stage::provisional, 0.5));
  run_.show(minute_row(2, "B"));
  run_.show(minute_row(3, "A"));
  const json compared = get("/api/v1/compare", minute({{"a", "variant:B"}, {"b", "variant:A"}}));
  const json& columns = compared["columns"];
  EXPECT_EQ(columns["start"].size(), 3U) << "windows in which both have lists";
  EXPECT_EQ(columns["stage"], json({"final", "final", "provisional"}));
  const Row a = minute_row(0, "A");
  const Row b = minute_row(0, "B");
  const Estimate expected =
      estimate_difference({b.metrics[1].value, *b.metrics[1].left_out}, {a.metrics[1].value, *a.metrics[1].left_out}, 0.95);
  EXPECT_NEAR(columns["difference"][0], 0.1, 1e-12);
  // Both move by the same groups, so nothing is left to doubt; what is kept is kept to seven digits.
  EXPECT_NEAR(*expected.se, 0, 1e-12);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_NEAR(columns["a"][n].get<double>() - columns["b"][n].get<double>(), columns["difference"][n].get<double>(), 1e-12);
  }
}

// Lists weigh: minute n has 100 + n. [S6.21].
TEST_F(ApiTest, compares_two_segments_over_all_final_windows_too) {
  for (std::int64_t n = 0; n < 3; ++n) {
    run_.show(minute_row(n, "A"));
    run_.show(minute_row(n, "B"));
  }
  run_.keep();
  run_.show(minute_row(3, "A", Stage::provisional, 0.5));
  run_.show(minute_row(3, "B", Stage::provisional, 0.5));
  const json compared = get("/api/v1/compare", minute({{"a", "variant:B"}, {"b", "variant:A"}}));
  EXPECT_EQ(compared["valid"], "one_look");
  const json& all = compared["cumulated"];
  EXPECT_EQ(all["windows"], 3) << "what is not final does not count";
  EXPECT_EQ(all["start"], zero_ms);
  EXPECT_EQ(all["end"], zero_ms + 3 * minute_ms);
  EXPECT_EQ(all["a_lists"], 303);
  const double a = (100 * 0.2 + 101 * 0.201 + 102 * 0.202) / 303;
  EXPECT_NEAR(all["b"], a, 1e-12);
  EXPECT_NEAR(all["difference"], 0.1, 1e-12);
  EXPECT_NEAR(all["relative"], 0.1 / a, 1e-12);
  // Both sides move by the same groups: nearly nothing is in doubt, but a ratio of them moves a little.
  EXPECT_LT(all["relative_ci"][0].get<double>(), 0.1 / a);
  EXPECT_GT(all["relative_ci"][1].get<double>(), 0.1 / a);
  const json& columns = compared["columns"];
  EXPECT_NEAR(columns["relative"][0], 0.3 / 0.2 - 1, 1e-12);
}

TEST_F(ApiTest, cumulates_windows_that_overlap_once) {
  for (std::int64_t n = 0; n < 30; ++n) {
    for (const char* variant : {"A", "B"}) {
      Row row = minute_row(0, variant);
      row.window = "hour";
      row.start = EventTime{zero_ms + n * 5 * minute_ms};
      row.end = row.start + Duration{60 * minute_ms};
      run_.show(row);
    }
  }
  run_.keep();
  const json all = get("/api/v1/compare", {{"window", "hour"},
                                           {"metric", "precision@3"},
                                           {"horizon", "30m"},
                                           {"a", "variant:B"},
                                           {"b", "variant:A"}})["cumulated"];
  EXPECT_EQ(all["windows"], 3) << "of 30 that begin five minutes apart: from the newest back";
  EXPECT_EQ(all["end"], zero_ms + (29 * 5 + 60) * minute_ms);
  EXPECT_EQ(all["start"], zero_ms + (29 * 5 - 120) * minute_ms);
}

TEST_F(ApiTest, has_nothing_to_cumulate_where_no_window_is_final) {
  run_.show(minute_row(0, "A", Stage::truncated, 0.5));
  run_.show(minute_row(0, "B", Stage::truncated, 0.5));
  EXPECT_TRUE(get("/api/v1/compare", minute({{"a", "variant:A"}, {"b", "variant:B"}}))["cumulated"].is_null());
}

TEST_F(ApiTest, lets_pages_of_configured_origins_show_it) {
  ApiOptions options{.snapshot = [this] { return run_.snapshot.snapshot(); },
                     .kept = &run_.store,
                     .events = events_,
                     .now = [this] { return now_; },
                     .state_bytes = {},
                     .server_counts = {}};
  options.embed = {"https://grafana.example.org", "http://10.0.0.7:3000"};
  Api api(run_.schema, options);
  http::Request request;
  request.path = "/";
  const std::string policy = api.handle(request).content_security_policy;
  if (policy.find("frame-ancestors") == std::string::npos) GTEST_SKIP() << "built without npm";
  EXPECT_NE(policy.find("frame-ancestors https://grafana.example.org http://10.0.0.7:3000"), std::string::npos) << policy;
  EXPECT_NE(ask("/").content_security_policy.find("frame-ancestors 'none'"), std::string::npos);
}

TEST_F(ApiTest, calls_what_the_end_of_the_log_cut_off_truncated_wherever_it_is_asked) {
  for (std::int64_t n = 0; n < 3; ++n) {
    for (const char* variant : {"A", "B"}) {
      run_.show(n == 2 ? minute_row(n, variant, Stage::truncated, 0.59) : minute_row(n, variant));
    }
  }
  run_.keep();
  const json stages{"final", "final", "truncated"};
  EXPECT_EQ(get("/api/v1/series", minute({{"segment", "variant:A"}}))["columns"]["stage"], stages);
  EXPECT_EQ(get("/api/v1/compare", minute({{"a", "variant:A"}, {"b", "variant:B"}}))["columns"]["stage"], stages);
  const auto starts = [&](const std::string& stage) {
    std::vector<std::int64_t> out;
    const json answer =
        get("/api/v1/windows", {{"window", "minute"}, {"horizon", "30m"}, {"segment", "variant:A"}, {"stage", stage}});
    for (const json& row : answer["rows"]) {
      EXPECT_EQ(row["stage"], stage);
      out.push_back((row["start"].get<std::int64_t>() - zero_ms) / minute_ms);
    }
    return out;
  };
  EXPECT_EQ(starts("final"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(starts("truncated"), (std::vector<std::int64_t>{2}));
}

TEST_F(ApiTest, gives_rows_as_they_are_published_page_by_page) {
  for (std::int64_t n = 0; n < 5; ++n) run_.show(minute_row(n, "A"));
  run_.keep();
  run_.show(minute_row(5, "A", Stage::provisional, 0));
  const Parameters base{{"window", "minute"}, {"horizon", "30m"}, {"segment", "variant:A"}};
  const auto with = [&](Parameters more) {
    more.insert(more.end(), base.begin(), base.end());
    return more;
  };
  const json first = get("/api/v1/windows", with({{"limit", "4"}}));
  EXPECT_EQ(first["rows"].size(), 4U);
  EXPECT_EQ(first["rows"][0], support::parsed_json(render_json(minute_row(0, "A"))));
  const json second = get("/api/v1/windows", with({{"limit", "4"}, {"cursor", first["next"]}}));
  EXPECT_EQ(second["rows"].size(), 2U);
  EXPECT_TRUE(second["next"].is_null());
  EXPECT_EQ(second["rows"][1]["stage"], "provisional");
  EXPECT_EQ(get("/api/v1/windows", with({{"stage", "provisional"}}))["rows"].size(), 1U);
  const json one = get("/api/v1/windows", with({{"metric", "mrr@3"}, {"limit", "6"}}));
  for (const json& row : one["rows"]) {
    ASSERT_EQ(row["metrics"].size(), 1U);
    EXPECT_TRUE(row["metrics"].contains("mrr@3"));
  }
}

TEST_F(ApiTest, says_how_the_run_stands) {
  run_.show(minute_row(0, "A"));
  run_.show(minute_row(1, "", Stage::provisional, 0.5));
  run_.stands(ShownRun::status_at(EventTime{zero_ms + 20 * minute_ms}));
  const json status = get("/api/v1/status");
  EXPECT_EQ(status["schema"], "recmeter.report/1");
  EXPECT_EQ(status["events"]["read"], 90);
  EXPECT_EQ(status["watermark"], zero_ms + 20 * minute_ms);
  EXPECT_EQ(status["held_back_by"], "clicks/0");
  EXPECT_EQ(status["partitions"][0]["lag_records"], 10);
  EXPECT_EQ(status["partitions"][0]["lag_seconds"], 4.0);
  EXPECT_EQ(status["partitions"][0]["idle"], false);
  EXPECT_EQ(status["state"]["bytes"], 4096);
  EXPECT_EQ(status["evaluator"]["windows"][1], json({{"name", "hour"}, {"size_ms", 3'600'000}, {"slide_ms", 300'000}}));
  EXPECT_EQ(status["evaluator"]["metrics"], json({"precision@1", "precision@3", "mrr@1", "mrr@3"}));
  EXPECT_EQ(status["evaluator"]["segments"][0]["values"], json::array({{{"variant", "A"}}}));
  EXPECT_EQ(status["evaluator"]["segments"][1]["keys"], json({"variant", "surface"}));
  ASSERT_EQ(status["waiting"].size(), 1U);
  EXPECT_EQ(status["waiting"][0]["final_at"], zero_ms + 32 * minute_ms);
  EXPECT_EQ(status["waiting"][0]["needs_ms"], 12 * minute_ms);
  EXPECT_EQ(status["waiting"][0]["why"], "12m of event time to go; the watermark is that of clicks/0");
  EXPECT_EQ(status["ready"], true);
  const std::string event = *api_.snapshot().text;
  const std::size_t at = event.find("data: ") + 6;
  const json snapshot = support::parsed_json(event.substr(at, event.find('\n', at) - at));
  EXPECT_EQ(contract_.faults(snapshot["status"], "Status"), std::vector<std::string>{});
}

TEST_F(ApiTest, says_so_before_there_is_a_run) {
  const json status = get("/api/v1/status");
  EXPECT_TRUE(status["watermark"].is_null());
  EXPECT_TRUE(status["held_back_by"].is_null());
}

TEST_F(ApiTest, tells_whether_the_run_is_alive_and_ready) {
  EXPECT_EQ(ask("/readyz").status, 503) << "it has not begun";
  EXPECT_EQ(told(ask("/readyz"), "/readyz")["ready"], false);
  EXPECT_EQ(ask("/livez").status, 200);
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  run_.stands(status);
  now_ = status.now;
  EXPECT_EQ(ask("/readyz").status, 200);
  status.is_held = true;
  run_.stands(status);
  EXPECT_EQ(ask("/readyz").status, 503);
  EXPECT_EQ(ask("/livez").status, 200);
  now_ = status.now + Duration{60'001};
  EXPECT_EQ(ask("/livez").status, 503) << "nothing was heard of it for a minute";
}

TEST_F(ApiTest, tells_probes_how_the_run_is_and_nothing_else) {
  Probes probes([this] { return run_.snapshot.snapshot(); }, [this] { return now_; });
  const auto probe = [&](const char* path) {
    http::Request request;
    request.path = path;
    return probes.handle(request);
  };
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  status.is_held = true;
  run_.stands(status);
  now_ = status.now;
  const http::Response ready = probe("/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(*ready.body, R"({"ready":false})") << "reasons name topics, and are for those who have the token";
  EXPECT_EQ(*probe("/livez").body, R"({"alive":true})");
  status.is_held = false;
  run_.stands(status);
  EXPECT_EQ(probe("/readyz").status, 200);
  for (const char* path : {"/", "/metrics", "/api/v1/status", "/api/v1/stream", "/api/v1/windows"}) {
    EXPECT_EQ(probe(path).status, 404) << path;
  }
  now_ = status.now + Duration{60'001};
  EXPECT_EQ(probe("/livez").status, 503);
}

TEST_F(ApiTest, says_what_a_request_should_have_been) {
  EXPECT_EQ(complaint("/api/v1/series", {{"metric", "mrr@1"}}), "window=: name one of minute, hour");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"segment", "place:x"}})),
            "segment=place:x: rows have segments by nothing, variant, variant, surface");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"segment", "variant"}})).substr(0, 35),
            "segment=variant: write key:value, s");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"from", "yesterday"}})), "from=yesterday: write milliseconds since 1970");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"matured", "0.65"}})), "matured=0.65: write a tenth from 0.1 to 0.9");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"metric", "mrr@1"}})), "metric=precision@3: given more than once");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"k", "3"}})).substr(0, 33), "k=3: unknown parameter; known are");
  EXPECT_EQ(complaint("/api/v1/series", {{"window", "minute"}, {"metric", "ndcg@1"}, {"horizon", "30m"}}),
            "metric=ndcg@1: name one of precision@1, precision@3, mrr@1, mrr@3");
  EXPECT_EQ(complaint("/api/v1/series", {{"window", "minute"}, {"metric", "precison@3"}, {"horizon", "30m"}}),
            "metric=precison@3: did you mean `precision@3`?");
  EXPECT_EQ(complaint("/api/v1/series", minute({{"horizn", "30m"}})),
            "horizn=30m: unknown parameter; did you mean `horizon`?");
  EXPECT_EQ(complaint("/api/v1/windows", {{"window", "minute"}, {"horizon", "2h"}}), "horizon=2h: name one of 30m, 1m");
  EXPECT_EQ(complaint("/api/v1/windows", {{"window", "minute"}, {"horizon", "1m"}, {"limit", "0"}}),
            "limit=0: write a number from 1 to 1000");
  EXPECT_EQ(complaint("/api/v1/windows", {{"window", "minute"}, {"horizon", "1m"}, {"stage", "done"}}),
            "stage=done: name one of final, provisional, truncated");
  EXPECT_EQ(ask("/nowhere").status, 404);
}

TEST_F(ApiTest, has_definitions_contract_and_page) {
  const json definitions = get("/api/v1/definitions");
  EXPECT_EQ(definitions["definitions"].size(), 4U);
  EXPECT_EQ(definitions["definitions"][1]["key"], "precision@3");
  EXPECT_EQ(definitions["definitions"][1]["name"], "precision");
  const http::Response contract = ask("/api/v1/openapi.yaml");
  for (const char* path : {"/api/v1/series:", "/api/v1/compare:", "/api/v1/windows:", "/api/v1/status:",
                           "/api/v1/definitions:", "/api/v1/stream:", "/metrics:", "/livez:", "/readyz:"}) {
    EXPECT_NE(contract.body->find(std::string("\n  ") + path), std::string::npos) << path;
  }
  run_.show(minute_row(0, "<script>"));
  const http::Response page = ask("/");
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_EQ(page.body->find("<script>,"), std::string::npos);
  EXPECT_TRUE(ask("/api/v1/stream").is_stream);
  EXPECT_NE(api_.snapshot().text->find(R"({"status":{"schema")"), std::string::npos);
}

TEST_F(ApiTest, has_looks_at_an_experiment_on_the_scale_of_the_newest) {
  ExperimentRow few = test::look_row(1, 0.01);
  for (MetricRow& metric : few.metrics) {
    metric.comparisons[0].comparison->relative.reset();
    metric.comparisons[0].comparison->is_few = true;
    metric.comparisons[0].comparison->absolute = {.value = -0.3, .ci = {}, .cs = Interval{-0.4, -0.2}};
  }
  run_.snapshot.take(render(few));
  run_.show(minute_row(0, "A"));
  run_.stands(ShownRun::status_at(EventTime{zero_ms}));
  EXPECT_EQ(get("/api/v1/experiments/ranker-7")["columns"]["difference"], json::parse("[-0.3]"));
  EXPECT_EQ(get("/api/v1/experiments/ranker-7")["columns"]["cs_high"], json::parse("[-0.2]"));
  run_.snapshot.take(render(test::look_row(2, 0.02)));
  run_.show(minute_row(1, "A"));
  run_.stands(ShownRun::status_at(EventTime{zero_ms}));
  EXPECT_EQ(get("/api/v1/experiments/ranker-7")["columns"]["difference"], json::parse("[null,0.02]"));
  EXPECT_EQ(get("/api/v1/experiments/ranker-7")["columns"]["cs_high"], json::parse("[null,0.3]"));
}

TEST_F(ApiTest, has_the_newest_look_of_each_experiment_and_one_comparison_over_all) {
  EXPECT_EQ(get("/api/v1/experiments"), json::parse(R"({"experiments":[]})"));
  EXPECT_EQ(complaint("/api/v1/experiments/ranker-7", {}), "no experiment has had a look yet");
  // A run that goes on gives those that were there again.
  for (const std::int64_t look : {1, 2, 1, 2, 3})
    run_.snapshot.take(render(test::look_row(look, 0.01 * static_cast<double>(look))));
  run_.show(minute_row(0, "A"));
  run_.show(minute_row(0, "B"));
  run_.stands(ShownRun::status_at(EventTime{zero_ms}));
  const json all = get("/api/v1/experiments");
  ASSERT_EQ(all["experiments"].size(), 1U);
  EXPECT_EQ(all["experiments"][0]["look"], 3);
  const json one = get("/api/v1/experiments/ranker-7");
  EXPECT_EQ(one["metric"], "precision@3");
  EXPECT_EQ(one["arm"], "B");
  EXPECT_EQ(one["columns"]["look"], json::parse("[1,2,3]"));
  EXPECT_EQ(one["columns"]["difference"], json::parse("[0.01,0.02,0.03]"));
  EXPECT_EQ(one["columns"]["cs_low"], json::parse("[-0.2,-0.2,-0.2]"));
  EXPECT_EQ(one["columns"]["counts"], json::parse(R"(["hold","hold","hold"])"));
  EXPECT_EQ(one["columns"]["counts_reason"], one["columns"]["reason"]);
  EXPECT_EQ(one["columns"]["counts_at"], one["columns"]["end"]);
  EXPECT_EQ(all["experiments"][0]["counts"]["at"], one["columns"]["end"][2]);
  EXPECT_EQ(one["columns"]["users"], json::parse(R"({"A":[100,100,100],"B":[100,100,100]})"));
  const std::string second = std::to_string(zero_ms + 120 * minute_ms);
  EXPECT_EQ(get("/api/v1/experiments/ranker-7", {{"metric", "mrr@3"}, {"from", second}})["columns"]["look"],
            json::parse("[2,3]"));
  EXPECT_EQ(complaint("/api/v1/experiments/ranker-7", {{"metric", "ndcg@3"}}),
            "metric=ndcg@3: name one of precision@3, mrr@3");
  EXPECT_EQ(complaint("/api/v1/experiments/ranker-7", {{"metric", "reciprocal_rank@3"}}),
            "metric=reciprocal_rank@3: did you mean `mrr@3`?");
  EXPECT_EQ(complaint("/api/v1/experiments/ranker-7", {{"arm", "A"}}), "arm=A: name one of B");
  EXPECT_EQ(complaint("/api/v1/experiments/other", {}), "experiment=other: name one of ranker-7");
  const json compared = get("/api/v1/compare", minute({{"a", "variant:B"}, {"b", "variant:A"}}));
  EXPECT_EQ(compared["experiment"], "ranker-7");
  EXPECT_FALSE(get("/api/v1/compare", minute({{"a", "variant:B"}, {"b", ""}})).contains("experiment"));
}

}  // namespace
}  // namespace recmeter
