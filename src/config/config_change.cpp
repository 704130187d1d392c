#include "config/config_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "config/scalar.h"
#include "recmeter/base/check.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

using config::json_string;
using config::text_of;

constexpr std::array keys{
    ConfigKey{"threads", KeyKind::free},
    ConfigKey{"name", KeyKind::additive},
    ConfigKey{"inputs[].topic", KeyKind::meaning},
    ConfigKey{"inputs[].file", KeyKind::free},  // attach reads none
    ConfigKey{"inputs[].format", KeyKind::meaning},
    ConfigKey{"inputs[].fields.*", KeyKind::meaning},
    ConfigKey{"inputs[].types", KeyKind::meaning},
    ConfigKey{"inputs[].unit", KeyKind::meaning},
    ConfigKey{"inputs[].position_base", KeyKind::meaning},
    ConfigKey{"inputs[].allowed_lateness", KeyKind::meaning},
    ConfigKey{"inputs[].idle_after", KeyKind::free},
    ConfigKey{"join.key", KeyKind::meaning},
    ConfigKey{"join.credit", KeyKind::meaning},
    ConfigKey{"join.horizons", KeyKind::additive},  // the longest one is a setting of its own
    ConfigKey{"join.actions", KeyKind::meaning},
    ConfigKey{"join.actions.*.gain", KeyKind::meaning},
    ConfigKey{"join.actions.*.horizon", KeyKind::meaning},
    ConfigKey{"join.actions.*.after", KeyKind::meaning},
    ConfigKey{"join.skew", KeyKind::meaning},
    ConfigKey{"join.same_list", KeyKind::meaning},
    ConfigKey{"join.assemble", KeyKind::meaning},
    ConfigKey{"join.not_users", KeyKind::meaning},
    ConfigKey{"time.allowed_lateness", KeyKind::meaning},
    ConfigKey{"time.max_future_skew", KeyKind::meaning},
    ConfigKey{"time.max_step", KeyKind::free},  // of plain files
    ConfigKey{"time.idle_after", KeyKind::free},
    ConfigKey{"windows[].name", KeyKind::additive},
    ConfigKey{"windows[].size", KeyKind::additive},
    ConfigKey{"windows[].slide", KeyKind::additive},
    ConfigKey{"windows[].offset", KeyKind::additive},
    ConfigKey{"segments[].keys", KeyKind::additive},
    ConfigKey{"segments[].keep", KeyKind::additive},
    ConfigKey{"catalog.size", KeyKind::additive},
    ConfigKey{"catalog.file", KeyKind::additive},
    ConfigKey{"metrics.cutoffs", KeyKind::additive},
    ConfigKey{"metrics.names", KeyKind::additive},
    ConfigKey{"metrics.names[].*", KeyKind::additive},
    ConfigKey{"metrics.gain", KeyKind::additive},
    ConfigKey{"metrics.ap_denominator", KeyKind::additive},
    ConfigKey{"metrics.beta", KeyKind::additive},
    ConfigKey{"metrics.confidence", KeyKind::additive},
    ConfigKey{"metrics.preset", KeyKind::additive},
    ConfigKey{"metrics.popularity.period", KeyKind::additive},
    ConfigKey{"metrics.popularity.step", KeyKind::additive},
    ConfigKey{"metrics.popularity.top", KeyKind::additive},
    ConfigKey{"ratings.min", KeyKind::meaning},
    ConfigKey{"ratings.max", KeyKind::meaning},
    ConfigKey{"ratings.extremes", KeyKind::meaning},
    ConfigKey{"ratings.reversal", KeyKind::meaning},
    ConfigKey{"ratings.half_life", KeyKind::meaning},
    ConfigKey{"ratings.default_vote", KeyKind::meaning},
    ConfigKey{"ratings.liked", KeyKind::meaning},
    ConfigKey{"limits.list_items", KeyKind::meaning},
    ConfigKey{"limits.id_bytes", KeyKind::meaning},
    ConfigKey{"limits.segment_bytes", KeyKind::meaning},
    ConfigKey{"limits.message_bytes", KeyKind::meaning},
    ConfigKey{"limits.segment_values", KeyKind::additive},
    ConfigKey{"limits.distinct_items", KeyKind::additive},
    ConfigKey{"limits.compared_lists", KeyKind::additive},
    ConfigKey{"limits.windows_per_list", KeyKind::free},
    ConfigKey{"limits.values_per_list", KeyKind::free},
    ConfigKey{"limits.values_per_day", KeyKind::free},
    ConfigKey{"limits.tolerated_reasons", KeyKind::free},
    ConfigKey{"limits.invalid_share", KeyKind::free},
    ConfigKey{"limits.lost_share", KeyKind::free},
    ConfigKey{"kafka.*", KeyKind::free},
    ConfigKey{"dead_letter.*", KeyKind::free},
    ConfigKey{"state.*", KeyKind::free},
    ConfigKey{"publish.*", KeyKind::free},
};

