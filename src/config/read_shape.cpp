#include "config/read_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/nearest.h"
#include "config/read_source.h"
#include "config/readers.h"

namespace recmeter::config {

namespace {

constexpr std::size_t rules_max = 16;
constexpr std::size_t texts_max = 64;

FieldCondition::Pattern pattern_of(const Node& node) {
  using Pattern = FieldCondition::Pattern;
  using Kind = Pattern::Kind;
  if (node.kind == Node::Kind::null) return {.kind = Kind::absent};
  const std::string_view text = node.text;
  if (text == "*") return {.kind = Kind::present};
  if (text.ends_with("\\*")) return {.kind = Kind::equal, .text = std::string(text.substr(0, text.size() - 2)) + "*"};
  if (text.ends_with('*')) return {.kind = Kind::prefix, .text = std::string(text.substr(0, text.size() - 1))};
  if (text.starts_with('*')) return {.kind = Kind::suffix, .text = std::string(text.substr(1))};
  return {.kind = Kind::equal, .text = std::string(text)};
}

std::vector<FieldCondition> read_conditions(Section& section, std::string_view key, std::string_view example) {
  std::vector<FieldCondition> conditions;
  Section below = section.section(key, example);
  if (!below.is_written()) return conditions;
  for (std::size_t i = 0; i < below.node()->keys.size(); ++i) {
    const std::string& path_written = below.node()->keys[i];
    const Node& node = below.node()->items[i];
    const Value value{&node, below.path_of(shortened(path_written))};
    auto path = parse_path(path_written);
    if (!path) {
      below.faults().add(below.node()->key_places[i], value.path, "is no path",
                         "write names joined by single dots: event.name");
      continue;
    }
    FieldCondition condition{.path = std::move(*path), .patterns = {}};
    if (node.kind == Node::Kind::list) {
      for (const Node& each : node.items) condition.patterns.push_back(pattern_of(each));
    } else if (node.kind == Node::Kind::mapping) {
      below.reader().complain(value, "is no value to compare with", "write a text, a number, a list of these, \"*\" or null");
    } else {
      condition.patterns.push_back(pattern_of(node));
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

// `segments`: one place of an object, or a place for each key.
void read_segments(Faults& faults, const Value& value, ShapedFields& fields) {
  const bool is_by_key = value.node->kind == Node::Kind::mapping;
  if (!is_by_key) {
    fields.fields[static_cast<std::size_t>(Field::segments)] = read_source(faults, value, "segments");
    return;
  }
  fields.segments.clear();
  for (std::size_t i = 0; i < value.node->keys.size(); ++i) {
    const std::string& key = value.node->keys[i];
    auto source = read_source(faults, {&value.node->items[i], joined(value.path, shortened(key))}, "segments");
    if (source) fields.segments.emplace_back(key, std::move(*source));
  }
  fields.fields[static_cast<std::size_t>(Field::segments)] = FieldSource{.path = {{.name = "segments"}}};
}

// Over what `fields` has already: of all rules, or by default; `null` in a rule drops a field of all rules.
void read_fields(Section& section, ShapedFields& fields, bool is_rule) {
  Section below = section.section("fields", "fields: {user_id: user.id}");
  const auto read = [&](std::string_view name, std::optional<FieldSource>& into) {
    const std::optional<Value> value = is_rule ? below.take_or_null(name) : below.take(name);
    if (!value) return;
    if (value->node->kind == Node::Kind::null) {
      into.reset();
    } else if (auto source = read_source(section.faults(), *value, name)) {
      into = std::move(source);
    }
  };
  for (std::size_t i = 0; i < field_count; ++i) {
    const auto field = static_cast<Field>(i);
    if (field != Field::segments) read(to_string(field), fields.fields[i]);
  }
  if (const auto value = is_rule ? below.take_or_null("segments") : below.take("segments")) {
    if (value->node->kind == Node::Kind::null) {
      fields.segments.clear();
      fields.fields[static_cast<std::size_t>(Field::segments)].reset();
    } else {
      read_segments(section.faults(), *value, fields);
    }
  }
  for (std::size_t i = 0; i < entry_field_count; ++i) {
    read(fmt::format("items.{}", to_string(static_cast<EntryField>(i))), fields.entry[i]);
  }
  below.finish();
}

std::optional<std::string> read_type(Section& section, const Value& value, const JoinRule& rule) {
  std::vector<std::string_view> names{"impression"};
  for (const Action& action : rule.actions) names.push_back(action.name);
  const auto type = section.reader().text(value, 256);
  if (!type || std::ranges::find(names, *type) != names.end()) return type;
  if (!section.faults().is_read("join.actions")) return std::nullopt;
  const std::string question = name_question(*type, names);
  section.reader().complain_of(value, "is neither `impression` nor one of join.actions",
                               question.empty() ? "add it to join.actions, or write " + one_of(names) : question);
  return std::nullopt;
}

void read_types(Section& section, FieldTable& table, const JoinRule& rule) {
  const auto value = section.take("types");
  if (!value || !section.reader().is_mapping(*value, "types: {product_click: click}")) return;
  for (std::size_t i = 0; i < value->node->keys.size(); ++i) {
    const std::string& word = value->node->keys[i];
    if (word.empty()) {
      section.faults().add(value->node->key_places[i], value->path, "an empty word stands for nothing", "remove it");
      continue;
    }
    const auto type = read_type(section, {&value->node->items[i], joined(value->path, shortened(word))}, rule);
    if (type) table.types[word] = *type;
  }
}

void read_rules(Section& section, Shape& shape, const JoinRule& join) {
  const auto value = section.take("events");
  if (!value) return;
  const auto entries =
      section.reader().list(*value, "[{type: impression, when: {event: list_shown}}, {type: click}]", rules_max);
  if (!entries) return;
  if (entries->empty()) section.reader().complain(*value, "is an empty list", "name at least one, or remove the line");
  for (const Value& entry : *entries) {
    if (!section.reader().is_mapping(entry, "{type: click, when: {event: item_clicked}}")) continue;
    Section rule_section(section.faults(), entry.node, entry.path);
    EventRule rule{.type = {}, .when = {}, .entries = shape.entries, .fields = shape.common};
    if (const auto type = rule_section.take("type")) {
      rule.type = read_type(rule_section, *type, join).value_or("impression");
    } else if (!rule_section.has("type")) {
      section.reader().complain(entry, "has no `type`", "say what event the record is: `type: impression`, or an action");
    }
    rule.when = read_conditions(rule_section, "when", "when: {event_name: view_item_list}");
    if (auto chosen = read_conditions(rule_section, "entries", "entries: {kind: product}"); !chosen.empty())
      rule.entries = chosen;
    read_fields(rule_section, rule.fields, true);
    rule_section.finish();
    constexpr auto ts = static_cast<std::size_t>(Field::ts);
    if (shape.common.fields[ts] && !rule.fields.fields[ts]) {
      section.faults().add_at(rule_section.path_of("fields.ts"), "drops the time, and an event has one",
                              "remove it, or name the column of the event's own time");
    }
    shape.rules.push_back(std::move(rule));
  }
}

void read_time(Section& section, TimeForm& time) {
  ValueReader& reader = section.reader();
  if (const auto zone = section.take("zone")) {
    if (const auto name = reader.text(*zone, 64)) {
      time.zone = time_zone(*name);
      time.zone_name = *name;
      if (time.zone == nullptr) {
        reader.complain_of(
            *zone, "is no time zone of this machine",
            "write UTC, an offset such as +01:00, or a name such as Europe/Berlin; names come with the package tzdata");
      }
    }
  }
  const auto unit = section.take("unit");
  if (!unit) return;
  const bool has_zone = time.zone != nullptr || section.has("zone");
  if (unit->node->kind != Node::Kind::mapping) {
    if (const auto index = reader.word(*unit, unit_words)) time.unit = static_cast<TimeUnit>(*index);
    if (time.unit == TimeUnit::excel && !has_zone) {
      reader.complain_of(*unit, "is a local time, so nobody knows which moment it is", "set `zone`, such as `zone: UTC`");
    }
    return;
  }
  Section below(section.faults(), unit->node, unit->path);
  const auto pattern = below.take("pattern");
  below.finish();
  if (!pattern && !below.has("pattern")) {
    reader.complain(*unit, "has no `pattern`", "write {pattern: \"%m/%d/%Y %H:%M:%S\"}");
  }
  if (!pattern) return;
  const auto text = reader.text(*pattern, 64);
  if (!text) return;
  time.unit = TimeUnit::pattern;
  time.pattern = *text;
  if (const auto letter = unknown_time_letter(*text)) {
    reader.complain_of(*pattern, fmt::format("has `%{}`, which is no part of a time here", *letter),
                       "write %Y %y %m %d %b %a %H %I %p %M %S %f %z, and %% for a percent sign");
  } else if (!has_zone && text->find("%z") == std::string::npos) {
    reader.complain_of(*pattern, "has no offset (`%z`), so nobody knows which moment it is",
                       "set `zone`, such as `zone: UTC`");
  }
}

std::optional<std::vector<std::string>> plain_names(const std::optional<FieldSource>& source) {
  if (!source || source->kind != FieldSource::Kind::path) return std::nullopt;
  std::vector<std::string> names;
  for (const PathStep& step : source->path) {
    if (step.kind != PathStep::Kind::name) return std::nullopt;
    names.push_back(step.name);
  }
  return names;
}

// Whether paths of names say all that the shape does; then `table` has them.
bool take_plain(const Shape& shape, FieldTable& table) {
  const ShapedFields& fields = shape.common;
  const auto entry = [&](EntryField field) { return fields.entry[static_cast<std::size_t>(field)]; };
  const bool has_more = !shape.root.empty() || !shape.rules.empty() || !shape.absent.empty() || !shape.entries.empty() ||
                        shape.text_numbers || !fields.segments.empty() || entry(EntryField::position) ||
                        entry(EntryField::score) || entry(EntryField::propensity) || entry(EntryField::team);
  if (has_more) return false;
  FieldTable plain = table;
  for (std::size_t i = 0; i < field_count; ++i) {
    auto names = plain_names(fields.fields[i]);
    if (!names) return false;
    plain.paths[i] = std::move(*names);
  }
  auto item_id = plain_names(entry(EntryField::item_id)), value = plain_names(entry(EntryField::value));
  if (!item_id || !value) return false;
  plain.entry_item_id = std::move(*item_id);
  plain.entry_value = std::move(*value);
  table = std::move(plain);
  return true;
}

bool is_prefix(const FieldPath& shorter, const FieldPath& longer) {
  return shorter.size() <= longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin());
}

// Where nothing uses it, its default path is an unknown key.
bool is_optional(Field field) {
  constexpr std::array optional{Field::teams,     Field::team,     Field::latency_ms,
                                Field::predicted, Field::expected, Field::recommender};
  return std::ranges::find(optional, field) != optional.end();
}

// Two fields whose paths meet: one value cannot be both, and a value cannot be within a value.
void check_paths(Section& section, const FieldTable& table) {
  const auto at = [&](std::size_t field) { return path_of_names(table.paths[field]); };
  const std::string fields = section.path_of("fields");
  for (std::size_t a = 0; a < field_count; ++a) {
    const std::string name(to_string(static_cast<Field>(a)));
    if (!section.faults().is_written(joined(fields, name))) continue;
    for (std::size_t b = 0; b < field_count; ++b) {
      const std::string_view other = to_string(static_cast<Field>(b));
      const bool other_is_written = section.faults().is_written(joined(fields, other));
      if (is_optional(static_cast<Field>(b)) && !other_is_written) continue;
      if (a == b || (other_is_written && b > a)) continue;  // each pair once, at a line that was written
      if (!is_prefix(at(a), at(b)) && !is_prefix(at(b), at(a))) continue;
      const std::string mine = in_quotes(path_text(at(a)));
      section.faults().add_at(joined(fields, name),
                              at(a) == at(b) ? fmt::format("`{}` stands at {}, where `{}` {}", name, mine, other,
                                                           other_is_written ? "stands, too" : "stands by default")
                                             : fmt::format("`{}` at {} and `{}` at {} lie within each other", name, mine,
                                                           other, in_quotes(path_text(at(b)))),
                              other_is_written ? "give each field a path of its own"
                                               : fmt::format("choose another path, or give `{}` one, too", other));
      break;
    }
  }
  const FieldPath item_id = path_of_names(table.entry_item_id), value = path_of_names(table.entry_value);
  if (is_prefix(item_id, value) || is_prefix(value, item_id)) {
    const bool at_value = section.faults().is_written(joined(fields, "items.value"));
    section.faults().add_at(joined(fields, at_value ? "items.value" : "items.item_id"),
                            "an entry's item id and value stand at one place", "give each a path of its own");
  }
}

}  // namespace

void read_field_table(Section& section, InputSpec& input, const JoinRule& rule) {
  Shape shape;
  const bool has_rules = section.has("events");
  shape.common = shape_of(FieldTable::native()).common;
  if (has_rules) shape.common.fields = {};  // what is not named is not looked for
  if (const auto root = section.take("root")) shape.root = read_path(section.reader(), *root).value_or(FieldPath());
  if (const auto absent = section.take("absent")) {
    for (const Value& each : section.reader().list(*absent, "[NA, (not set)]", texts_max).value_or(std::vector<Value>())) {
      if (each.node->kind == Node::Kind::scalar) shape.absent.push_back(each.node->text);
    }
  }
  if (const auto numbers = section.take("text_numbers")) {
    shape.text_numbers = section.reader().boolean(*numbers).value_or(false);
  }
  read_time(section, input.fields.time);
  read_fields(section, shape.common, false);
  shape.entries = read_conditions(section, "entries", "entries: {kind: product}");
  read_types(section, input.fields, rule);
  read_rules(section, shape, rule);
  if (has_rules && (section.has("types") || section.has_below("fields", "type"))) {
    section.faults().add_at(section.path_of("events"), "`events` says what a record is, and so do `types` or `fields.type`",
                            "write conditions under `events` alone, or remove it");
  }
  if (take_plain(shape, input.fields)) {
    const bool is_sound = section.faults().none_in({section.path_of("fields")});
    if (section.has("fields") && is_sound) check_paths(section, input.fields);
  } else {
    input.fields.shape = std::move(shape);
  }
}

}  // namespace recmeter::config
