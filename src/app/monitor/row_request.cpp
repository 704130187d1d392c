#include "app/monitor/row_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/metric_names.h"
#include "config/nearest.h"
#include "config/scalar.h"
#include "recmeter/base/lane_names.h"
#include "recmeter/base/read_number.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::size_t limit_max = 1000;
constexpr std::size_t limit_usual = 100;
constexpr std::size_t shown_max = 200;  // bytes of what a client sent, in messages

template <class Items, class Text>
std::string joined(const Items& items, Text&& text_of) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + text_of(item);
  return text;
}

}  // namespace

void Parameters::complain(std::string_view name, std::string_view text, const std::string& remedy) {
  if (complaint_.empty()) complaint_ = fmt::format("{}={}: {}", name, text.substr(0, shown_max), remedy);
}

std::optional<std::string> Parameters::text(std::string_view name) {
  known_.emplace_back(name);
  const auto value = query_.first(name);
  return value ? std::optional(std::string(*value)) : std::nullopt;
}

const WindowSpec* Parameters::window() {
  const std::string name = text("window").value_or("");
  const WindowSpec* window = schema_.window(name);
  if (window == nullptr) {
    complain("window", name, "name one of " + joined(schema_.windows, [](const WindowSpec& one) { return one.name; }));
  }
  return window;
}

std::string Parameters::metric() {
  std::string key = text("metric").value_or("");
  if (!schema_.has_metric(key)) {
    std::vector<std::string_view> keys;
    for (const PlannedMetric& metric : schema_.metrics) keys.push_back(metric.key);
    const std::string question = config::metric_question(key, keys);
    complain(
        "metric", key,
        question.empty() ? "name one of " + joined(keys, [](std::string_view one) { return std::string(one); }) : question);
  }
  return key;
}

std::string Parameters::window_if_any() {
  if (query_.count("window") == 0) return text("window").value_or("");
  const WindowSpec* const asked = window();
  return asked == nullptr ? "" : asked->name;
}

std::string Parameters::metric_if_any() {
  return query_.count("metric") > 0 ? metric() : text("metric").value_or("");
}

// May be left out where there is only one.
Duration Parameters::horizon() {
  const auto given = text("horizon");
  if (!given && schema_.horizons.size() == 1) return schema_.horizons.front();
  if (const auto horizon = schema_.horizon(given.value_or(""))) return *horizon;
  complain("horizon", given.value_or(""), "name one of " + joined(schema_.horizons, render_duration));
  return schema_.horizons.front();
}

SegmentPairs Parameters::segment(std::string_view name) {
  const std::string given = text(name).value_or("");
  const auto pairs = parse_segment(given);
  if (!pairs) {
    complain(name, given, "write key:value, several with commas, and a \\ before each , : and \\ of a value");
    return {};
  }
  // Where there are lanes, the whole is that of what was shown.
  if (pairs->empty() && !schema_.combinations.front().keys.empty()) return {{recommender_key, logged_lane}};
  for (const PublishedSchema::Combination& combination : schema_.combinations) {
    if (combination.keys.size() != pairs->size()) continue;
    SegmentPairs ordered;
    for (const std::string& key : combination.keys) {
      const auto at = std::find_if(pairs->begin(), pairs->end(), [&](const auto& pair) { return pair.first == key; });
      if (at != pairs->end()) ordered.push_back(*at);
    }
    if (ordered.size() == pairs->size()) return ordered;
  }
  const auto keys_of = [](const PublishedSchema::Combination& one) {
    return one.keys.empty() ? std::string("nothing") : joined(one.keys, [](const std::string& key) { return key; });
  };
  complain(name, given, "rows have segments by " + joined(schema_.combinations, keys_of));
  return {};
}

EventTime Parameters::time(std::string_view name, EventTime otherwise) {
  const auto given = text(name);
  if (!given) return otherwise;
  const auto ms = read_number<std::int64_t>(*given);
  if (ms && *ms >= 0 && *ms <= event_time_end.ms) return EventTime{*ms};
  complain(name, *given, "write milliseconds since 1970");
  return otherwise;
}

std::optional<EventTime> Parameters::moment(std::string_view name) {
  if (query_.count(name) > 0) return time(name, EventTime{});
  known_.emplace_back(name);
  return std::nullopt;
}

// Before the window, or a time.
why::Against Parameters::against() {
  const auto given = text("against");
  if (!given) return {};
  if (const auto before = config::parse_duration(*given)) {
    if (before->ms > 0) return *before;
  } else if (read_number<std::int64_t>(*given)) {
    return time("against", EventTime{});
  }
  complain("against", *given, "write how long before, like 1d, or milliseconds since 1970");
  return {};
}

std::size_t Parameters::number(std::string_view name, std::size_t usual, std::size_t most) {
  const auto given = text(name);
  if (!given) return usual;
  const auto number = read_number<std::size_t>(*given);
  if (number && *number <= most) return *number;
  complain(name, *given, fmt::format("write a number from 0 to {}", most));
  return usual;
}

bool Parameters::is_text() {
  const std::string given = text("format").value_or("json");
  if (given != "json" && given != "text") complain("format", given, "name one of json, text");
  return given == "text";
}

TimeRange Parameters::range() {
  const EventTime from = time("from", minus_infinity);
  return {from, time("to", plus_infinity)};
}

int Parameters::tenth() {
  const auto given = text("matured");
  if (!given) return 0;
  const auto share = read_number<double>(*given);
  const double tenths = share.value_or(0) * 10;
  if (std::abs(tenths - std::round(tenths)) <= 1e-9 && tenths > 0.5 && tenths < 9.5) {
    return static_cast<int>(std::round(tenths));
  }
  complain("matured", *given, "write a tenth from 0.1 to 0.9");
  return 0;
}

std::size_t Parameters::limit() {
  const auto given = text("limit");
  if (!given) return limit_usual;
  const auto number = read_number<std::size_t>(*given);
  if (number && *number > 0 && *number <= limit_max) return *number;
  complain("limit", *given, "write a number from 1 to 1000");
  return limit_usual;
}

std::string Parameters::stage() {
  std::string given = text("stage").value_or("");
  if (!given.empty() && given != "final" && given != "provisional" && given != "truncated") {
    complain("stage", given, "name one of final, provisional, truncated");
  }
  return given;
}

std::optional<EventTime> Parameters::cursor() {
  const auto given = text("cursor");
  if (!given) return std::nullopt;
  const auto ms = read_number<std::int64_t>(*given);
  if (ms && *ms >= 0 && *ms <= event_time_end.ms) return EventTime{*ms};
  complain("cursor", *given, "write the `next` of the previous page");
  return std::nullopt;
}

Result<void> Parameters::finish() {
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  const auto as_is = [](const std::string& name) { return name; };
  for (const http::Query::Parameter& parameter : query_.parameters()) {
    if (std::find(known_.begin(), known_.end(), parameter.name) == known_.end()) {
      const std::string question = config::name_question(parameter.name, known);
      complain(parameter.name, parameter.value,
               "unknown parameter; " + (question.empty() ? "known are " + joined(known_, as_is) : question));
    }
    if (query_.count(parameter.name) > 1) complain(parameter.name, parameter.value, "given more than once");
  }
  if (!complaint_.empty()) return failure(Errc::config_invalid, complaint_);
  return {};
}

}  // namespace recmeter
