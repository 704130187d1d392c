#include "app/definitions/metric_text.h"

#include <algorithm>
#include <cmath>

#include "app/console/text_layout.h"
#include "app/definitions/example_text.h"
#include "app/definitions/metric_words.h"
#include "recmeter/metric/arithmetic.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/registry.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

namespace {

// Lines of a label and a text.
class Lines {
 public:
  explicit Lines(std::size_t width) : width_(width == 0 ? text_width : std::clamp(width, narrowest, text_width)) {}

  void add(std::string_view label, std::string_view text) {
    if (!text.empty()) out_ += padded(label, label_width) + wrapped(text, width_, label_width) + '\n';
  }
  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  static constexpr std::size_t text_width = 100;
  static constexpr std::size_t narrowest = 40;
  static constexpr std::size_t label_width = 11;

  std::size_t width_;
  std::string out_;
};

std::string option_line(const OptionTaken& option) {
  std::string line(option.name);
  line += ": ";
  if (option.name == "action") return line + "one of join.actions" + (option.usual.empty() ? "" : ", all (default)");
  if (option.words.empty()) return line + "a number, " + option.usual + " (default)";
  for (std::size_t i = 0; i < option.words.size(); ++i) {
    line += (i > 0 ? ", " : "") + std::string(option.words[i]);
    if (option.words[i] == option.usual) line += " (default)";
  }
  return line;
}

void write_options(JsonWriter& json, const MetricDefinition& metric) {
  json.begin_array("options");
  for (const OptionTaken& option : options_taken_by(metric)) {
    json.begin_object();
    json.member("name", option.name);
    json.member("values", option.words);
    json.member("default", option.usual);
    json.end_object();
  }
  json.end_array();
}

void write_examples(JsonWriter& json, const MetricDefinition& metric) {
  json.begin_array("examples");
  for (const WorkedExample& example : metric.examples) {
    json.begin_object();
    json.member("metric", example_name(metric, example.cutoff, example.options));
    json.member("lists", example.lists);
    json.member("arithmetic", example.arithmetic);
    json.member("value", example.value);
    json.end_object();
  }
  json.end_array();
}

void write_metric(JsonWriter& json, const MetricDefinition& metric) {
  json.begin_object();
  write_members(json, metric);
  json.end_object();
}

}  // namespace

void write_members(JsonWriter& json, const MetricDefinition& metric) {
  const auto bound = [](double value) { return std::isinf(value) ? std::optional<double>() : std::optional<double>(value); };
  json.member("name", metric.name);
  json.member("formula", metric.formula);
  json.member("range", std::pair(bound(metric.low), bound(metric.high)));
  json.member("unit", metric.unit);
  json.member("scope", scope_word(metric));
  json.member("averaged", averaged_over(metric));
  json.member("evidence", evidence_rule(metric));
  json.member("has_cutoff", metric.has_cutoff);
  json.member("needs", needs_of(metric));
  write_options(json, metric);
  json.member("says", metric.says);
  json.member("edges", metric.edges);
  json.member("elsewhere", metric.elsewhere);
  json.member("source", metric.source);
  write_examples(json, metric);
}

std::string example_name(const MetricDefinition& metric, std::uint32_t cutoff, const MetricOptions& options) {
  std::string name(metric.name);
  const bool at_relevant = options.cut == Cut::relevant;
  if (cutoff > 0 || at_relevant) name += "@" + (at_relevant ? "R" : std::to_string(cutoff));
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

std::string metric_text(const MetricDefinition& metric, std::size_t width) {
  Lines lines(width);
  lines.add("formula", metric.formula);
  lines.add("", metric.says);
  const std::string unit = metric.unit.empty() ? "" : ", unit " + std::string(metric.unit);
  lines.add("range", range_text(metric) + unit);
  lines.add("scope", scope_word(metric));
  lines.add("value", averaged_over(metric));
  lines.add("evidence", evidence_rule(metric));
  std::string_view label = "needs";
  for (const std::string& need : needs_of(metric)) lines.add(std::exchange(label, ""), need);
  label = "options";
  for (const OptionTaken& option : options_taken_by(metric)) lines.add(std::exchange(label, ""), option_line(option));
  lines.add("edges", metric.edges);
  lines.add("elsewhere", metric.elsewhere);
  lines.add("source", metric.source);
  label = "examples";
  for (const WorkedExample& example : metric.examples) {
    lines.add(std::exchange(label, ""), example_name(metric, example.cutoff, example.options) + example_text(example));
  }
  label = "lists";
  for (const ExampleList& list : example_lists()) {
    const bool used = std::any_of(metric.examples.begin(), metric.examples.end(), [&](const WorkedExample& example) {
      return example.lists.find(list.name) != std::string_view::npos;
    });
    if (used) lines.add(std::exchange(label, ""), std::string(list.name) + ": " + list_text(list));
  }
  return std::string(metric.name) + (metric.has_cutoff ? "@k" : "") + '\n' + lines.text();
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