// What a key comes to. Where two configurations do not have the same of it (another action, another topic), it is the list of
// names that says so.
struct Setting {
  KeyKind kind;
  std::string place;
  std::string value;
};

class Settings {
 public:
  // `key`: of config_keys(); `place`: where it is not the key itself.
  void add(std::string_view key, std::string value, std::string place = {}) {
    const auto known = std::ranges::find(keys, key, &ConfigKey::name);
    RECMETER_CHECK(known != keys.end() && known->kind != KeyKind::free, "a setting has a kind");
    add(known->kind, place.empty() ? std::string(key) : std::move(place), std::move(value));
  }
  void add(KeyKind kind, std::string place, std::string value) { all_.push_back({kind, std::move(place), std::move(value)}); }
  [[nodiscard]] const std::vector<Setting>& all() const { return all_; }

 private:
  std::vector<Setting> all_;
};

template <class List, class Text>
std::string list_text(const List& list, const Text& each) {
  std::vector<std::string> texts;
  for (const auto& element : list) texts.push_back(each(element));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}
std::string list_text(const auto& strings) {
  return list_text(strings, [](const auto& text) { return std::string(text); });
}

void add_input(Settings& settings, const std::string& topic, const InputSpec& input) {
  constexpr std::array<std::string_view, 2> formats{"jsonl", "kcat"};
  constexpr std::array<std::string_view, 5> units{"s", "ms", "us", "ns", "rfc3339"};
  const auto add = [&](std::string_view key, std::string value) {
    settings.add(fmt::format("inputs[].{}", key), std::move(value), fmt::format("inputs({}).{}", topic, key));
  };
  const auto add_field = [&](std::string_view field, const std::vector<std::string>& path) {
    settings.add("inputs[].fields.*", fmt::format("{}", fmt::join(path, ".")),
                 fmt::format("inputs({}).fields.{}", topic, field));
  };
  const FieldTable& table = input.fields;
  add("format", std::string(formats[static_cast<std::size_t>(input.format)]));
  for (std::size_t f = 0; f < field_count; ++f) add_field(to_string(static_cast<Field>(f)), table.paths[f]);
  add_field("items.item_id", table.entry_item_id);
  add_field("items.value", table.entry_value);
  add("types", list_text(table.types, [](const auto& type) { return type.first + ": " + type.second; }));
  add("unit", std::string(units[static_cast<std::size_t>(table.unit)]));
  add("position_base", std::to_string(table.position_base));
  add("allowed_lateness", text_of(input.allowed_lateness));
}

void add_inputs(Settings& settings, const std::vector<InputSpec>& inputs) {
  std::set<std::string> topics;
  for (const InputSpec& input : inputs) topics.insert(input.topics.begin(), input.topics.end());
  settings.add("inputs[].topic", list_text(topics), "inputs");
  for (const InputSpec& input : inputs) {
    for (const std::string& topic : input.topics) add_input(settings, topic, input);
  }
}

// The journal knows actions by their order.
void add_join(Settings& settings, const JoinRule& rule) {
  constexpr std::array<std::string_view, 3> credits{"last_touch", "first_touch", "every_touch"};
  settings.add("join.key", rule.key.by == JoinKey::By::user ? "user" : "list");
  settings.add("join.credit", std::string(credits[static_cast<std::size_t>(rule.credit)]));
  settings.add(KeyKind::meaning, "the longest of join.horizons", text_of(rule.longest_horizon()));
  settings.add("join.horizons", list_text(rule.horizons, [](Duration horizon) { return text_of(horizon); }));
  settings.add("join.actions", list_text(rule.actions, [](const Action& action) { return action.name; }));
  for (const Action& action : rule.actions) {
    const std::string place = "join.actions." + action.name;
    settings.add("join.actions.*.gain", fmt::format("{}", action.gain), place + ".gain");
    settings.add("join.actions.*.horizon", action.horizon ? text_of(*action.horizon) : "not set", place + ".horizon");
    settings.add("join.actions.*.after", action.after ? rule.actions[*action.after].name : "not set", place + ".after");
  }
  settings.add("join.skew", text_of(rule.skew));
  settings.add("join.same_list", text_of(rule.same_list));
  settings.add("join.assemble", text_of(rule.assemble));
  settings.add("join.not_users", list_text(rule.key.not_users));
}

