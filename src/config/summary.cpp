#include "config/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

#include "config/cost.h"
#include "config/keys.h"
#include "config/shape_text.h"
#include "recmeter/base/check.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

using config::assign_words;
using config::better_words;
using config::credit_words;
using config::format_words;
using config::join_key_words;
using config::json_string;
using config::text_of;
using config::unit_words;
using config::whole_lists_words;

template <std::size_t N, class E>
std::string_view word(const std::array<std::string_view, N>& words, E value) {
  return words[static_cast<std::size_t>(value)];
}

// `each` of every element, joined.
std::string list_text(const auto& list, std::string_view separator, const auto& each) {
  return fmt::format("{}", fmt::join(list | std::views::transform(each), separator));
}

// Fields that do not stand where they stand by default, and the words that are mapped.
std::string mapping_text(const FieldTable& table) {
  const ShapedFields native = shape_of(FieldTable::native()).common;
  const Shape shape = shape_of(table);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < field_count && shape.rules.empty(); ++i) {
    const auto& source = shape.common.fields[i];
    if (source != native.fields[i] && source) {
      parts.push_back(fmt::format("{} at {}", to_string(static_cast<Field>(i)), config::source_text(*source)));
    }
  }
  for (std::size_t i = 0; i < entry_field_count && shape.rules.empty(); ++i) {
    const auto& source = shape.common.entry[i];
    if (source == native.entry[i] || !source) continue;
    parts.push_back(fmt::format("an entry's {} at {}", to_string(static_cast<EntryField>(i)), config::source_text(*source)));
  }
  for (const EventRule& rule : shape.rules) {
    parts.push_back(
        fmt::format("\n    {} when {}: {}", rule.type, config::conditions_text(rule.when), config::fields_text(rule.fields)));
  }
  for (const auto& [word_there, type] : table.types) parts.push_back(fmt::format("{} means {}", word_there, type));
  if (table.position_base == 0) parts.push_back("positions from 0");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string time_text(const TimeForm& time) {
  return config::unit_text(time) + (time.zone_name.empty() ? "" : ", zone " + time.zone_name);
}

std::string input_text(const InputSpec& input, std::string_view what) {
  std::string text = fmt::format("  {}: {}, time in {}, lateness {}, idle after {}\n", what, word(format_words, input.format),
                                 time_text(input.fields.time), text_of(input.allowed_lateness), text_of(input.idle_after));
  if (const std::string mapping = mapping_text(input.fields); !mapping.empty()) text += fmt::format("    {}\n", mapping);
  return text;
}

std::string inputs_text(const Config& config) {
  std::string text = "inputs\n";
  for (const InputSpec& input : config.inputs) {
    if (!input.topics.empty()) text += input_text(input, fmt::format("topic {}", fmt::join(input.topics, ", ")));
    if (!input.files.empty()) text += input_text(input, fmt::format("file {}", fmt::join(input.files, ", ")));
  }
  return text + input_text(config.command_line, "files of the command line");
}

std::string action_text(const Action& action, const JoinRule& rule) {
  std::string text = fmt::format("{} gain {}", action.name, action.gain);
  if (action.after) text += fmt::format(" {} {}", action.undoes ? "undoes" : "after", rule.actions[*action.after].name);
  if (action.from) text += fmt::format(" from {}", *action.from);
  if (action.is_from_mean) text += " above the user's mean before";
  if (action.horizon) text += fmt::format(" within {}", text_of(*action.horizon));
  if (action.once) text += fmt::format(" once an {}", config::once_word);
  return text;
}

std::string join_text(const JoinRule& rule) {
  std::string text = "join\n";
  text += fmt::format("  by {}, {}, horizons {}\n", word(join_key_words, rule.key.by), word(credit_words, rule.credit),
                      list_text(rule.horizons, ", ", text_of));
  for (const Action& action : rule.actions) text += fmt::format("  {}\n", action_text(action, rule));
  text += fmt::format("  skew {}, same list for {}, pieces assemble for {}\n", text_of(rule.skew), text_of(rule.same_list),
                      text_of(rule.assemble));
  if (rule.whole_lists == WholeLists::own) text += "  whole lists never continue another\n";
  if (!rule.key.not_users.empty()) text += fmt::format("  nobody: {}\n", fmt::join(rule.key.not_users, ", "));
  return text;
}

