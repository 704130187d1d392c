#include "app/top/model.h"

#include <simdjson.h>

#include <utility>

#include "config/scalar.h"

namespace recmeter::top {

namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;
using Value = simdjson::simdjson_result<element>;  // or why there is none

tl::unexpected<Error> no_answer(std::string_view of) {
  return failure(Errc::input_unreadable,
                 "the answer to " + std::string(of) + " is not recmeter's; check that the URL is an evaluator's");
}

std::string text_in(const Value& value) {
  std::string_view text;
  return value.get_string().get(text) == SUCCESS ? std::string(text) : std::string();
}

std::optional<double> number_in(const Value& value) {
  double number = 0;
  return value.get_double().get(number) == SUCCESS ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> count_in(const Value& value) {
  std::uint64_t count = 0;
  return value.get_uint64().get(count) == SUCCESS ? std::optional(count) : std::nullopt;
}

// Times that can be written with four digits for the year; others are not there.
std::optional<EventTime> time_in(const Value& value) {
  constexpr std::int64_t years_to_9999 = 253'402'300'800'000;
  std::int64_t ms = 0;
  const bool is_time = value.get_int64().get(ms) == SUCCESS && ms >= 0 && ms < years_to_9999;
  return is_time ? std::optional(EventTime{ms}) : std::nullopt;
}

bool flag_in(const Value& value) {
  bool flag = false;
  return value.get_bool().get(flag) == SUCCESS && flag;
}

template <class Take>
void for_each_in(const Value& value, Take&& take) {
  array items;
  if (value.get_array().get(items) != SUCCESS) return;
  for (element item : items) take(Value(std::move(item)));
}

std::vector<std::string> texts_in(const Value& value) {
  std::vector<std::string> texts;
  for_each_in(value, [&](const Value& item) { texts.push_back(text_in(item)); });
  return texts;
}

SegmentPairs segment_in(const Value& value) {
  SegmentPairs segment;
  object pairs;
  if (value.get_object().get(pairs) != SUCCESS) return segment;
  for (const auto [key, text] : pairs) segment.emplace_back(key, text_in(Value(element(text))));
  return segment;
}

void take_outline(const Value& evaluator, Status& status) {
  status.evaluator = text_in(evaluator["name"]);
  status.version = text_in(evaluator["version"]);
  for_each_in(evaluator["windows"], [&](const Value& window) {
    std::int64_t slide = 0;
    if (window["slide_ms"].get_int64().get(slide) == SUCCESS && slide > 0 && slide <= config::duration_max.ms) {
      status.windows.push_back({text_in(window["name"]), Duration{slide}});
    }
  });
  status.horizons = texts_in(evaluator["horizons"]);
  status.metrics = texts_in(evaluator["metrics"]);
  status.explained = texts_in(evaluator["explained"]);
  // Where there are lanes, each row is of one.
  bool has_lanes = false;
  if (evaluator["lanes"].get_bool().get(has_lanes) != SUCCESS || !has_lanes) status.segments.emplace_back();
  for_each_in(evaluator["segments"], [&](const Value& combination) {
    for_each_in(combination["values"], [&](const Value& segment) { status.segments.push_back(segment_in(segment)); });
  });
}

}  // namespace

Result<Status> status_of(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  Status status;
  if (parser.parse(json.data(), json.size()).get(root) == SUCCESS) take_outline(root["evaluator"], status);
  if (status.windows.empty() || status.horizons.empty() || status.metrics.empty()) return no_answer("/api/v1/status");
  status.watermark = time_in(root["watermark"]);
  status.held_back_by = text_in(root["held_back_by"]);
  for_each_in(root["partitions"], [&](const Value& one) {
    status.partitions.push_back(
        {text_in(one["name"]), count_in(one["lag_records"]), number_in(one["lag_seconds"]), flag_in(one["idle"])});
  });
  object events;
  if (root["events"].get_object().get(events) == SUCCESS) {
    for (const auto [fate, count] : events) status.events.emplace_back(fate, count_in(Value(element(count))).value_or(0));
  }
  for_each_in(root["waiting"], [&](const Value& one) {
    if (const auto start = time_in(one["start"]))
      status.waiting.push_back({text_in(one["window"]), *start, text_in(one["why"])});
  });
  status.is_ready = flag_in(root["ready"]);
  status.reasons = texts_in(root["reasons"]);
  return status;
}

Result<std::vector<Point>> points_of(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(json.data(), json.size()).get(root) != SUCCESS) return no_answer("/api/v1/series");
  const auto columns = root["columns"];
  std::vector<Point> points;
  bool is_whole = columns["start"].is_array();
  for_each_in(columns["start"], [&](const Value& start) {
    const auto time = time_in(start);
    is_whole = is_whole && time && (points.empty() || points.back().start < *time);
    points.push_back({.start = time.value_or(EventTime{}), .value = {}, .low = {}, .high = {}});
  });
  const auto take = [&](std::string_view name, auto&& set) {
    std::size_t i = 0;
    for_each_in(columns[name], [&](const Value& value) {
      if (i < points.size()) set(points[i], value);
      ++i;
    });
    is_whole = is_whole && i == points.size();
  };
  take("value", [](Point& point, const Value& value) { point.value = number_in(value); });
  take("low", [](Point& point, const Value& value) { point.low = number_in(value); });
  take("high", [](Point& point, const Value& value) { point.high = number_in(value); });
  take("stage", [](Point& point, const Value& value) { point.is_final = text_in(value) == "final"; });
  take("matured", [](Point& point, const Value& value) { point.matured = number_in(value).value_or(1); });
  if (!is_whole) return no_answer("/api/v1/series");
  return points;
}

std::string why_in(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(json.data(), json.size()).get(root) != SUCCESS) return {};
  bool may_be_chance = true;
  if (root["may_be_chance"].get_bool().get(may_be_chance) != SUCCESS || may_be_chance) return {};
  return text_in(root["words"]);
}

std::string problem_detail(std::string_view json) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(json.data(), json.size()).get(root) != SUCCESS) return {};
  const std::string detail = text_in(root["detail"]);
  return detail.empty() ? text_in(root["title"]) : detail;
}

}  // namespace recmeter::top
