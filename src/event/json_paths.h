// JsonPaths: a field table made fast. One walk through a parsed object finds the fields wherever the table says they stand.
//
// Paths that begin alike share the way: {"user","id"} and {"user","name"} enter the object `user` once. A path may end where
// another goes on. The walk looks at no object that is not on the way to a field, and a way that ends at something other
// than an object leads nowhere: the field is absent.
// Thread safety: immutable after construction; a FoundFields belongs to one thread.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "event/found_fields.h"
#include "event/json_value.h"
#include "event/word_table.h"
#include "recmeter/event/field_table.h"

namespace recmeter {

class JsonPaths {
 public:
  // Requires: at most field_count paths. An empty one finds nothing.
  explicit JsonPaths(std::span<const std::vector<std::string>> paths);

  // Replaces `found` by the fields of `object`.
  void find(const simdjson::dom::object& object, FoundFields<JsonValue>& found) const {
    found.present = 0;
    found.twice = 0;
    walk(nodes_.front(), object, found);
  }

 private:
  struct Edge {               // a key of an object on the way
    std::uint32_t ends = 0;   // bit per field whose path ends here
    std::uint32_t leads = 0;  // bit per field whose path ends here or further on
    std::size_t child = 0;    // index of the node entered here; 0, the root, for none
  };
  struct Node {
    WordTable keys;
    std::vector<Edge> edges;  // by index of the key
  };

  std::size_t add_node(std::span<const std::vector<std::string>> paths, std::uint32_t fields, std::size_t depth);
  void walk(const Node& node, const simdjson::dom::object& object, FoundFields<JsonValue>& found) const;

  std::vector<Node> nodes_;
};

}  // namespace recmeter
