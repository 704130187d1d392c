#include "config/config_change.h"

#include "config/shape_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <set>

#include "recmeter/base/check.h"
#include "recmeter/metric/definition_id.h"
#include "recmeter/metric/registry.h"

namespace recmeter {

namespace {

using config::json_string;
using config::Key;
using config::scalar_text;
using config::text_of;

// What a key comes to. Where two configurations do not have the same of it (another action, another topic), it is the list of
// names that says so.
struct Setting {
  KeyKind kind;
  std::string place;
  std::string value;
};

class Settings {
 public:
  void add(KeyKind kind, std::string place, std::string value) { all_.push_back({kind, std::move(place), std::move(value)}); }
  // What is not free of a table; keys by hand are `by_hand`'s, which takes their name and does the same.
  template <class Object, std::size_t N, class ByHand>
  void add(const std::string& section, const std::array<Key<Object>, N>& keys, const Object& object, const ByHand& by_hand) {
    for (const Key<Object>& key : keys) {
      if (key.kind == KeyKind::free) continue;
      const std::string place = section + "." + std::string(key.name);
      key.get == nullptr ? by_hand(key.name) : add(key.kind, place, scalar_text(key.type, key.get(object)));
    }
  }
  [[nodiscard]] const std::vector<Setting>& all() const { return all_; }

