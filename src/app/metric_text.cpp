#include "app/metric_text.h"

#include <algorithm>
#include <cmath>

#include "app/metric_words.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/registry.h"
#include "result/json_writer.h"

namespace recmeter {

namespace {

constexpr std::size_t text_width = 100;
constexpr std::size_t label_width = 11;

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) out.resize(width, ' ');
  return out;
}

void add_line(std::string& out, std::string_view label, std::string_view text) {
  if (!text.empty()) out += padded(label, label_width) + wrapped(text, text_width, label_width) + '\n';
}

std::string option_line(const OptionTaken& option) {
  std::string line(option.name);
  line += ": ";
  if (option.words.empty()) return line + "a number, " + option.usual + " (default)";
  for (std::size_t i = 0; i < option.words.size(); ++i) {
    line += (i > 0 ? ", " : "") + std::string(option.words[i]);
    if (option.words[i] == option.usual) line += " (default)";
  }
  return line;
}

void write_options(JsonWriter& json, const MetricDefinition& metric) {
  json.key("options");
  json.begin_array();
  for (const OptionTaken& option : options_taken_by(metric)) {
    json.begin_object();
    json.key("name");
    json.string(option.name);
    json.key("values");
    json.begin_array();
    for (const std::string_view word : option.words) json.string(word);
    json.end_array();
    json.key("default");
    json.string(option.usual);
    json.end_object();
  }
  json.end_array();
}

void write_examples(JsonWriter& json, const MetricDefinition& metric) {
  json.key("examples");
  json.begin_array();
  for (const WorkedExample& example : metric.examples) {
    json.begin_object();
    json.key("metric");
    json.string(example_name(metric, example.cutoff, example.options));
    json.key("lists");
    json.string(example.lists);
    json.key("arithmetic");
    json.string(example.arithmetic);
    json.key("value");
    json.number(example.value);
    json.end_object();
  }
  json.end_array();
}

void write_metric(JsonWriter& json, const MetricDefinition& metric) {
  const auto bound = [](double value) { return std::isinf(value) ? std::optional<double>() : std::optional<double>(value); };
  const auto text = [&json](std::string_view key, std::string_view value) {
    json.key(key);
    json.string(value);
  };
  json.begin_object();
  text("name", metric.name);
  text("formula", metric.formula);
  json.key("range");
  json.begin_array();
  json.number(bound(metric.low));
  json.number(bound(metric.high));
  json.end_array();
  text("unit", metric.unit);
  text("scope", scope_word(metric));
  text("averaged", averaged_over(metric));
  text("evidence", evidence_rule(metric));
  json.key("has_cutoff");
  json.boolean(metric.has_cutoff);
  json.key("needs_catalog");
  json.boolean(metric.needs_catalog);
  write_options(json, metric);
  text("says", metric.says);
  text("edges", metric.edges);
  text("elsewhere", metric.elsewhere);
  text("source", metric.source);
  write_examples(json, metric);
  json.end_object();
}

}  // namespace

std::string example_name(const MetricDefinition& metric, std::uint32_t cutoff, const MetricOptions& options) {
  std::string name(metric.name);
  if (cutoff > 0) name += "@" + std::to_string(cutoff);
  return name + definition_id(metric, options).substr(metric.name.size());
}

std::string metrics_table(std::size_t width) {
  std::size_t name_width = 4;
  std::size_t range_width = 5;
  for (const MetricDefinition* metric : all_metrics()) {
    name_width = std::max(name_width, metric->name.size());
    range_width = std::max(range_width, range_text(*metric).size());
  }
  const auto line = [&](std::string_view name, std::string_view scope, std::string_view range, std::string_view formula) {
    std::string out = padded(name, name_width + 2) + padded(scope, 7) + padded(range, range_width + 2);
    const std::size_t room = width == 0 ? formula.size() : std::max<std::size_t>(width, out.size() + 20) - out.size();
    out += formula.size() <= room ? std::string(formula) : std::string(formula.substr(0, room - 3)) + "...";
    return out + '\n';
  };
  std::string out = line("name", "scope", "range", "formula");
  for (const MetricDefinition* metric : all_metrics()) {
    const std::string_view scope = scope_word(*metric);
    out += line(metric->name, scope.empty() ? "-" : scope, range_text(*metric), metric->formula);
  }
  return out;
}

std::string metric_text(const MetricDefinition& metric) {
  std::string out = std::string(metric.name) + (metric.has_cutoff ? "@k" : "") + '\n';
  add_line(out, "formula", metric.formula);
  add_line(out, "", metric.says);
  const std::string unit = metric.unit.empty() ? "" : ", in " + std::string(metric.unit);
  add_line(out, "range", range_text(metric) + unit);
  add_line(out, "scope", scope_word(metric));
  add_line(out, "value", averaged_over(metric));
  add_line(out, "evidence", evidence_rule(metric));
  if (metric.needs_catalog) add_line(out, "needs", "catalog: {size: N} or {file: PATH}");
  std::string_view label = "options";
  for (const OptionTaken& option : options_taken_by(metric)) add_line(out, std::exchange(label, ""), option_line(option));
  add_line(out, "edges", metric.edges);
  add_line(out, "elsewhere", metric.elsewhere);
  add_line(out, "source", metric.source);
  label = "examples";
  for (const WorkedExample& example : metric.examples) {
    add_line(out, std::exchange(label, ""),
             example_name(metric, example.cutoff, example.options) + (example.lists.size() > 1 ? " of lists " : " of list ") +
                 std::string(example.lists) + ": " + std::string(example.arithmetic) + " = " + four_decimals(example.value));
  }
  return out;
}

std::string metric_json(const MetricDefinition& metric) {
  std::string out;
  JsonWriter json(out, 2);
  write_metric(json, metric);
  return out + '\n';
}

std::string metrics_json() {
  std::string out;
  JsonWriter json(out, 2);
  json.begin_array();
  for (const MetricDefinition* metric : all_metrics()) write_metric(json, *metric);
  json.end_array();
  return out + '\n';
}

}  // namespace recmeter