std::string windows_text(const EvaluatorSpec& spec) {
  std::string text = "windows\n";
  for (const WindowSpec& window : spec.windows) {
    text += fmt::format("  {}: {}", window.name, window.is_whole() ? "the whole log" : text_of(window.size));
    if (window.slide != window.size) text += fmt::format(" every {}", text_of(window.slide));
    if (window.offset.ms != 0) text += fmt::format(", offset {}", text_of(window.offset));
    text += '\n';
  }
  text += "segments\n  the whole\n";
  for (const SegmentSpec& segment : spec.segments) {
    text += fmt::format("  by {}", fmt::join(segment.keys, " x "));
    if (!segment.keep.empty()) {
      text += ", always " +
              list_text(segment.keep, "; ", [](const auto& tuple) { return fmt::format("{}", fmt::join(tuple, " x ")); });
    }
    text += '\n';
  }
  text += "catalogue\n";
  text += spec.catalog ? fmt::format("  {} items{}\n", spec.catalog->size, spec.catalog->items.empty() ? "" : ", known by id")
                       : std::string("  unknown\n");
  return text;
}

// The options that a person may want to know: those of old, and what is not the default.
std::vector<OptionChoice> shown_options(const MetricDefinition& metric, const MetricOptions& options) {
  std::vector<OptionChoice> choices = option_choices(metric, options);
  std::erase_if(choices, [](const OptionChoice& choice) {
    return choice.is_default && choice.option != "gain" && choice.option != "ap_denominator" && choice.option != "beta";
  });
  return choices;
}

const MetricDefinition& definition_of(const MetricRequest& request) {
  const MetricDefinition* metric = find_metric(request.name);
  RECMETER_CHECK(metric != nullptr, "requests name known metrics");
  return *metric;
}

