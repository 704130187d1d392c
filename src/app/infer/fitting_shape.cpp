#include "app/infer/fitting_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/infer/yaml_text.h"
#include "config/shapes.h"
#include "recmeter/event/field_path.h"

namespace recmeter {
namespace {

void add_paths(const FieldSource& source, std::set<std::string>& paths) {
  if (!source.path.empty()) paths.insert(path_text(source.path));
  for (const FieldSource& part : source.parts) add_paths(part, paths);
}

void add_paths(const ShapedFields& fields, std::set<std::string>& paths) {
  for (const auto& source : fields.fields) {
    if (source) add_paths(*source, paths);
  }
  for (const auto& [key, source] : fields.segments) add_paths(source, paths);
}

// Tells whether the array that a preset looks for within documents may be in them: a search for one that is not there would
// go on to the end of the log. Lines that could not be read may be those of a document.
bool may_hold(const std::string& records, const std::vector<LogSample>& samples) {
  if (records.empty()) return true;
  const std::string first = records.substr(0, records.find('.'));
  return std::ranges::any_of(samples, [&](const LogSample& sample) {
    const auto is_within = [&](const auto& column) { return column.path.starts_with(first); };
    return sample.unreadable > 0 || std::ranges::any_of(sample.columns, is_within) ||
           std::ranges::any_of(sample.lists, is_within);
  });
}

// Tells whether conditions know the records of a preset among those of other logs.
bool knows_its_records(const Config& config) {
  if (config.inputs.empty() || !config.inputs.front().fields.shape) return false;
  const std::vector<EventRule>& rules = config.inputs.front().fields.shape->rules;
  return !rules.empty() && std::ranges::none_of(rules, [](const EventRule& rule) { return rule.when.empty(); });
}

// Tells whether a preset is for logs that do not say what was shown.
bool is_without_lists(const Config& config) {
  if (config.inputs.empty() || !config.inputs.front().fields.shape) return false;
  return std::ranges::find(config.inputs.front().fields.shape->rules, "impression", &EventRule::type) ==
         config.inputs.front().fields.shape->rules.end();
}

// As rows were read in the sample, where all files are alike; what a preset says itself stays.
ShapeRows rows_of(const std::vector<LogSample>& samples, const Config& preset) {
  const LogSample& first = samples.front();
  const bool are_alike =
      std::ranges::all_of(samples, [&](const LogSample& sample) { return sample.is_rows && sample.form == first.form; });
  if (!are_alike) return {};
  const std::set<std::string> paths = paths_of(preset);
  const bool has_commas = std::ranges::any_of(samples, [&](const LogSample& sample) {
    return std::ranges::any_of(sample.columns,
                               [&](const Column& column) { return column.has_commas && paths.contains(column.path); });
  });
  ShapeRows rows;
  rows.csv = csv_text(first.form, true, has_commas);
  if (first.form.has_nulls && !preset.inputs.empty()) {
    std::vector<std::string> absent{"'\\N'"};
    for (const std::string& text : shape_of(preset.inputs.front().fields).absent) absent.push_back(yaml_text(text));
    rows.absent = fmt::format("absent: [{}]", fmt::join(absent, ", "));
  }
  return rows;
}

// A preset, or "native", over the sample: with rows as the sample was read, and positions from 1, or from 0 where the log
// counts so.
Result<FittingShape> tried_shape(const std::string& name, const std::vector<std::string>& files,
                                 const std::vector<LogSample>& samples, const Config& preset, const std::atomic<bool>& stop) {
  FittingShape shape{.name = name, .others = {}, .trial = {}};
  shape.rows = rows_of(samples, preset);
  const auto config = load_inferred(shape_input(shape));
  if (!config) return failure(Errc::config_invalid, to_text(config.error().front()));
  auto trial = try_configuration(*config, files, stop);
  if (trial && trial->bad_positions > 0) {
    const auto base = find_position_base(*config, files, stop);
    if (!base) return tl::unexpected(base.error());
    shape.positions = *base;
    if (base->base == 0) trial = try_configuration(*load_inferred(shape_input(shape)), files, stop);
  }
  // Entries whose positions are words stand in an order still.
  if (trial && trial->bad_positions == 0 && trial->unfit_field() == "position") {
    FittingShape without = shape;
    without.dropped = "items.position";
    if (const auto dropping = load_inferred(shape_input(without))) {
      shape.dropped = without.dropped;
      trial = try_configuration(*dropping, files, stop);
    }
  }
  if (!trial) return tl::unexpected(std::move(trial).error());
  shape.trial = std::move(*trial);
  if (const std::string field = shape.trial.unfit_field(); !field.empty() && knows_its_records(preset)) {
    shape.near = fmt::format("{} fits but for `{}`, for which {} of {} records are invalid: name its place under `fields`",
                             name, field, shape.trial.invalid, shape.trial.records);
  }
  return shape;
}

// RudderStack writes Segment's events, and its libraries sign them.
bool is_of_rudderstack(const LogSample& sample) {
  const auto names_it = [](Cell name) { return name.starts_with("Rudder") || name.find("rudder") != Cell::npos; };
  return std::ranges::any_of(sample.columns, [&](const Column& column) {
    return column.path == "rudderId" ||
           (column.path == "context.library.name" && std::ranges::any_of(column.cells, names_it));
  });
}

// Takes, of two presets that read the same, the one that the log was written for.
void tell_apart(FittingShape& shape, const std::vector<LogSample>& samples) {
  const auto segment = std::ranges::find(shape.others, "segment");
  if (shape.name != "rudderstack" || segment == shape.others.end()) return;
  if (std::ranges::none_of(samples, is_of_rudderstack)) std::swap(shape.name, *segment);
}

}  // namespace

std::set<std::string> paths_of(const Config& config) {
  std::set<std::string> paths;
  const Shape shape = shape_of(config.inputs.empty() ? FieldTable::native() : config.inputs.front().fields);
  add_paths(shape.common, paths);
  for (const EventRule& rule : shape.rules) {
    add_paths(rule.fields, paths);
    for (const FieldCondition& condition : rule.when) paths.insert(path_text(condition.path));
  }
  return paths;
}

std::vector<std::string> shape_keys(const FittingShape& shape) {
  std::vector<std::string> keys;
  if (shape.name != "native") keys.push_back("shape: " + shape.name);
  if (!shape.rows.csv.empty()) keys.push_back(shape.rows.csv);
  if (!shape.rows.absent.empty()) keys.push_back(shape.rows.absent);
  if (shape.positions.base == 0) keys.emplace_back("position_base: 0");
  std::vector<std::string> fields, segments;
  if (!shape.dropped.empty()) fields.push_back(shape.dropped + ": null");
  for (const SegmentGuess& segment : shape.segments) {
    if (!segment.path.empty()) segments.push_back(fmt::format("{}: {}", yaml_text(segment.key), yaml_text(segment.path)));
  }
  if (!segments.empty()) fields.push_back(fmt::format("segments: {{{}}}", fmt::join(segments, ", ")));
  if (!fields.empty()) keys.push_back(fmt::format("fields: {{{}}}", fmt::join(fields, ", ")));
  return keys;
}

std::string shape_input(const FittingShape& shape) {
  const std::vector<std::string> keys = shape_keys(shape);
  return keys.empty() ? "" : fmt::format("inputs: [{{{}}}]", fmt::join(keys, ", "));
}

Result<FittingShape> find_fitting_shape(const std::vector<std::string>& files, const std::vector<LogSample>& samples,
                                        const std::atomic<bool>& stop) {
  std::vector<std::string> names{"native"};
  for (const std::string_view name : shape_names()) names.emplace_back(name);
  FittingShape best;
  for (const std::string& name : names) {
    const auto config = load_inferred(name == "native" ? "" : fmt::format("inputs: [{{shape: {}}}]", name));
    if (!config) continue;
    if (!config->inputs.empty() && !may_hold(config->inputs.front().records, samples)) continue;
    auto shape = tried_shape(name, files, samples, *config, stop);
    if (!shape && shape.error().code == Errc::interrupted) return shape;
    if (!shape) continue;
    if (best.near.empty()) best.near = shape->near;
    if (!shape->trial.fits()) continue;
    if (shape->trial.lists == 0 && !is_without_lists(*config)) continue;
    if (shape->trial.events > best.trial.events) {
      best = std::move(*shape);
    } else if (shape->trial.events == best.trial.events) {
      best.others.push_back(name);
    }
  }
  tell_apart(best, samples);
  return best;
}

}  // namespace recmeter
