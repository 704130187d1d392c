#include "app/report/row_line.h"

#include <simdjson.h>

namespace recmeter {

namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::string_view schema = "recmeter.window/1";

tl::unexpected<Error> no_row(const std::string& why) {
  return failure(Errc::input_corrupt, why + "; give a file of rows, as recmeter replay --output writes it");
}

// Text, number or object under a name; false: absent, or of another type.
bool take(const element& row, std::string_view name, std::string& to) {
  std::string_view text;
  const bool is_there = row[name].get_string().get(text) == SUCCESS;
  to = text;
  return is_there;
}

bool take_times(const element& row, EventTime& start) {
  std::int64_t end = 0;
  const bool are_there = row["start"].get_int64().get(start.ms) == SUCCESS && row["end"].get_int64().get(end) == SUCCESS;
  constexpr std::int64_t years_to_9999 = 253'402'300'800'000;
  return are_there && start.ms >= 0 && start.ms < end && end <= years_to_9999;
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

std::optional<double> number_in(const simdjson::simdjson_result<element>& value) {
  double number = 0;
  return value.get_double().get(number) == SUCCESS ? std::optional(number) : std::nullopt;
}

bool take_metrics(const element& row, std::vector<RowLine::Metric>& to) {
  object metrics;
  if (row["metrics"].get_object().get(metrics) != SUCCESS) return false;
  for (const auto [key, metric] : metrics) {
    if (!metric.is_object()) return false;
    const auto ci = metric["ci"];
    to.push_back({std::string(key), number_in(metric["value"]), number_in(ci.at(0)), number_in(ci.at(1))});
  }
  return true;
}

}  // namespace

struct RowLineReader::Impl {
  simdjson::dom::parser parser;
};

RowLineReader::RowLineReader() : impl_(std::make_unique<Impl>()) {}
RowLineReader::~RowLineReader() = default;

Result<RowLine> RowLineReader::read(std::string_view json) {
  element row;
  if (impl_->parser.parse(json.data(), json.size()).get(row) != SUCCESS || !row.is_object()) {
    return no_row("it is no JSON object");
  }
  std::string named;
  if (!take(row, "schema", named)) return no_row("it has no schema");
  if (named != schema) return no_row("its schema is " + named + ", not " + std::string(schema));
  RowLine line;
  const auto wrong = [](std::string_view name) { return no_row("its " + std::string(name) + " is missing or of no use"); };
  if (!take(row, "evaluator", line.evaluator)) return wrong("evaluator");
  if (!take(row, "config", line.config)) return wrong("config");
  if (!take(row, "window", line.window)) return wrong("window");
  if (!take_times(row, line.start)) return wrong("start or end");
  if (!take(row, "horizon", line.horizon)) return wrong("horizon");
  if (!take_segment(row, line.segment)) return wrong("segment");
  if (!take(row, "stage", line.stage)) return wrong("stage");
  if (row["matured"].get_double().get(line.matured) != SUCCESS) return wrong("matured");
  if (row["lists"].get_uint64().get(line.lists) != SUCCESS) return wrong("lists");
  if (!take_metrics(row, line.metrics)) return wrong("metrics");
  return line;
}

}  // namespace recmeter
