#include "app/monitor/api.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/definitions/metric_text.h"
#include "app/monitor/documents.h"
#include "app/monitor/experiment_documents.h"
#include "app/monitor/metrics_page.h"
#include "app/monitor/openapi.h"
#include "app/monitor/plain_page.h"
#include "app/monitor/process_facts.h"
#include "app/monitor/status_text.h"
#include "app/monitor/why_document.h"
#include "recmeter/http/accept.h"
#include "recmeter/web/page.h"

namespace recmeter {

namespace {

using http::Request;
using http::Response;

constexpr std::string_view experiments_path = "/api/v1/experiments/";
constexpr Duration stalled = one_minute;  // without a word from the run

Response json_response(std::string body, int status = 200) {
  return {.status = status, .content_type = "application/json", .body = http::make_body(std::move(body))};
}

Response problem_of(const Error& error) {
  if (error.code == Errc::config_invalid) return http::problem(400, "Bad request", error.context);
  if (error.code == Errc::input_missing) return http::problem(404, "Not found", error.context);
  return http::problem(500, "Internal error", error.context);
}

Response not_open() {
  Response response = http::problem(503, "Not open yet", "the state is not open, so there are no rows; /readyz says why");
  response.headers.emplace_back("Retry-After", "5");
  return response;
}

// A broker that is down does not make a run dead: it goes on as soon as there is one.
Response health_of(const LiveSnapshot& snapshot, EventTime now, bool is_ready, bool with_reasons) {
  const bool is_stalled = snapshot.status && now - snapshot.status->now > stalled;
  const bool is_well = !is_stalled && (!is_ready || recmeter::is_ready(snapshot));
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member(is_ready ? "ready" : "alive", is_well);
  if (with_reasons) {
    json.begin_array("reasons");
    for (const std::string& reason : snapshot.reasons) json.string(reason);
    if (is_stalled) json.string("the run has not said anything for a minute");
    json.end_array();
  }
  json.end_object();
  return json_response(std::move(out), is_well ? 200 : 503);
}

}  // namespace

Api::Api(const PublishedSchema& schema, ApiOptions options)
    : schema_(schema),
      options_(std::move(options)),
      is_open_(!options_.is_opening),
      embed_(std::make_shared<const std::vector<std::string>>(std::move(options_.embed))),
      page_(web::has_charts() ? http::make_body(std::string(web::page())) : nullptr) {}

void Api::open(const StateStore& kept) {
  options_.kept = &kept;
  is_open_ = true;
}

void Api::embed(std::vector<std::string> origins) {
  embed_ = std::make_shared<const std::vector<std::string>>(std::move(origins));
}

Response Api::handle(const Request& request) noexcept {
  const std::string& path = request.path;
  if (path == "/") return page();
  if (path == "/api/v1/series") return answer_of_rows(request, &Api::series);
  if (path == "/api/v1/compare") return answer_of_rows(request, &Api::compare);
  if (path == "/api/v1/windows") return answer_of_rows(request, &Api::windows);
  if (path == "/api/v1/why") return why(request);
  if (path == "/api/v1/experiments") return answer(request, &Api::experiments);
  if (path.starts_with(experiments_path)) return experiment(request);
  if (path == "/api/v1/status") {
    const auto state = options_.state_bytes ? std::optional(options_.state_bytes()) : std::nullopt;
    return json_response(status_json(schema_, *options_.snapshot(), state));
  }
  if (path == "/api/v1/definitions") return json_response(definitions());
  if (path == "/api/v1/stream") return http::event_stream();
  if (path == "/api/v1/openapi.yaml") {
    return {.content_type = "application/yaml", .body = http::make_body(std::string(openapi_yaml()))};
  }
  if (path == "/metrics") return metrics(request);
  if (path == "/livez") return health(false);
  if (path == "/readyz") return health(true);
  return http::problem(404, "Not found",
                       "there are /, /api/v1/{series,compare,windows,why,experiments,status,definitions,stream,"
                       "openapi.yaml}, /metrics, /livez and /readyz");
}

Response Api::answer(const Request& request, Result<std::string> (Api::*document)(Parameters&) const) const {
  Parameters parameters(request.query, schema_);
  auto body = (this->*document)(parameters);
  return body ? json_response(std::move(*body)) : problem_of(body.error());
}

Response Api::answer_of_rows(const Request& request, Result<std::string> (Api::*document)(Parameters&) const) const {
  return is_open_ ? answer(request, document) : not_open();
}

Response Api::why(const Request& request) const {
  if (!is_open_) return not_open();
  constexpr std::size_t top_max = 1'000'000;
  constexpr std::size_t columns_max = 1000;
  Parameters parameters(request.query, schema_);
  const why::Question asked{.request = {.metric = parameters.metric(),
                                        .window = parameters.window_if_any(),
                                        .at = parameters.moment("at"),
                                        .against = parameters.against(),
                                        .key = parameters.text("key").value_or(""),
                                        .a = parameters.text("a").value_or(""),
                                        .b = parameters.text("b").value_or(""),
                                        .by = parameters.text("by").value_or("")},
                            .top = parameters.number("top", why::Question{}.top, top_max),
                            .is_text = parameters.is_text(),
                            .columns = parameters.number("columns", 0, columns_max)};
  if (auto done = parameters.finish(); !done) return problem_of(done.error());
  auto body = why_document(schema_, options_.kept, asked);
  if (!body) return problem_of(body.error());
  if (!asked.is_text) return json_response(std::move(*body));
  return {.content_type = "text/plain; charset=utf-8", .body = http::make_body(std::move(*body))};
}

Result<std::string> Api::series(Parameters& parameters) const {
  const SeriesRequest request{.window = parameters.window(),
                              .metric = parameters.metric(),
                              .horizon = parameters.horizon(),
                              .segment = parameters.segment("segment"),
                              .range = parameters.range(),
                              .tenth = parameters.tenth()};
  if (auto done = parameters.finish(); !done) return tl::unexpected(done.error());
  const auto snapshot = options_.snapshot();
  return series_document({schema_, *snapshot, options_.kept}, request);
}

Result<std::string> Api::compare(Parameters& parameters) const {
  const CompareRequest request{.window = parameters.window(),
                               .metric = parameters.metric(),
                               .horizon = parameters.horizon(),
                               .a = parameters.segment("a"),
                               .b = parameters.segment("b"),
                               .range = parameters.range()};
  if (auto done = parameters.finish(); !done) return tl::unexpected(done.error());
  const auto snapshot = options_.snapshot();
  return compare_document({schema_, *snapshot, options_.kept}, request);
}

Result<std::string> Api::windows(Parameters& parameters) const {
  const RowsRequest request{.window = parameters.window(),
                            .horizon = parameters.horizon(),
                            .segment = parameters.segment("segment"),
                            .range = parameters.range(),
                            .stage = parameters.stage(),
                            .metric = parameters.metric_if_any(),
                            .limit = parameters.limit(),
                            .after = parameters.cursor()};
  if (auto done = parameters.finish(); !done) return tl::unexpected(done.error());
  const auto snapshot = options_.snapshot();
  return rows_document({schema_, *snapshot, options_.kept}, request);
}

Result<std::string> Api::experiments(Parameters& parameters) const {
  if (auto done = parameters.finish(); !done) return tl::unexpected(done.error());
  return experiments_document(*options_.snapshot());
}

Response Api::experiment(const Request& request) const {
  Parameters parameters(request.query, schema_);
  const ExperimentRequest asked{.name = request.path.substr(experiments_path.size()),
                                .metric = parameters.text("metric").value_or(""),
                                .arm = parameters.text("arm").value_or(""),
                                .range = parameters.range()};
  if (auto done = parameters.finish(); !done) return problem_of(done.error());
  auto body = experiment_document(*options_.snapshot(), asked);
  return body ? json_response(std::move(*body)) : problem_of(body.error());
}

std::string Api::definitions() const {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.begin_array("definitions");
  for (const PlannedMetric& metric : schema_.metrics) {
    json.begin_object();
    json.member("key", metric.key);
    const std::string& id = metric.definition_id;
    const std::string options = id.substr(std::min(id.find('{'), id.size()));
    json.member("title", metric.key.find(options) != std::string::npos ? metric.key : metric.key + " " + options);
    write_members(json, *metric.definition);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return out;
}

namespace {

// The policy with these origins in the place of none.
std::string framed_by(const std::vector<std::string>& origins, std::string_view policy) {
  constexpr std::string_view nobody = "frame-ancestors 'none'";
  std::string out(policy);
  if (origins.empty()) return out;
  std::string somebody = "frame-ancestors";
  for (const std::string& origin : origins) somebody += " " + origin;
  return out.replace(out.find(nobody), nobody.size(), somebody);
}

}  // namespace

Response Api::page() const {
  Response response{.content_type = "text/html; charset=utf-8"};
  if (page_) {
    response.body = page_;
    response.content_security_policy = framed_by(*embed_.load(), web::page_csp());
    return response;
  }
  const std::string body = plain_tables(schema_, *options_.snapshot());
  response.body = http::make_body(std::string(web::plain_head()) + body + std::string(web::plain_tail()));
  response.content_security_policy = web::plain_csp();
  response.headers.emplace_back("Refresh", "30");
  return response;
}

Response Api::metrics(const Request& request) const {
  constexpr std::array<std::string_view, 3> offered{"text/plain; version=0.0.4",
                                                    "application/openmetrics-text; version=1.0.0",
                                                    "application/openmetrics-text; version=0.0.1"};
  const auto preferred = http::preferred(request.accept, offered);
  const auto format = preferred.value_or(0) == 0 ? ExpositionFormat::text : ExpositionFormat::open_metrics;
  MetricsPageFacts facts{.state_bytes = {}, .server = {}, .process = process_facts(), .series_max = options_.series_max};
  if (options_.state_bytes) facts.state_bytes = options_.state_bytes();
  if (options_.server_counts) facts.server = options_.server_counts();
  return {.content_type = std::string(content_type_of(format)),
          .body = http::make_body(metrics_page(schema_, *options_.snapshot(), facts, format))};
}

Response Api::health(bool is_ready) const {
  return health_of(*options_.snapshot(), options_.now(), is_ready, true);
}

Response Probes::handle(const Request& request) noexcept {
  if (request.path == "/livez" || request.path == "/readyz") {
    return health_of(*snapshot_(), now_(), request.path == "/readyz", false);
  }
  return http::problem(404, "Not found", "this port is for probes: there are /livez and /readyz");
}

http::Snapshot Api::snapshot() noexcept {
  const std::uint64_t after = options_.events->last_id();
  const auto state = options_.state_bytes ? std::optional(options_.state_bytes()) : std::nullopt;
  return options_.events->snapshot(R"({"status":)" + status_json(schema_, *options_.snapshot(), state) + "}", after);
}

}  // namespace recmeter
