// Document: the text as a tree of mappings, lists and scalars, each with its place. The adapter to the YAML library; what it
// refuses is rule (1) of load_config.h.
//
// The library sees at most 1 MiB of valid UTF-8, and its recursion is bounded by its own depth guard; the tree is bounded by
// `depth_max`, so that it can be walked and destroyed without a thought for the stack.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/faults.h"
#include "config/load_config.h"

namespace recmeter::config {

inline constexpr std::size_t document_bytes_max = std::size_t{1} << 20;
inline constexpr std::size_t depth_max = 32;

struct Node {
  enum class Kind : unsigned char { null, scalar, list, mapping };

  Kind kind = Kind::null;
  Place place;
  std::string path;               // of a value that was moved: where it was written; "": where it stands
  bool is_broken = false;         // a fault stands here already: say no more
  std::string text;               // of a scalar, with its variables replaced
  std::string written;            // as it stands in the file
  std::vector<Node> items;        // of a list, or the values of a mapping
  std::vector<std::string> keys;  // of a mapping: keys[i] names items[i]; no key twice
  std::vector<Place> key_places;
};

// The root, a mapping or null (an empty text); nullopt when the text has no usable form, which `faults` then says. Duplicate
// keys and variables that cannot be replaced are faults besides.
[[nodiscard]] std::optional<Node> parse_document(std::string_view yaml, const Environment& environment, Faults& faults);

}  // namespace recmeter::config
