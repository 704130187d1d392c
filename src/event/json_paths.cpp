#include "event/json_paths.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter {

using Found = FoundFields<JsonValue>;

JsonPaths::JsonPaths(std::span<const std::vector<std::string>> paths) {
  RECMETER_CHECK(!paths.empty() && paths.size() <= field_count, "a table has its known fields");
  std::uint32_t fields = 0;
  for (std::size_t field = 0; field < paths.size(); ++field) fields |= paths[field].empty() ? 0 : Found::field_bit(field);
  add_node(paths, fields, 0);
}

// The node of the objects reached after `depth` keys by the paths of `fields`.
std::size_t JsonPaths::add_node(std::span<const std::vector<std::string>> paths, std::uint32_t fields, std::size_t depth) {
  std::vector<std::string> keys;
  std::vector<Edge> edges;
  for (std::size_t field = 0; field < paths.size(); ++field) {
    if ((fields & Found::field_bit(field)) == 0) continue;
    const std::string& key = paths[field][depth];
    const auto at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    if (at == keys.size()) {
      keys.push_back(key);
      edges.emplace_back();
    }
    edges[at].leads |= Found::field_bit(field);
    if (paths[field].size() == depth + 1) edges[at].ends |= Found::field_bit(field);
  }
  const std::size_t index = nodes_.size();
  nodes_.push_back({WordTable(std::move(keys)), {}});
  for (Edge& edge : edges) {
    const std::uint32_t further = edge.leads & ~edge.ends;
    if (further != 0) edge.child = add_node(paths, further, depth + 1);
  }
  nodes_[index].edges = std::move(edges);
  return index;
}

void JsonPaths::walk(const Node& node, const simdjson::dom::object& object, Found& found) const {
  std::uint32_t seen = 0;
  for (const auto [key, value] : object) {
    const int index = node.keys.find(key);
    if (index == WordTable::none) continue;
    const Edge& edge = node.edges[static_cast<std::size_t>(index)];
    const std::uint32_t key_bit = std::uint32_t{1} << index;
    if ((seen & key_bit) != 0) {
      found.twice |= edge.leads;
      continue;
    }
    seen |= key_bit;
    if (value.is_null()) continue;
    found.present |= edge.ends;
    for (std::uint32_t rest = edge.ends; rest != 0; rest &= rest - 1) {
      found.values[static_cast<std::size_t>(std::countr_zero(rest))] = JsonValue(value);
    }
    if (edge.child != 0 && value.is_object()) walk(nodes_[edge.child], value.get_object().value_unsafe(), found);
  }
}

}  // namespace recmeter