std::string request_text(const MetricRequest& request) {
  const MetricDefinition* metric = find_metric(request.name);
  RECMETER_CHECK(metric != nullptr, "requests name known metrics");
  std::string text = request.as.value_or(request.name) + " of " + request.name;
  for (const OptionChoice& choice : option_choices(*metric, request.options)) {
    text += fmt::format(" {}={}", choice.option, choice.value);
  }
  return text;
}

void add_metrics(Settings& settings, const MetricSpec& spec) {
  settings.add("metrics.cutoffs", list_text(spec.cutoffs, [](std::uint32_t k) { return std::to_string(k); }));
  settings.add("metrics.names", list_text(spec.requests, request_text));
  settings.add("metrics.confidence", fmt::format("{}", spec.confidence));
  settings.add("metrics.popularity.period", text_of(Duration{spec.popularity.period_ms}));
  settings.add("metrics.popularity.step", text_of(Duration{spec.popularity.step_ms}));
  settings.add("metrics.popularity.top", std::to_string(spec.popularity.top));
}

void add_ratings(Settings& settings, const RatingRule& rule) {
  const auto add = [&](std::string_view key, double value) { settings.add(key, fmt::format("{}", value)); };
  add("ratings.min", rule.min);
  add("ratings.max", rule.max);
  settings.add("ratings.extremes", fmt::format("[{}, {}]", rule.extremes_low, rule.extremes_high));
  add("ratings.reversal", rule.reversal);
  add("ratings.half_life", rule.half_life);
  add("ratings.default_vote", rule.default_vote);
  add("ratings.liked", rule.liked);
}

void add_limits(Settings& settings, const Limits& limits) {
  const auto add = [&](std::string_view key, std::size_t value) { settings.add(key, std::to_string(value)); };
  add("limits.list_items", limits.list_items);
  add("limits.id_bytes", limits.id_bytes);
  add("limits.segment_bytes", limits.segment_bytes);
  settings.add("limits.message_bytes", config::text_of_size(limits.message_bytes));
  add("limits.segment_values", limits.segment_values);
  add("limits.distinct_items", limits.distinct_items);
  add("limits.compared_lists", limits.compared_lists);
}

Settings settings_of(const Config& config) {
  const EvaluatorSpec& spec = config.spec;
  Settings settings;
  settings.add("name", spec.name);
  add_inputs(settings, config.inputs);
  add_join(settings, spec.join);
  settings.add("time.max_future_skew", text_of(spec.time.max_future_skew));
  const auto window = [](const WindowSpec& each) {
    return fmt::format("{} {} by {} at {}", each.name, text_of(each.size), text_of(each.slide), text_of(each.offset));
  };
  settings.add(KeyKind::additive, "windows", list_text(spec.windows, window));
  const auto tuple = [](const std::vector<std::string>& values) { return list_text(values, json_string); };
  const auto segment = [&](const SegmentSpec& each) { return tuple(each.keys) + " keeps " + list_text(each.keep, tuple); };
  settings.add(KeyKind::additive, "segments", list_text(spec.segments, segment));
  const bool is_listed = spec.catalog && !spec.catalog->items.empty();
  settings.add(KeyKind::additive, "catalog",
               !spec.catalog ? "none"
               : is_listed   ? "a file"
                             : std::to_string(spec.catalog->size));
  add_metrics(settings, spec.metrics);
  add_ratings(settings, spec.ratings);
  add_limits(settings, spec.limits);
  return settings;
}

}  // namespace

std::span<const ConfigKey> config_keys() noexcept {
  return keys;
}

std::vector<ConfigChange> config_changes(const Config& before, const Config& now) {
  const Settings old_settings = settings_of(before);
  const Settings new_settings = settings_of(now);
  std::vector<ConfigChange> changes;
  for (const Setting& is : new_settings.all()) {
    const auto was = std::ranges::find(old_settings.all(), is.place, &Setting::place);
    if (was == old_settings.all().end() || was->value == is.value) continue;
    changes.push_back({.kind = is.kind, .place = is.place, .was = was->value, .is = is.value});
  }
  return changes;
}

}  // namespace recmeter