// The options that make this metric's definition, such as "gain exp2".
std::string options_text(const MetricRequest& request, const MetricDefinition& metric) {
  std::vector<std::string> parts;
  if (request.as) parts.push_back(request.name);
  for (const OptionChoice& choice : shown_options(metric, request.options)) {
    parts.push_back(fmt::format("{} {}", choice.option, choice.value));
  }
  parts.emplace_back(metric.formula);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string metrics_text(const Config& config) {
  const MetricSpec& spec = config.spec.metrics;
  const std::string at = spec.cutoffs.empty() ? "" : fmt::format(" at {}", fmt::join(spec.cutoffs, ", "));
  std::string text = fmt::format("metrics{}, confidence {}\n", at, spec.confidence);
  for (const MetricRequest& request : spec.requests) {
    const MetricDefinition& metric = definition_of(request);
    text += fmt::format("  {}: {}\n", metric_key(request, metric, "k"), options_text(request, metric));
  }
  for (const std::string& name : config.presets) {
    const Preset& preset = *find_preset(name);
    text += fmt::format("  as {}, {}: {}\n", preset.name, preset.version, preset.holds);
  }
  return text;
}

std::string test_text(const MetricTest& test) {
  const std::string change = test.is_absolute ? fmt::format("{}", test.mde) : fmt::format("{} %", 100 * test.mde);
  return fmt::format("{} by {}", test.metric, change);
}

std::string experiments_text(const EvaluatorSpec& spec) {
  std::string text;
  for (const ExperimentSpec& each : spec.experiments) {
    text += fmt::format("experiment {}\n  {} {} against {}, by {}, from {} for {}, a look every {} at horizon {}\n",
                        each.name, each.draft ? "teams" : each.arms.key, fmt::join(each.arms.values, ", "),
                        each.arms.values[each.arms.control], word(assign_words, each.assign), render_utc(each.start),
                        text_of(each.duration), text_of(each.every), text_of(each.horizon));
    text += fmt::format("  decided by {}\n", list_text(each.primary, ", ", test_text));
    if (!each.guardrails.empty()) text += fmt::format("  guarded by {}\n", list_text(each.guardrails, ", ", test_text));
    if (!each.secondary.empty()) text += fmt::format("  besides {}\n", list_text(each.secondary, ", ", test_text));
    if (each.cuped_before.ms > 0) text += fmt::format("  adjusted by the {} before\n", text_of(each.cuped_before));
  }
  return text;
}

std::string attribution_text(const EvaluatorSpec& spec) {
  if (!spec.attribution) return {};
  const AttributionSpec& attribution = *spec.attribution;
  return fmt::format("  why {} changed, for {}{}{}\n", fmt::join(attribution.windows, ", "), text_of(attribution.keep),
                     attribution.ranks ? ", by rank" : "",
                     attribution.item_group.empty() ? "" : ", by " + attribution.item_group);
}

config::Cost cost_of(const EvaluatorSpec& spec) {
  const auto plan = EvaluatorPlan::make(spec, Duration{0}, false);
  RECMETER_CHECK(plan.has_value(), "a configuration that was loaded has a plan");
  return config::cost_of(*plan);
}

std::string cost_text(const EvaluatorSpec& spec) {
  const config::Cost cost = cost_of(spec);
  return fmt::format(
      "cost, where every segment has one value\n  a list lies in up to {} windows of a kind and goes into {} values\n"
      "  a day of events makes {} rows with {} values\n",
      config::count_text(cost.windows_per_list), config::count_text(cost.values_per_list),
      config::count_text(cost.rows_per_day), config::count_text(cost.values_per_day));
}

std::string cost_json(const EvaluatorSpec& spec) {
  const config::Cost cost = cost_of(spec);
  return fmt::format(
      R"({{"windows_per_list":{:.0f},"values_per_list":{:.0f},"rows_per_day":{:.0f},"values_per_day":{:.0f}}})",
      cost.windows_per_list, cost.values_per_list, cost.rows_per_day, cost.values_per_day);
}

std::string edges_text(const Config& config) {
  std::string text = "attach and demo\n";
  text += fmt::format("  kafka {}, group {}", config.kafka.brokers, config.kafka.group);
  for (const auto& [name, value] : config.kafka.properties) text += fmt::format(", {} set", name);
  text += fmt::format("\n  state in {}, {}, a checkpoint every {}, results for {}\n", config.state.dir,
                      config::text_of_size(config.state.memory), text_of(config.state.checkpoint_every),
                      text_of(config.state.keep_results));
  text += attribution_text(config.spec);
  const PublishSpec::Http& http = config.publish.http;
  text += fmt::format("  provisional rows every {}, {}{}\n", text_of(config.publish.every),
                      http.is_on ? "http on " + address_of(http) : std::string("no http"),
                      http.probes.empty() ? "" : ", probes on " + http.probes);
  if (config.publish.file) text += fmt::format("  rows to the file {}\n", config.publish.file->path);
  if (config.publish.kafka) text += fmt::format("  rows to the topic {}\n", config.publish.kafka->topic);
  const PublishSpec::Experiments& experiments = config.publish.experiments;
  if (!experiments.file.empty()) text += fmt::format("  experiments to the file {}\n", experiments.file);
  if (!experiments.topic.empty()) text += fmt::format("  experiments to the topic {}\n", experiments.topic);
  if (config.dead_letter) {
    const bool is_topic = !config.dead_letter->topic.empty();
    text += fmt::format("  rejected records to the {} {}\n", is_topic ? "topic" : "file",
                        is_topic ? config.dead_letter->topic : config.dead_letter->file);
  }
  return text;
}

std::string strings_json(const auto& strings) {
  return "[" + list_text(strings, ",", [](const std::string& text) { return json_string(text); }) + "]";
}

std::string duration_json(Duration duration) {
  return json_string(text_of(duration));
}

std::string input_json(const InputSpec& input) {
  const Shape shape = shape_of(input.fields);
  std::vector<std::string> fields, types;
  for (std::size_t i = 0; i < field_count; ++i) {
    const auto& source = shape.common.fields[i];
    if (!source) continue;
    fields.push_back(
        fmt::format("{}:{}", json_string(to_string(static_cast<Field>(i))), json_string(config::source_text(*source))));
  }
  for (const auto& [there, type] : input.fields.types) types.push_back(json_string(there) + ":" + json_string(type));
  return fmt::format(
      R"({{"topics":{},"files":{},"format":"{}","unit":{},"position_base":{},"allowed_lateness":{},"idle_after":{},)"
      R"("fields":{{{}}},"types":{{{}}}}})",
      strings_json(input.topics), strings_json(input.files), word(format_words, input.format),
      json_string(config::unit_text(input.fields.time)), input.fields.position_base, duration_json(input.allowed_lateness),
      duration_json(input.idle_after), fmt::join(fields, ","), fmt::join(types, ","));
}

std::string join_json(const JoinRule& rule) {
  const auto action = [&](const Action& each) {
    std::string json = fmt::format(R"({{"name":{},"gain":{})", json_string(each.name), each.gain);
    const std::string_view comes = each.undoes ? "undoes" : "after";
    if (each.after) json += fmt::format(R"(,"{}":{})", comes, json_string(rule.actions[*each.after].name));
    if (each.from) json += fmt::format(R"(,"from":{})", *each.from);
    if (each.is_from_mean) json += fmt::format(R"(,"from":"{}")", config::user_mean_word);
    if (each.horizon) json += fmt::format(R"(,"horizon":{})", duration_json(*each.horizon));
    if (each.once) json += fmt::format(R"(,"once":"{}")", config::once_word);
    if (each.on_list) json += fmt::format(R"(,"on":"{}")", config::on_list_word);
    return json + "}";
  };
  return fmt::format(
      R"({{"key":"{}","credit":"{}","horizons":[{}],"actions":[{}],"skew":{},"same_list":{},"assemble":{},"whole_lists":"{}","not_users":{}}})",
      word(join_key_words, rule.key.by), word(credit_words, rule.credit), list_text(rule.horizons, ",", duration_json),
      list_text(rule.actions, ",", action), duration_json(rule.skew), duration_json(rule.same_list),
      duration_json(rule.assemble), word(whole_lists_words, rule.whole_lists), strings_json(rule.key.not_users));
}

std::string metric_json(const MetricRequest& request) {
  const MetricDefinition& metric = definition_of(request);
  std::string json = fmt::format(R"({{"key":{},"name":{})",
                                 json_string(key_stem(request) + (request.options.cut == Cut::relevant ? "@R" : "")),
                                 json_string(request.name));
  json += fmt::format(R"(,"definition":{},"has_cutoff":{})", json_string(definition_id(metric, request.options)),
                      metric.has_cutoff && request.options.cut == Cut::k);
  for (const OptionChoice& choice : shown_options(metric, request.options)) {
    static constexpr std::array<std::string_view, 6> numbers{"beta", "exposures", "from", "half_life", "level", "p"};
    const bool is_number = std::ranges::find(numbers, choice.option) != numbers.end();
    json += fmt::format(R"(,"{}":{})", choice.option, is_number ? choice.value : json_string(choice.value));
  }
  return json + "}";
}

std::string test_json(const MetricTest& test) {
  std::string json = fmt::format(R"({{"metric":{})", json_string(test.metric));
  if (test.better) json += fmt::format(R"(,"better":"{}")", word(better_words, *test.better));
  return json + (test.is_absolute ? fmt::format(R"(,"mde":{{"absolute":{}}}}})", test.mde)
                                  : fmt::format(R"(,"mde":{}}})", test.mde));
}

std::string experiment_json(const ExperimentSpec& each) {
  return fmt::format(
      R"({{"name":{},"key":{},"arms":{},"control":{},"allocation":[{}],"start":{},"duration":{},"min_duration":{},"every":{},)"
      R"("horizon":{},"assign":"{}","primary":[{}],"guardrails":[{}],"secondary":[{}],"alpha":{},"fdr":{},"before":{},)"
      R"("mixed_share":{}}})",
      json_string(each.name), each.draft ? "null" : json_string(each.arms.key), strings_json(each.arms.values),
      json_string(each.arms.values[each.arms.control]), fmt::join(each.allocation, ","), each.start.ms,
      duration_json(each.duration), duration_json(each.min_duration), duration_json(each.every), duration_json(each.horizon),
      word(assign_words, each.assign), list_text(each.primary, ",", test_json), list_text(each.guardrails, ",", test_json),
      list_text(each.secondary, ",", test_json), each.alpha, each.fdr, duration_json(each.cuped_before), each.mixed_share);
}

}  // namespace

