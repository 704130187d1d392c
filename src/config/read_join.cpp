// `join`: what is credited to what.
#include <fmt/format.h>

#include <algorithm>

#include "config/nearest.h"
#include "config/readers.h"

namespace recmeter::config {

namespace {

constexpr std::size_t not_users_max = 10'000;

void read_horizons(Section& join, JoinRule& rule) {
  const auto value = join.take("horizons");
  if (!value) return;
  const auto entries = join.reader().list(*value, "[30m]", horizons_max);
  if (!entries) return;
  rule.horizons.clear();
  for (const Value& entry : *entries) {
    const auto horizon = join.reader().duration(entry, {Duration{1}, year});
    if (!horizon) continue;
    if (std::ranges::find(rule.horizons, *horizon) != rule.horizons.end()) {
      join.reader().complain_of(entry, "is a horizon already", "remove one of the two");
      continue;
    }
    rule.horizons.push_back(*horizon);
  }
  if (entries->empty()) join.reader().complain(*value, "names no horizon", "write at least one, such as [30m]");
}

void read_not_users(Section& join, JoinRule& rule, std::size_t id_bytes) {
  const auto value = join.take("not_users");
  if (!value) return;
  const auto entries = join.reader().list(*value, "[anonymous, \"0\"]", not_users_max);
  if (!entries) return;
  for (const Value& entry : *entries) {
    const auto id = join.reader().text(entry, id_bytes);
    if (id && !rule.key.not_users.insert(*id).second) join.reader().complain_of(entry, "is there twice", "remove one");
  }
}

// What `after` or `undoes` names, until all actions are read.
struct After {
  std::size_t action;
  Value value;
  bool undoes = false;
};

bool is_action_name(const std::string& name) {
  return !name.empty() && name.size() <= 256 &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

void read_once(Section& section, bool undoes, Action& action) {
  const auto once = section.take("once");
  if (!once || !section.reader().text(*once, 256)) return;
  if (once->node->text != once_word) {
    section.reader().complain_of(*once, "is nothing that an action counts once by", "write event_id");
  } else if (undoes) {
    section.reader().complain(*once, "an order may be returned in parts, which all have its event_id",
                              "remove it, or write it at the action that is undone");
  } else {
    action.once = true;
  }
}

// Returns whether the action is done to whole lists.
bool read_on(Section& section) {
  const auto on = section.take("on");
  if (!on || !section.reader().text(*on, 256)) return false;
  if (on->node->text != on_list_word) {
    if (on->node->text != "item") section.reader().complain_of(*on, "is nothing that an action is on", "write item or list");
    return false;
  }
  for (const char* key : {"gain", "after", "undoes", "from", "once"}) {
    const std::string path = section.path_of(key);
    if (!section.faults().is_written(path)) continue;
    section.faults().add_at(path, fmt::format("`{}` is of items, and this action is done to a whole list", key),
                            "remove it, or `on: list`");
  }
  return true;
}

void read_action(Section& join, const Value& written, const std::string& name, Place place, JoinRule& rule,
                 std::vector<After>& afters) {
  Faults& faults = join.faults();
  if (!is_action_name(name)) {
    faults.add(place, written.path, "is no name for an action", "write 1 to 256 bytes without control characters");
    return;
  }
  if (name == "impression") {
    faults.add(place, written.path, "`impression` is the type of shown lists, not an action",
               "remove it; if your impressions are called differently, say so in `types` of the input");
    return;
  }
  // There is an action of this name, whatever can be read of it.
  const bool has_options = written.node->kind != Node::Kind::null && join.reader().is_mapping(written, name + ": {gain: 1}");
  Section section(faults, has_options ? written.node : nullptr, written.path);
  Action action;
  action.name = name;
  section.read(action_keys, action);
  if (const auto from = section.take("from"); from && from->node->text == user_mean_word) {
    action.is_from_mean = true;
  } else if (from) {
    action.from = section.reader().number(*from, {-rating_max, rating_max});
  }
  const auto after = section.take("after");
  const auto undoes = section.take("undoes");
  read_once(section, undoes.has_value(), action);
  action.on_list = read_on(section);
  if (action.on_list) action.gain = 0;
  if (action.on_list && name == rating_action) {
    faults.add_at(section.path_of("on"), "a rating is of an item", "remove it, or call the action otherwise");
  }
  if (undoes) {
    action.undoes = true;
    action.gain = 0;
    for (const char* key : {"gain", "after", "from"}) {
      const std::string path = section.path_of(key);
      if (faults.is_written(path)) faults.add_at(path, "what undoes an action has no gain and comes after it", "remove it");
    }
  }
  if (const std::string path = section.path_of("from"); faults.is_written(path) && name != rating_action) {
    faults.add_at(path, "only a rating is relevant or not by its value", "remove it, or call the action `rating`");
  }
  if (const auto& named = undoes ? undoes : after; named && section.reader().text(*named, 256)) {
    afters.push_back({.action = rule.actions.size(), .value = *named, .undoes = undoes.has_value()});
  }
  section.finish();
  rule.actions.push_back(std::move(action));
}

void resolve_afters(const std::vector<After>& afters, JoinRule& rule, ValueReader& reader) {
  std::vector<std::string_view> names;
  for (const Action& action : rule.actions) names.push_back(action.name);
  for (const auto& [index, value, undoes] : afters) {
    const auto found = std::ranges::find(names, value.node->text);
    if (found == names.end()) {
      reader.complain_of(value, "is not one of the actions", question_or_choices(value.node->text, names));
      continue;
    }
    const auto before = static_cast<std::size_t>(found - names.begin());
    const auto chained = std::ranges::find(afters, before, &After::action);
    const bool is_chained = chained != afters.end() && (!undoes || chained->undoes);
    if (rule.actions[before].on_list) {
      reader.complain(value, fmt::format("{} is done to a whole list, not to an item", in_quotes(*found)),
                      "name another action, or remove it");
    } else if (before == index && undoes) {
      reader.complain(value, "an action cannot undo itself", "name another action, such as purchase");
    } else if (before == index) {
      reader.complain(value, "an action cannot come after itself", "name another action, or remove `after`");
    } else if (is_chained) {
      const std::string_view own = chained->undoes ? "undoes" : "after";
      reader.complain(value, fmt::format("{} has an `{}` of its own, and conditions are not chained", in_quotes(*found), own),
                      fmt::format("name an action without `{}`, or remove it from {}", own, in_quotes(*found)));
    } else {
      rule.actions[index].after = before;
    }
  }
}

void read_actions(Section& join, JoinRule& rule) {
  const auto value = join.take("actions");
  if (!value || !join.reader().is_mapping(*value, "actions: {click: {gain: 1}}")) return;
  const Node& node = *value->node;
  if (node.keys.empty()) {
    join.reader().complain(*value, "names no action", "write at least one, such as click: {gain: 1}");
    join.faults().not_read(value->path);
    return;
  }
  if (node.keys.size() > actions_max) {
    join.reader().complain(*value, fmt::format("has {} actions", node.keys.size()),
                           fmt::format("write at most {}; `types` of an input can map several words onto one", actions_max));
    join.faults().not_read(value->path);
    return;
  }
  rule.actions.clear();
  std::vector<After> afters;
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const Value written{&node.items[i], joined(value->path, shortened(node.keys[i]))};
    join.faults().written(written.path, node.key_places[i]);
    read_action(join, written, node.keys[i], node.key_places[i], rule, afters);
  }
  resolve_afters(afters, rule, join.reader());
}

}  // namespace

void read_join(Section& root, Config& config) {
  JoinRule& rule = config.spec.join;
  rule.horizons = {Duration{30 * one_minute.ms}};
  Action click, purchase;
  click.name = "click";
  purchase.name = "purchase";
  purchase.gain = 3;
  purchase.after = 0;
  rule.actions = {click, purchase};

  Section join = root.section("join", "join: {horizons: [30m]}");
  join.read(join_keys, rule);
  read_horizons(join, rule);
  read_actions(join, rule);
  read_not_users(join, rule, id_bytes_max(config, root.faults()));
  join.finish();
}

}  // namespace recmeter::config
