#include "app/monitor/kept_row.h"

#include <simdjson.h>

#include <string>

#include "config/scalar.h"

namespace recmeter {

namespace {

using simdjson::dom::element;
using Member = simdjson::simdjson_result<element>;

std::optional<double> number_in(const Member& value) {
  double number = 0;
  return value.get_double().get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

std::string text_in(const Member& value) {
  std::string_view text;
  return value.get_string().get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

MetricValue metric_from(std::string_view key, const element& json) {
  MetricValue metric{.key = std::string(key),
                     .definition_id = text_in(json["definition"]),
                     .value = number_in(json["value"]),
                     .se = number_in(json["se"]),
                     .ci = {},
                     .given_relevant = number_in(json["given_relevant"]),
                     .relevant_share = number_in(json["relevant_share"])};
  metric.has_evidence = json["relevant_share"].error() == simdjson::SUCCESS;
  const auto low = number_in(json["ci"].at(0));
  const auto high = number_in(json["ci"].at(1));
  if (low && high) metric.ci = {*low, *high};
  return metric;
}

ActionCount action_from(std::string_view name, const element& json) {
  ActionCount action{.action = std::string(name)};
  if (json["credited"].get_uint64().get(action.credited) != simdjson::SUCCESS) action.credited = 0;
  if (json["repeated"].get_uint64().get(action.repeated) != simdjson::SUCCESS) action.repeated = 0;
  return action;
}

}  // namespace

std::optional<Row> row_from_json(std::string_view json) {
  thread_local simdjson::dom::parser parser;  // a query reads many rows
  element of;
  Row row;
  simdjson::dom::object segment;
  simdjson::dom::object feedback;
  simdjson::dom::object metrics;
  simdjson::dom::array reasons;
  if (parser.parse(json.data(), json.size()).get(of) != simdjson::SUCCESS ||
      of["start"].get_int64().get(row.start.ms) != simdjson::SUCCESS ||
      of["end"].get_int64().get(row.end.ms) != simdjson::SUCCESS ||
      of["lists"].get_uint64().get(row.lists) != simdjson::SUCCESS ||
      of["segment"].get_object().get(segment) != simdjson::SUCCESS ||
      of["incomplete"].get_array().get(reasons) != simdjson::SUCCESS ||
      of["feedback"].get_object().get(feedback) != simdjson::SUCCESS ||
      of["metrics"].get_object().get(metrics) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  const auto horizon = config::parse_duration(text_in(of["horizon"]));
  if (!horizon) return std::nullopt;
  row.horizon = *horizon;
  row.evaluator = text_in(of["evaluator"]);
  row.config = text_in(of["config"]);
  row.window = text_in(of["window"]);
  for (const Stage stage : {Stage::provisional, Stage::truncated}) {
    if (text_in(of["stage"]) == to_string(stage)) row.stage = stage;
  }
  row.matured = number_in(of["matured"]).value_or(1);
  for (const auto [key, value] : segment) row.segment.emplace_back(std::string(key), text_in(element(value)));
  for (const element reason : reasons) row.incomplete.push_back(text_in(element(reason)));
  for (const auto [name, counts] : feedback) row.feedback.push_back(action_from(name, counts));
  for (const auto [key, value] : metrics) row.metrics.push_back(metric_from(key, value));
  return row;
}

}  // namespace recmeter