 private:
  std::vector<Setting> all_;
};

std::string list_text(const auto& list, const auto& each) {
  return fmt::format("[{}]", fmt::join(list | std::views::transform(each), ", "));
}
std::string list_text(const auto& strings) {
  return fmt::format("[{}]", fmt::join(strings, ", "));
}

void add_input(Settings& settings, const std::string& topic, const InputSpec& input) {
  const std::string place = fmt::format("inputs({})", topic);
  const FieldTable& table = input.fields;
  const Shape shape = shape_of(table);
  const auto add_text = [&](std::string_view key, std::string text) {
    settings.add(KeyKind::meaning, fmt::format("{}.{}", place, key), std::move(text));
  };
  const auto add_field = [&](std::string_view field, const std::optional<FieldSource>& source) {
    add_text(fmt::format("fields.{}", field), source ? config::source_text(*source) : "not set");
  };
  settings.add(place, config::input_keys, input, [&](std::string_view key) {
    if (key == "fields") {
      for (std::size_t f = 0; f < field_count; ++f) add_field(to_string(static_cast<Field>(f)), shape.common.fields[f]);
      for (std::size_t f = 0; f < entry_field_count; ++f) {
        add_field(fmt::format("items.{}", to_string(static_cast<EntryField>(f))), shape.common.entry[f]);
      }
      for (const auto& [name, source] : shape.common.segments) add_field("segments." + name, source);
    } else if (key == "types") {
      settings.add(KeyKind::meaning, place + ".types",
                   list_text(table.types, [](const auto& type) { return type.first + ": " + type.second; }));
    } else if (key == "unit") {
      add_text(key, config::unit_text(table.time));
    } else if (key == "zone") {
      add_text(key, table.time.zone_name);
    } else if (key == "root") {
      add_text(key, path_text(shape.root));
    } else if (key == "absent") {
      add_text(key, list_text(shape.absent));
    } else if (key == "text_numbers") {
      add_text(key, shape.text_numbers ? "true" : "false");
    } else if (key == "entries") {
      add_text(key, config::conditions_text(shape.entries));
    } else if (key == "events") {
      add_text(key, list_text(shape.rules, [](const EventRule& rule) {
                 return fmt::format("{} when {} of {}: {}", rule.type, config::conditions_text(rule.when),
                                    config::conditions_text(rule.entries), config::fields_text(rule.fields));
               }));
    }
  });
  settings.add(place + ".csv", config::csv_keys, input.csv,
               [&](std::string_view /*columns*/) { add_text("csv.columns", list_text(input.csv.columns)); });
}

void add_inputs(Settings& settings, const std::vector<InputSpec>& inputs) {
  std::set<std::string> topics;
  for (const InputSpec& input : inputs) topics.insert(input.topics.begin(), input.topics.end());
  settings.add(KeyKind::meaning, "inputs", list_text(topics));
  for (const InputSpec& input : inputs) {
    for (const std::string& topic : input.topics) add_input(settings, topic, input);
  }
}

// The journal knows actions by their order.
void add_actions(Settings& settings, const JoinRule& rule) {
  settings.add(KeyKind::meaning, "join.actions", list_text(rule.actions, [](const Action& action) { return action.name; }));
  for (const Action& action : rule.actions) {
    const std::string place = "join.actions." + action.name;
    settings.add(place, config::action_keys, action, [&](std::string_view key) {
      if (key == "from") {
        const std::string bound = action.from ? fmt::format("{}", *action.from) : "not set";
        return settings.add(KeyKind::meaning, place + ".from",
                            action.is_from_mean ? std::string(config::user_mean_word) : bound);
      }
      if (key == "once") {
        return settings.add(KeyKind::meaning, place + ".once", std::string(action.once ? config::once_word : "not set"));
      }
      if (key == "on") {
        return settings.add(KeyKind::meaning, place + ".on", std::string(action.on_list ? config::on_list_word : "item"));
      }
      const bool is_written = action.after && action.undoes == (key == "undoes");
      settings.add(KeyKind::meaning, fmt::format("{}.{}", place, key),
                   is_written ? rule.actions[*action.after].name : "not set");
    });
  }
}

void add_join(Settings& settings, const JoinRule& rule) {
  settings.add("join", config::join_keys, rule, [&](std::string_view key) {
    if (key == "horizons") {
      settings.add(KeyKind::meaning, "the longest of join.horizons", text_of(rule.longest_horizon()));
      settings.add(KeyKind::additive, "join.horizons",
                   list_text(rule.horizons, [](Duration horizon) { return text_of(horizon); }));
    } else if (key == "actions") {
      add_actions(settings, rule);
    } else {
      settings.add(KeyKind::meaning, "join.not_users", list_text(rule.key.not_users));
    }
  });
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
  const auto add = [&](const char* key, std::string value) { settings.add(KeyKind::additive, key, std::move(value)); };
  add("metrics.cutoffs", list_text(spec.cutoffs, [](std::uint32_t k) { return std::to_string(k); }));
  add("metrics.names", list_text(spec.requests, request_text));
  add("metrics.confidence", fmt::format("{}", spec.confidence));
  settings.add("metrics.popularity", config::popularity_keys, spec.popularity, [](std::string_view) {});
  const Examination& examination = spec.examination;
  const bool is_known = examination.is_known();
  const auto rate_text = [](double rate) { return fmt::format("{}", rate); };
  add("metrics.examination.first", is_known ? rate_text(examination.first) : "not set");
  add("metrics.examination.by_rank", is_known ? list_text(examination.by_rank, rate_text) : "not set");
}

Settings settings_of(const Config& config) {
  const EvaluatorSpec& spec = config.spec;
  Settings settings;
  settings.add(KeyKind::additive, "name", spec.name);
  add_inputs(settings, config.inputs);
  add_join(settings, spec.join);
  settings.add(KeyKind::meaning, "time.max_future_skew", text_of(spec.time.max_future_skew));
  const auto window = [](const WindowSpec& each) {
    return fmt::format("{} {} by {} at {}", each.name, text_of(each.size), text_of(each.slide), text_of(each.offset));
  };
  std::vector<WindowSpec> windows;  // that a live run has
  std::ranges::remove_copy_if(spec.windows, std::back_inserter(windows), &WindowSpec::is_whole);
  settings.add(KeyKind::additive, "windows", list_text(windows, window));
  const auto tuple = [](const std::vector<std::string>& values) { return list_text(values, json_string); };
  const auto segment = [&](const SegmentSpec& each) { return tuple(each.keys) + " keeps " + list_text(each.keep, tuple); };
  settings.add(KeyKind::additive, "segments", list_text(spec.segments, segment));
  const bool is_listed = spec.catalog && !spec.catalog->items.empty();
  settings.add(KeyKind::additive, "catalog",
               !spec.catalog ? "none"
               : is_listed   ? "a file"
                             : std::to_string(spec.catalog->size));
  add_metrics(settings, spec.metrics);
  // Events of before lack what was an unknown key then.
  settings.add(KeyKind::meaning, "latency_ms of impressions", fields_read(spec).latency_ms ? "read" : "not read");
  settings.add("ratings", config::ratings_keys, spec.ratings, [&](std::string_view /*extremes*/) {
    settings.add(KeyKind::meaning, "ratings.extremes",
                 fmt::format("[{}, {}]", spec.ratings.extremes_low, spec.ratings.extremes_high));
  });
  settings.add("lanes", config::lane_keys, spec.lanes, [&](std::string_view /*names*/) {
    settings.add(KeyKind::meaning, "lanes.names", list_text(spec.lanes.names, json_string));
  });
  settings.add(KeyKind::meaning, "off_policy", spec.off_policy ? "written" : "not written");
  settings.add("off_policy", config::off_policy_keys, spec.off_policy.value_or(OffPolicySpec{}), [](std::string_view) {});
  const AttributionSpec attribution = spec.attribution.value_or(AttributionSpec{});
  settings.add("attribution", config::attribution_keys, attribution, [&](std::string_view /*windows*/) {
    settings.add(KeyKind::additive, "attribution.windows", list_text(attribution.windows));
  });
  settings.add("limits", config::limits_keys, spec.limits, [](std::string_view) {});
  return settings;
}

}  // namespace

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
