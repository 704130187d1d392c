#include "config/kept_text.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "config/scalar.h"

namespace recmeter::config {

namespace {

constexpr std::array<std::string_view, 12> sections{"name",    "inputs",  "join",    "time",       "windows", "segments",
                                                    "catalog", "metrics", "ratings", "off_policy", "limits",  "lanes"};

// In quotes, with dollars that are no variables any more.
std::string quoted_scalar(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '$' ? "$$" : std::string(1, c);
  return json_string(escaped);
}

std::string flow_text(const Node& node) {
  if (node.kind == Node::Kind::null) return "null";
  if (node.kind == Node::Kind::scalar) return quoted_scalar(node.text);
  const bool is_list = node.kind == Node::Kind::list;
  std::string text(1, is_list ? '[' : '{');
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) text += ", ";
    if (!is_list) text += json_string(node.keys[i]) + ": ";
    text += flow_text(node.items[i]);
  }
  return text + (is_list ? ']' : '}');
}

// Those above and one more.
std::string sections_text(const Node& document, std::string_view also) {
  std::string text;
  for (std::size_t i = 0; i < document.keys.size(); ++i) {
    const bool is_kept = std::ranges::find(sections, document.keys[i]) != sections.end() || document.keys[i] == also;
    if (!is_kept) continue;
    text += document.keys[i] + ": " + flow_text(document.items[i]) + "\n";
  }
  return text;
}

void add_written(const Node& node, const std::string& place, std::map<std::string, std::uint64_t>& to) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string name = node.kind == Node::Kind::list ? fmt::format("{}[{}]", place, i)
                             : place.empty()               ? node.keys[i]
                                                           : place + "." + node.keys[i];
    add_written(node.items[i], name, to);
  }
  if (node.items.empty() && !place.empty()) to[place] = XXH3_64bits(node.text.data(), node.text.size());
}

}  // namespace

std::map<std::string, std::uint64_t> written_values(const Node& document) {
  std::map<std::string, std::uint64_t> values;
  add_written(document, "", values);
  return values;
}

std::string kept_text(const Node& document) {
  return sections_text(document, "attribution");
}

std::string parted_text(const Node& document) {
  return sections_text(document, "experiments");
}

}  // namespace recmeter::config
