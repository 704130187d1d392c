#include "app/infer/configuration_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/infer/ignored_words.h"
#include "app/infer/segment_text.h"
#include "app/infer/yaml_text.h"
#include "config/config.h"
#include "recmeter/result/render.h"

namespace recmeter {
namespace {

constexpr const char* base_evidence = "position 0 is in 90 % of the lists, or more";

std::string head(const std::vector<std::string>& files, const LogSample& first, std::size_t records) {
  const std::string looked_at =
      first.has_places ? fmt::format("{} records at ten places", records) : fmt::format("the first {} records", records);
  return fmt::format("# What recmeter infer found in {} of {} ({}).\n", looked_at,
                     comment_text(fmt::format("{}", fmt::join(files, ", "))), first.format);
}

struct Horizon {
  std::string value = "30m";
  std::string evidence = "the usual choice: too few actions are on an item of a list";
};

// `assemble`: no horizon is shorter, by [S3.21].
Horizon horizon_for(const doctor::DelayCurve* curve, Duration assemble) {
  Horizon horizon;
  if (assemble.ms > 30 * one_minute.ms) horizon.value = render_duration(assemble);
  if (curve == nullptr) return horizon;
  horizon.value = render_duration(curve->advised);
  if (const doctor::ActionDelays* slowest = curve->slowest(); slowest != nullptr) {
    horizon.evidence = fmt::format("keeps 99 % of each action; {} needs it. Rows are final so much later", slowest->name);
  } else if (!curve->has_delays) {
    horizon.evidence = "the usual choice: actions have the time of their list";
  } else if (!curve->is_named && curve->has_enough) {
    horizon.evidence = "the usual choice; actions name no list, and are not later than that";
  }
  return horizon;
}

std::string braces(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : pairs) texts.push_back(fmt::format("{}: {}", key, value));
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

std::string event_text(const EventGuess& event) {
  std::string text = "      - {type: " + yaml_text(event.type);
  if (!event.when.empty()) text += ", when: " + braces(event.when);
  if (!event.entries.empty()) text += ", entries: " + braces(event.entries);
  if (!event.fields.empty()) text += ", fields: " + braces(event.fields);
  return yaml_line(text + "}", event.evidence);
}

std::string field_of(Role role) {
  return role == Role::rating ? "value" : std::string(to_string(role));
}

// Tells whether times are doubles, which are read as texts.
bool has_doubles(const InputGuess& input) {
  const auto is_made = [](const auto& field) { return field.first == "ts" && field.second.starts_with('{'); };
  return are_doubles(*input.time.column, input.time) || std::ranges::any_of(input.events, [&](const EventGuess& event) {
           return std::ranges::any_of(event.fields, is_made);
         });
}

// Tells whether a number that is needed is a text, as in extended JSON. In CSV all are, and are read so.
bool needs_text_numbers(const InputGuess& input) {
  if (input.sample->is_rows) return false;
  const auto is_text = [&input](const Choice& choice) {
    if (choice.role != Role::position && choice.role != Role::rating && choice.role != Role::propensity) return false;
    return std::ranges::any_of(input.sample->columns, [&choice](const Column& column) {
      return column.as_number < column.present && yaml_text(column.path) == choice.best.value;
    });
  };
  return input.time.are_texts || has_doubles(input) || std::ranges::any_of(input.choices, is_text);
}

// Tells whether a number that is needed has a decimal comma.
bool uses_commas(const InputGuess& input) {
  return std::ranges::any_of(input.sample->columns, [&input](const Column& column) {
    if (!column.has_commas) return false;
    const std::string path = yaml_text(column.path);
    const auto is_it = [&path](const auto& field) { return field.second == path; };
    return &column == input.time.column ||
           std::ranges::any_of(input.choices, [&path](const Choice& choice) { return choice.best.value == path; }) ||
           std::ranges::any_of(input.events,
                               [&](const EventGuess& event) { return std::ranges::any_of(event.fields, is_it); });
  });
}

std::string input_text(const InputGuess& input, const std::vector<std::string>& files) {
  const LogSample& sample = *input.sample;
  std::string text;
  const auto add = [&text](const std::string& key, const std::string& comment = "") {
    text += yaml_line((text.empty() ? "  - " : "    ") + key, comment);
  };
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(yaml_text(file));
  if (!files.empty()) add(fmt::format("file: [{}]", fmt::join(names, ", ")));
  if (sample.is_rows) {
    const std::string csv = csv_text(sample.form, sample.has_header, uses_commas(input));
    if (!csv.empty()) add(csv, sample.has_header ? "" : "its first row is like the others");
    if (sample.form.has_nulls) add("absent: ['\\N']", "stands for no value");
  }
  const bool is_pattern = input.time.unit.find('%') != std::string::npos;
  add(
      is_pattern ? fmt::format("unit: {{pattern: {}}}", yaml_text(input.time.unit)) : "unit: " + input.time.unit,
      "dates from " + [&] {
        EventTime first = plus_infinity;
        for (const auto& time : input.time.times) first = time ? std::min(first, *time) : first;
        return render_utc(first);
      }());
  if (input.time.needs_zone) {
    add("zone: UTC",
        input.time.are_dates ? "days begin at its midnight" : "UNSURE: times have no offset; whose clock is it?");
  }
  if (input.time.unit.ends_with(" GMT")) add("zone: UTC", "as the times say");
  if (needs_text_numbers(input)) {
    add("text_numbers: true",
        has_doubles(input) ? "times have a fraction, which a text may" : "numbers are written as texts");
  }
  if (input.position_base == 0) add("position_base: 0", base_evidence);
  add("fields:");
  const Choice time{.role = Role::time, .best = {}, .runner_up = {}, .question = {}};
  const std::vector<std::string> doubts = time_doubts(input.time);
  const bool is_unsure =
      std::ranges::any_of(doubts, [](const std::string& doubt) { return doubt.find("zone") == std::string::npos; });
  text += yaml_line("      ts: " + time_source(*input.time.column, input.time),
                    is_unsure ? "UNSURE: " + doubts.front() : "a time in every record");
  for (const Choice& choice : input.choices) {
    text += yaml_line(fmt::format("      {}: {}", field_of(choice.role), choice.best.value),
                      choice.is_unsure() ? "UNSURE: " + doubt_text(choice) : choice.best.evidence);
  }
  if (!input.segments.empty()) {
    std::vector<std::pair<std::string, std::string>> sources;
    for (const SegmentGuess& segment : input.segments) sources.emplace_back(yaml_text(segment.key), yaml_text(segment.path));
    text += yaml_line("      segments: " + braces(sources), "few values each");
  }
  add("events:");
  for (const EventGuess& event : input.events) text += event_text(event);
  return text + ignored_words_text(input);
}

std::string actions_text(const LogGuess& guess) {
  std::vector<std::string> texts;
  for (const ActionWord& action : guess.actions) {
    texts.push_back(guess.on_lists.contains(action.action)
                        ? fmt::format("{}: {{on: list}}", yaml_text(action.action))
                        : fmt::format("{}: {{gain: {}}}", yaml_text(action.action), action.gain));
  }
  return fmt::format("  actions: {{{}}}\n", fmt::join(texts, ", "));
}

}  // namespace

std::string dropped_doubt(const FittingShape& shape) {
  return fmt::format("{} fits but for this: no position stands there. Are lists in the order in which they were shown?",
                     shape.name);
}

std::string doubt_text(const Choice& choice) {
  if (!choice.question.empty()) return choice.question;
  if (choice.runner_up.score > 0) {
    return fmt::format("{} ({}) or {} ({})?", choice.best.value, choice.best.evidence, yaml_text(choice.runner_up.value),
                       choice.runner_up.evidence);
  }
  return fmt::format("is it {}? {}", choice.best.value, choice.best.evidence);
}

std::vector<std::string> time_doubts(const TimeGuess& time) {
  std::vector<std::string> doubts;
  const bool is_close = time.runner_up != nullptr && time.score < sure_lead * time.runner_up_score;
  if (is_close) doubts.push_back(fmt::format("{} or {}? Both are times", time.column->path, time.runner_up->path));
  if (time.are_dates) {
    doubts.emplace_back(
        "these are dates without a time of day, so nothing tells what came first on a day; export the times if there are "
        "any");
  }
  if (time.unit == "excel") doubts.emplace_back("are these days of Excel, counted from 1899-12-30?");
  if (time.day_may_be_month) doubts.emplace_back("does the day come first, or the month? No date shows it");
  if (time.needs_zone && !time.are_dates)
    doubts.emplace_back("times have no offset: set `zone` to that of the clock that wrote them");
  return doubts;
}

namespace {

// Behind a key of a shape's input. `evidence`: for the shape.
std::string key_evidence(std::string_view key, const FittingShape& shape, const std::string& evidence) {
  if (key.starts_with("shape:")) {
    return shape.others.empty() ? evidence : fmt::format("{}; {} reads the same", evidence, fmt::join(shape.others, ", "));
  }
  if (key.starts_with("position_base:")) return base_evidence;
  if (key.starts_with("absent:")) return "stands for no value";
  if (!key.starts_with("fields:")) return "";
  return shape.dropped.empty() ? "few values each" : "UNSURE: " + dropped_doubt(shape);
}

}  // namespace

std::string shape_text(const FittingShape& shape, const std::vector<LogSample>& samples, const LearnedOfLog& learned) {
  const doctor::DelayCurve* const curve = learned.curve;
  const Trial& trial = shape.trial;
  std::vector<std::string> files;
  std::size_t records = 0;
  for (const LogSample& sample : samples) {
    files.push_back(sample.file);
    records += sample.records + sample.bulk_lines;
  }
  std::string text = head(files, samples.front(), records);
  const std::string evidence =
      fmt::format("{} events, {} invalid, {} other records", trial.events, trial.invalid, trial.ignored + trial.timeless);
  const bool is_native = shape.name == "native";
  if (is_native) text += "# Its fields have recmeter's own names. " + evidence + ".\n";
  const std::vector<std::string> keys = shape_keys(shape);
  for (const std::string& key : keys) {
    if (&key == keys.data()) text += "inputs:\n";
    text += yaml_line((&key == keys.data() ? "  - " : "    ") + key, key_evidence(key, shape, evidence));
  }
  const auto has_credit = [](const doctor::ActionDelays& action) { return action.credited > 0; };
  if (curve != nullptr && std::ranges::any_of(curve->actions, has_credit)) {
    const Horizon horizon = horizon_for(curve, Duration{0});
    text += "join:\n" + yaml_line(fmt::format("  horizons: [{}]", horizon.value), horizon.evidence);
  }
  return text + segments_text(shape.segments, {.first_list = shape.first_list,
                                               .joins_by_list = shape.joins_by_list,
                                               .experiments = learned.experiments});
}

std::string guess_text(const LogGuess& guess, const std::vector<InputFiles>& inputs, const LearnedOfLog& learned) {
  std::vector<std::string> files;
  std::size_t records = 0;
  for (const InputFiles& input : inputs) files.insert(files.end(), input.files.begin(), input.files.end());
  for (const InputGuess& input : guess.inputs) records += input.sample->records + input.sample->bulk_lines;
  std::string text = head(files, *guess.inputs.front().sample, records) + "inputs:\n";
  for (const InputGuess& input : guess.inputs) {
    text += input_text(input, inputs.size() > 1 ? inputs[input.number].files : std::vector<std::string>());
  }
  const bool has_dates = std::ranges::any_of(guess.inputs, [](const InputGuess& input) { return input.time.are_dates; });
  if (has_dates) text += "time:\n" + yaml_line("  max_step: 0s", "from date to date is no wrong clock");
  text += "join:\n";
  if (guess.joins_by_list) text += yaml_line("  key: list", "actions name their list");
  if (guess.assemble) {
    text += yaml_line("  assemble: " + render_duration(*guess.assemble), "takes 99 % of the rows of a list");
    if (*guess.assemble > Config().spec.join.same_list)
      text += yaml_line("  same_list: " + render_duration(*guess.assemble), "no shorter");
  }
  if (guess.repeats_lists) text += yaml_line("  same_list: 1d", "a list comes again with each action on it");
  const Horizon horizon = guess.repeats_lists
                              ? Horizon{"30m", "actions have the time of their list, or are seconds behind it"}
                          : has_dates ? Horizon{"2d", "on the date of the list, or on the next"}
                                      : horizon_for(learned.curve, guess.assemble.value_or(Duration{0}));
  text += yaml_line(fmt::format("  horizons: [{}]", horizon.value), horizon.evidence);
  if (!guess.actions.empty()) text += actions_text(guess);
  for (const InputGuess& input : guess.inputs) {
    text += segments_text(
        input.segments,
        {.first_list = input.first_list, .joins_by_list = guess.joins_by_list, .experiments = learned.experiments});
  }
  return text;
}

}  // namespace recmeter
