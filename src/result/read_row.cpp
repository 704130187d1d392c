#include "recmeter/result/read_row.h"

#include <simdjson.h>

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using Member = simdjson::simdjson_result<element>;

constexpr std::string_view schema = "recmeter.window/1";

tl::unexpected<Error> no_row(const std::string& why) {
  return failure(Errc::input_corrupt, why + "; give a file of rows, as recmeter replay --output writes it");
}

// Text under a name; false: absent, or of another type.
bool take(const element& row, std::string_view name, std::string& to) {
  std::string_view text;
  const bool is_there = row[name].get_string().get(text) == SUCCESS;
  to = text;
  return is_there;
}

bool take_times(const element& row, EventTime& start, EventTime& end) {
  const bool are_there = row["start"].get_int64().get(start.ms) == SUCCESS && row["end"].get_int64().get(end.ms) == SUCCESS;
  constexpr std::int64_t years_to_9999 = 253'402'300'800'000;
  return are_there && start.ms >= 0 && start < end && end.ms <= years_to_9999;
}

bool take_horizon(const element& row, Duration& to) {
  std::string text;
  const auto horizon = take(row, "horizon", text) ? duration_from(text) : std::nullopt;
  to = horizon.value_or(Duration{});
  return horizon.has_value();
}

bool take_segment(const element& row, std::vector<std::pair<std::string, std::string>>& to) {
  object segment;
  if (row["segment"].get_object().get(segment) != SUCCESS) return false;
  for (const auto [key, value] : segment) {
    std::string_view text;
    if (value.get_string().get(text) != SUCCESS) return false;
    to.emplace_back(key, text);
  }
  return true;
}

bool take_stage(const element& row, Stage& to) {
  std::string text;
  if (!take(row, "stage", text)) return false;
  for (const Stage stage : {Stage::provisional, Stage::final, Stage::truncated}) {
    if (to_string(stage) != text) continue;
    to = stage;
    return true;
  }
  return false;
}

std::optional<double> number_in(const Member& value) {
  double number = 0;
  return value.get_double().get(number) == SUCCESS ? std::optional(number) : std::nullopt;
}

std::uint64_t count_in(const Member& value) {
  std::uint64_t count = 0;
  return value.get_uint64().get(count) == SUCCESS ? count : 0;
}

bool take_metrics(const element& row, std::vector<MetricValue>& to) {
  object metrics;
  if (row["metrics"].get_object().get(metrics) != SUCCESS) return false;
  for (const auto [key, json] : metrics) {
    if (!json.is_object()) return false;
    MetricValue& metric = to.emplace_back();
    metric.key = key;
    metric.value = number_in(json["value"]);
    take(json, "definition", metric.definition_id);
    take(json, "refused", metric.refused);
    metric.is_suspect = json["suspect"].error() == SUCCESS;
    metric.se = number_in(json["se"]);
    metric.has_evidence = json["relevant_share"].error() == SUCCESS;
    metric.given_relevant = number_in(json["given_relevant"]);
    metric.relevant_share = number_in(json["relevant_share"]);
    const auto low = number_in(json["ci"].at(0));
    const auto high = number_in(json["ci"].at(1));
    if (low && high) metric.ci = {*low, *high};
  }
  return true;
}

// What is nothing to those who read rows of files.
void take_the_rest(const element& json, Row& row) {
  if (json["revision"].is_uint64()) row.revision = count_in(json["revision"]);
  array reasons;
  if (json["incomplete"].get_array().get(reasons) == SUCCESS) {
    for (const element reason : reasons) row.incomplete.emplace_back(std::string_view(reason.get_string().value_unsafe()));
  }
  object feedback;
  if (json["feedback"].get_object().get(feedback) != SUCCESS) return;
  for (const auto [name, counts] : feedback) {
    row.feedback.push_back({std::string(name), count_in(counts["credited"]), count_in(counts["repeated"])});
  }
}

}  // namespace

Result<Row> read_row(std::string_view text) {
  thread_local simdjson::dom::parser parser;  // many rows are read one after the other
  element json;
  if (parser.parse(text.data(), text.size()).get(json) != SUCCESS || !json.is_object()) {
    return no_row("it is no JSON object");
  }
  std::string named;
  if (!take(json, "schema", named)) return no_row("it has no schema");
  if (named != schema) return no_row("its schema is " + named + ", not " + std::string(schema));
  Row row;
  const auto wrong = [](std::string_view name) { return no_row("its " + std::string(name) + " is missing or of no use"); };
  if (!take(json, "evaluator", row.evaluator)) return wrong("evaluator");
  if (!take(json, "config", row.config)) return wrong("config");
  if (!take(json, "window", row.window)) return wrong("window");
  if (!take_times(json, row.start, row.end)) return wrong("start or end");
  if (!take_horizon(json, row.horizon)) return wrong("horizon");
  if (!take_segment(json, row.segment)) return wrong("segment");
  if (!take_stage(json, row.stage)) return wrong("stage");
  if (json["matured"].get_double().get(row.matured) != SUCCESS) return wrong("matured");
  if (json["lists"].get_uint64().get(row.lists) != SUCCESS) return wrong("lists");
  if (!take_metrics(json, row.metrics)) return wrong("metrics");
  take_the_rest(json, row);
  return row;
}

}  // namespace recmeter
