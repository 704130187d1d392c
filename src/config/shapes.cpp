#include "config/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::config {
namespace {

Node* member_of(Node& mapping, std::string_view key) {
  const auto found = std::ranges::find(mapping.keys, key);
  return found == mapping.keys.end() ? nullptr : &mapping.items[static_cast<std::size_t>(found - mapping.keys.begin())];
}

void take_out(Node& mapping, const std::string& key) {
  const auto found = std::ranges::find(mapping.keys, key);
  if (found == mapping.keys.end()) return;
  const auto at = found - mapping.keys.begin();
  mapping.items.erase(mapping.items.begin() + at);
  mapping.key_places.erase(mapping.key_places.begin() + at);
  mapping.keys.erase(found);
}

// What was moved into a shape stands where it was written.
void stand_at(Node& node, const Place& place) {
  if (!node.path.empty()) return;
  node.place = place;
  for (Place& key : node.key_places) key = place;
  for (Node& each : node.items) stand_at(each, place);
}

void add_member(Node& mapping, const std::string& key, const Node& value, const Place& place) {
  mapping.kind = Node::Kind::mapping;
  mapping.keys.push_back(key);
  mapping.key_places.push_back(place);
  mapping.items.push_back(value);
  stand_at(mapping.items.back(), place);
}

// Keys that `own` lacks, in its mappings too; the actions are a whole.
void fill_in(Node& own, const Node& shape, const Place& place) {
  for (std::size_t i = 0; i < shape.keys.size(); ++i) {
    Node* const there = member_of(own, shape.keys[i]);
    if (there == nullptr) {
      add_member(own, shape.keys[i], shape.items[i], place);
    } else if (shape.keys[i] != "actions" && there->kind == Node::Kind::mapping &&
               shape.items[i].kind == Node::Kind::mapping) {
      fill_in(*there, shape.items[i], place);
    }
  }
}

bool joins_by_list(Node& join) {
  const Node* const key = member_of(join, "key");
  return key != nullptr && key->kind == Node::Kind::scalar && key->text == "list";
}

// What a shape says of its actions stands beside a `join.key` that its user chose.
void take_out_once(Node& join) {
  Node* const actions = member_of(join, "actions");
  if (actions == nullptr) return;
  for (Node& action : actions->items) take_out(action, "once");
}

// Whether the event has the field; then it has `own` in its place. Segments are fields of their own.
bool take_over(Node& event, const std::string& field, const Node& own) {
  Node* const fields = member_of(event, "fields");
  Node* const there = fields == nullptr ? nullptr : member_of(*fields, field);
  if (there == nullptr || there->kind == Node::Kind::null) return false;
  if (field != "segments" || there->kind != Node::Kind::mapping || own.kind != Node::Kind::mapping) {
    *there = own;
    return true;
  }
  for (std::size_t i = 0; i < own.keys.size(); ++i) {
    take_out(*there, own.keys[i]);
    there->keys.push_back(own.keys[i]);
    there->key_places.push_back(own.key_places[i]);
    there->items.push_back(own.items[i]);
  }
  return true;
}

// Fields of the input take the place of these of the shape's events, too: of those that have them. [I3.23].
void override_fields(Node& input, const std::string& path, Node& shape) {
  Node* const own = member_of(input, "fields");
  Node* const events = member_of(shape, "events");
  if (own == nullptr || events == nullptr || member_of(input, "events") != nullptr) return;
  Node* const common = member_of(shape, "fields");
  const std::vector<std::string> fields = own->keys;
  for (const std::string& field : fields) {
    Node value = *member_of(*own, field);
    value.path = joined(joined(path, "fields"), field);
    for (Node& segment : value.items) segment.path = value.path;
    bool is_of_events = false;
    for (Node& event : events->items) is_of_events = take_over(event, field, value) || is_of_events;
    const bool is_common = common != nullptr && member_of(*common, field) != nullptr;
    const bool is_dropped = value.kind == Node::Kind::null;
    if (is_dropped && is_common) take_out(*common, field);
    if (is_dropped ? is_common || is_of_events : is_of_events && !is_common) take_out(*own, field);
  }
}

std::optional<Node> shape_document(std::string_view name) {
  const auto text = shape_config(name);
  if (!text) return std::nullopt;
  Faults faults{std::string(name)};
  auto document = parse_document(*text, nullptr, faults);
  RECMETER_CHECK(document && faults.empty(), "a shape is a good configuration");
  return document;
}

}  // namespace

void fill_in_shapes(Node& document) {
  if (document.kind != Node::Kind::mapping) return;
  Node* const inputs = member_of(document, "inputs");
  if (inputs == nullptr || inputs->kind != Node::Kind::list) return;
  std::vector<std::pair<Node, Place>> sections;
  for (std::size_t i = 0; i < inputs->items.size(); ++i) {
    Node& input = inputs->items[i];
    if (input.kind != Node::Kind::mapping) continue;
    const Node* const name = member_of(input, "shape");
    if (name == nullptr || name->kind != Node::Kind::scalar) continue;
    auto shape = shape_document(name->text);
    if (!shape) continue;
    const Place place = name->place;
    Node& filled = member_of(*shape, "inputs")->items.front();
    override_fields(input, fmt::format("inputs[{}]", i), filled);
    fill_in(input, filled, place);
    sections.emplace_back(std::move(*shape), place);
  }
  for (auto& [shape, place] : sections) {
    for (const std::string_view section : {"join", "time", "ratings"}) {
      const Node* const filled = member_of(shape, section);
      if (filled == nullptr) continue;
      Node* const own = member_of(document, section);
      if (own == nullptr) {
        add_member(document, std::string(section), *filled, place);
      } else if (own->kind != Node::Kind::list && own->kind != Node::Kind::scalar) {
        Node fitting = *filled;
        if (joins_by_list(*own)) take_out_once(fitting);
        fill_in(*own, fitting, place);
      }
    }
  }
}

}  // namespace recmeter::config
