#include "avro/compiler.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "recmeter/base/event_time.h"

namespace recmeter::avro {
namespace {

using simdjson::dom::element;

constexpr std::size_t fixed_bytes_max = std::size_t{1} << 20;
const WantedFields everything{.whole = true, .members = {}};

constexpr std::array<std::pair<std::string_view, Kind>, 8> primitives{{{"null", Kind::null},
                                                                       {"boolean", Kind::boolean},
                                                                       {"int", Kind::integer},
                                                                       {"long", Kind::integer},
                                                                       {"float", Kind::float32},
                                                                       {"double", Kind::float64},
                                                                       {"string", Kind::text},
                                                                       {"bytes", Kind::text}}};

std::string_view text_of(const element& schema, std::string_view key) {
  std::string_view text;
  return schema[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::optional<std::int64_t> integer_of(const element& schema, std::string_view key) {
  std::int64_t integer = 0;
  return schema[key].get(integer) == simdjson::SUCCESS ? std::optional(integer) : std::nullopt;
}

class Compiler {
 public:
  explicit Compiler(NodePool& pool) : pool_(pool) {}

  // What is wrong is told by fault().
  const Node* compile(const element& schema, std::string_view space, const WantedFields* wanted, std::size_t depth);
  [[nodiscard]] const std::string& fault() const { return fault_; }

 private:
  struct Named {
    element schema;
    std::string space;
  };
  using Known = std::pair<std::string, const WantedFields*>;

  const Node* failed(std::string what) {
    if (fault_.empty()) fault_ = std::move(what);
    return nullptr;
  }
  Node& new_node(Kind kind) {
    Node& node = pool_.nodes.emplace_back();
    pool_.bytes += sizeof(Node);
    node.kind = kind;
    node.is_empty = kind == Kind::null;
    return node;
  }
  const Node* of_name(std::string_view name, std::string_view space, const WantedFields* wanted, std::size_t depth);
  const Node* of_union(const simdjson::dom::array& branches, std::string_view space, const WantedFields* wanted,
                       std::size_t depth);
  const Node* of_object(const element& schema, std::string_view space, const WantedFields* wanted, std::size_t depth);
  const Node* of_named(std::string_view type, const element& schema, std::string_view space, const WantedFields* wanted,
                       std::size_t depth);
  bool fill_record(Node& node, const element& schema, std::string_view space, const WantedFields* wanted, std::size_t depth);
  const Node* of_map(const element& schema, std::string_view space, const WantedFields* wanted, std::size_t depth);
  // A part of `node`: a type below it, a name, a field.
  template <class Part>
  void add(std::vector<Part>& parts, Part part) {
    pool_.bytes += sizeof(Part);
    if constexpr (std::is_same_v<Part, std::string>) pool_.bytes += part.size();
    parts.push_back(std::move(part));
  }
  static void annotate(Node& node, const element& schema);

  NodePool& pool_;
  std::map<std::string, Named, std::less<>> named_;  // by full name
  std::map<Known, const Node*> known_;
  std::string fault_;
};

const Node* Compiler::compile(const element& schema, std::string_view space, const WantedFields* wanted, std::size_t depth) {
  if (depth > schema_levels_max) return failed(fmt::format("it has more than {} levels", schema_levels_max));
  if (pool_.bytes > schema_program_bytes_max) return failed("to read by it would take more than 16 MiB");
  std::string_view name;
  if (schema.get(name) == simdjson::SUCCESS) return of_name(name, space, wanted, depth);
  simdjson::dom::array branches;
  if (schema.get(branches) == simdjson::SUCCESS) return of_union(branches, space, wanted, depth);
  if (schema.is_object()) return of_object(schema, space, wanted, depth);
  return failed("a type is neither a name, nor an object, nor a list of types");
}

const Node* Compiler::of_name(std::string_view name, std::string_view space, const WantedFields* wanted, std::size_t depth) {
  const auto primitive = std::ranges::find(primitives, name, [](const auto& pair) { return pair.first; });
  if (primitive != primitives.end()) return &new_node(primitive->second);
  auto found = named_.end();
  if (!space.empty() && name.find('.') == std::string_view::npos) found = named_.find(fmt::format("{}.{}", space, name));
  if (found == named_.end()) found = named_.find(name);
  if (found == named_.end()) return failed(fmt::format("it has no type `{}`", name.substr(0, 100)));
  if (const auto known = known_.find({found->first, wanted}); known != known_.end()) return known->second;
  return compile(found->second.schema, found->second.space, wanted, depth + 1);
}

const Node* Compiler::of_union(const simdjson::dom::array& branches, std::string_view space, const WantedFields* wanted,
                               std::size_t depth) {
  Node& node = new_node(Kind::either);
  for (const element branch : branches) {
    const Node* const below = compile(branch, space, wanted, depth + 1);
    if (below == nullptr) return nullptr;
    add(node.below, below);
  }
  return &node;
}

const Node* Compiler::of_object(const element& schema, std::string_view space, const WantedFields* wanted,
                                std::size_t depth) {
  element type;
  if (schema["type"].get(type) != simdjson::SUCCESS) return failed("a type has no `type`");
  std::string_view name;
  if (type.get(name) != simdjson::SUCCESS) return compile(type, space, wanted, depth + 1);
  if (name == "record" || name == "error" || name == "enum" || name == "fixed")
    return of_named(name, schema, space, wanted, depth);
  if (name == "map") return of_map(schema, space, wanted, depth);
  if (name == "array") {
    element items;
    if (schema["items"].get(items) != simdjson::SUCCESS) return failed("an array has no `items`");
    Node& node = new_node(Kind::list);
    node.below = {compile(items, space, wanted, depth + 1)};
    if (node.below.front() == nullptr) return nullptr;
    node.has_empty_entries = node.below.front()->is_empty;
    return &node;
  }
  const auto primitive = std::ranges::find(primitives, name, [](const auto& pair) { return pair.first; });
  if (primitive == primitives.end()) return of_name(name, space, wanted, depth);
  Node& node = new_node(primitive->second);
  annotate(node, schema);
  return &node;
}

const Node* Compiler::of_named(std::string_view type, const element& schema, std::string_view space,
                               const WantedFields* wanted, std::size_t depth) {
  const std::string_view name = text_of(schema, "name");
  if (name.empty()) return failed(fmt::format("a type `{}` has no `name`", type));
  std::string full(name);
  if (name.find('.') == std::string_view::npos) {
    std::string_view own;
    if (schema["namespace"].get(own) != simdjson::SUCCESS) own = space;
    if (!own.empty()) full = fmt::format("{}.{}", own, name);
  }
  if (full.size() > schema_name_bytes_max) {
    return failed(fmt::format("the name `{}...` has more than {} bytes", full.substr(0, 100), schema_name_bytes_max));
  }
  const std::string own_space = full.substr(0, full.find('.') == std::string::npos ? 0 : full.rfind('.'));
  named_.insert_or_assign(full, Named{schema, own_space});
  if (named_.size() > schema_messages_max) {
    return failed(fmt::format("it has more than {} types with a name", schema_messages_max));
  }
  Node& node = new_node(Kind::record);
  known_[{full, wanted}] = &node;
  if (type == "fixed") {
    const auto size = integer_of(schema, "size");
    if (!size || *size < 0 || *size > static_cast<std::int64_t>(fixed_bytes_max)) {
      return failed(fmt::format("`{}` has no `size` up to 1 MiB", full));
    }
    node.kind = Kind::fixed;
    node.size = static_cast<std::size_t>(*size);
    node.is_empty = node.size == 0;
    annotate(node, schema);
    return &node;
  }
  if (type != "enum") return fill_record(node, schema, own_space, wanted, depth) ? &node : nullptr;
  node.kind = Kind::enumeration;
  simdjson::dom::array symbols;
  if (schema["symbols"].get(symbols) != simdjson::SUCCESS) return failed(fmt::format("`{}` has no `symbols`", full));
  for (const element symbol : symbols) {
    std::string_view text;
    if (symbol.get(text) != simdjson::SUCCESS) return failed(fmt::format("`{}` has a symbol that is not text", full));
    add(node.names, std::string(text));
  }
  return &node;
}

bool Compiler::fill_record(Node& node, const element& schema, std::string_view space, const WantedFields* wanted,
                           std::size_t depth) {
  simdjson::dom::array fields;
  if (schema["fields"].get(fields) != simdjson::SUCCESS) return failed("a record has no `fields`") != nullptr;
  const bool is_whole = wanted != nullptr && wanted->whole;
  if (wanted != nullptr && !is_whole) {
    for (const auto& [name, below] : wanted->members) add(node.names, name);
  }
  for (const element field : fields) {
    const std::string_view name = text_of(field, "name");
    element type;
    if (name.empty() || field["type"].get(type) != simdjson::SUCCESS) {
      return failed("a field of a record has no `name` or no `type`") != nullptr;
    }
    Node::Field read;
    const WantedFields* below = is_whole ? &everything : nullptr;
    if (is_whole) {
      read.slot = node.names.size();
      add(node.names, std::string(name));
    } else if (const auto at = std::ranges::find(node.names, name); at != node.names.end()) {
      read.slot = static_cast<std::size_t>(at - node.names.begin());
      below = &wanted->members[read.slot].second;
    }
    read.node = compile(type, space, below, depth + 1);
    if (read.node == nullptr) return false;
    add(node.fields, read);
  }
  for (const std::string& name : node.names) add(node.members, {.key = name, .value = {}});
  node.is_empty = std::ranges::all_of(node.fields, [](const auto& field) { return field.node->is_empty; });
  return true;
}

const Node* Compiler::of_map(const element& schema, std::string_view space, const WantedFields* wanted, std::size_t depth) {
  element values;
  if (schema["values"].get(values) != simdjson::SUCCESS) return failed("a map has no `values`");
  Node& node = new_node(Kind::map);
  node.is_whole = wanted != nullptr && wanted->whole;
  const auto add_below = [&](const WantedFields* below) {
    add(node.below, compile(values, space, below, depth + 1));
    return node.below.back() != nullptr;
  };
  if (!add_below(node.is_whole ? &everything : nullptr)) return nullptr;
  if (wanted == nullptr || node.is_whole) return &node;
  for (const auto& [name, below] : wanted->members) {
    add(node.names, name);
    if (!add_below(&below)) return nullptr;
  }
  return &node;
}

// A logical type that does not fit the type below it is none.
void Compiler::annotate(Node& node, const element& schema) {
  const std::string_view logical = text_of(schema, "logicalType");
  if (node.kind == Kind::integer) {
    if (logical == "timestamp-micros") node.per_ms = 1'000;
    if (logical == "timestamp-nanos") node.per_ms = 1'000'000;
    if (logical == "date") node.ms_per = one_day.ms;
    if (logical == "timestamp-millis" || node.per_ms > 1 || node.ms_per > 1) node.kind = Kind::time;
  } else if (logical == "decimal" && (node.kind == Kind::fixed || text_of(schema, "type") == "bytes")) {
    const std::int64_t scale = integer_of(schema, "scale").value_or(0);
    if (scale < 0 || scale > 1000) return;
    node.kind = Kind::decimal;
    node.scale = static_cast<std::size_t>(scale);
  }
}

}  // namespace

Result<const Node*> compile_schema(std::span<const std::string> schemas, const WantedFields* wanted, NodePool& pool) {
  Compiler compiler(pool);
  std::deque<simdjson::dom::parser> parsers;  // what is compiled later may name types of the texts before
  const Node* root = nullptr;
  for (const std::string& text : schemas) {
    element schema;
    if (parsers.emplace_back().parse(text).get(schema) != simdjson::SUCCESS) {
      return failure(Errc::input_corrupt, "the schema is no JSON");
    }
    root = compiler.compile(schema, {}, &text == &schemas.back() ? wanted : nullptr, 0);
    if (root == nullptr) return failure(Errc::input_corrupt, "the schema cannot be used: " + compiler.fault());
  }
  return root;
}

}  // namespace recmeter::avro
