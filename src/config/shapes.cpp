#include "config/shapes.h"

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

void stand_at(Node& node, const Place& place) {
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
  for (Node& action : actions->items) {
    const auto once = std::ranges::find(action.keys, "once");
    if (once == action.keys.end()) continue;
    const auto at = once - action.keys.begin();
    action.items.erase(action.items.begin() + at);
    action.key_places.erase(action.key_places.begin() + at);
    action.keys.erase(once);
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
  for (Node& input : inputs->items) {
    if (input.kind != Node::Kind::mapping) continue;
    const Node* const name = member_of(input, "shape");
    if (name == nullptr || name->kind != Node::Kind::scalar) continue;
    auto shape = shape_document(name->text);
    if (!shape) continue;
    const Place place = name->place;
    fill_in(input, member_of(*shape, "inputs")->items.front(), place);
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
