// Rows as tidy CSV (RFC 4180, with LF): one line per metric. What does not exist is an empty field.
#include <optional>

#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter {
namespace {

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
}

void append_number(std::string& out, std::optional<double> number) {
  if (number) append_json_number(out, *number);
}

std::string segment_text(const Row& row) {
  std::string text;
  JsonWriter(text, 0).value(row.segment);
  return text;
}

// The fields that all metrics of a row share, each followed by its comma.
std::string shared_fields(const Row& row) {
  std::string incomplete;
  for (const std::string& reason : row.incomplete) {
    if (!incomplete.empty()) incomplete.push_back(';');
    incomplete += reason;
  }
  std::string matured;
  append_json_number(matured, row.matured);
  std::string out;
  for (const std::string_view field :
       {std::string_view(row.evaluator), std::string_view(row.config), std::string_view(row.window)}) {
    append_field(out, field);
    out.push_back(',');
  }
  for (const std::string& field :
       {std::to_string(row.start.ms), std::to_string(row.end.ms), render_utc(row.start), render_duration(row.horizon),
        segment_text(row), std::string(to_string(row.stage)), matured, incomplete, std::to_string(row.lists)}) {
    append_field(out, field);
    out.push_back(',');
  }
  return out;
}

}  // namespace

std::string render_csv_header() {
  return "evaluator,config,window,start,end,start_utc,horizon,segment,stage,matured,incomplete,lists,metric,value,se,"
         "ci_low,ci_high,given_relevant,relevant_share,definition\n";
}

std::string render_csv(const Row& row) {
  const std::string shared = shared_fields(row);
  std::string out;
  for (const MetricValue& metric : row.metrics) {
    out += shared;
    append_field(out, metric.key);
    const std::optional<double> low = metric.ci ? std::optional(metric.ci->first) : std::nullopt;
    const std::optional<double> high = metric.ci ? std::optional(metric.ci->second) : std::nullopt;
    for (const std::optional<double>& number :
         {metric.value, metric.se, low, high, metric.given_relevant, metric.relevant_share}) {
      out.push_back(',');
      append_number(out, number);
    }
    out.push_back(',');
    append_field(out, metric.definition_id);
    out.push_back('\n');
  }
  return out;
}

}  // namespace recmeter