std::string summary_text(const Config& config) {
  const std::string threads = config.threads == 0 ? "one thread a core" : fmt::format("threads: {}", config.threads);
  return fmt::format("evaluator {}, definitions {}, {}\n", config.spec.name, config.spec.config_hash, threads) +
         inputs_text(config) + join_text(config.spec.join) + windows_text(config.spec) + metrics_text(config) +
         experiments_text(config.spec) + cost_text(config.spec) + edges_text(config);
}

std::string summary_json(const Config& config) {
  const EvaluatorSpec& spec = config.spec;
  const auto window = [](const WindowSpec& each) {
    if (each.is_whole()) return fmt::format(R"({{"name":{},"size":"all"}})", json_string(each.name));
    return fmt::format(R"({{"name":{},"size":{},"slide":{},"offset":{}}})", json_string(each.name), duration_json(each.size),
                       duration_json(each.slide), duration_json(each.offset));
  };
  const auto segment = [](const SegmentSpec& each) {
    const std::string keep = list_text(each.keep, ",", [](const auto& tuple) { return strings_json(tuple); });
    return fmt::format(R"({{"keys":{},"keep":[{}]}})", strings_json(each.keys), keep);
  };
  return fmt::format(
      R"({{"name":{},"config":"{}","threads":{},"inputs":[{}],"command_line":{},"join":{},"windows":[{}],"segments":[{}],)"
      R"("catalog":{},"metrics":{{"cutoffs":[{}],"confidence":{},"presets":{},"names":[{}]}},"experiments":[{}],"cost":{}}})",
      json_string(spec.name), spec.config_hash, config.threads, list_text(config.inputs, ",", input_json),
      input_json(config.command_line), join_json(spec.join), list_text(spec.windows, ",", window),
      list_text(spec.segments, ",", segment), spec.catalog ? fmt::format(R"({{"size":{}}})", spec.catalog->size) : "null",
      fmt::join(spec.metrics.cutoffs, ","), spec.metrics.confidence, strings_json(config.presets),
      list_text(spec.metrics.requests, ",", metric_json), list_text(spec.experiments, ",", experiment_json), cost_json(spec));
}

}  // namespace recmeter
