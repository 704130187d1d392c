// Catalog: the items that could have been shown, where the configuration names them. [S8].
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace recmeter {

// Finds a string by a view of it.
struct ItemHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view id) const { return std::hash<std::string_view>()(id); }
};

struct Catalog {
  std::uint64_t size = 0;                 // > 0
  std::unordered_set<std::string> items;  // empty when given by size alone; else exactly `size` ids
  std::uint64_t content_hash = 0;         // XXH3-64 of the sorted ids, one a line; of nothing when given by size

  // By item that has any, its attributes as numbers, ascending and distinct. Equal attributes have equal numbers; that is all
  // the numbers say.
  std::unordered_map<std::string, std::vector<std::uint32_t>, ItemHash, std::equal_to<>> attributes = {};
  std::uint64_t attributes_hash = 0;  // sum modulo 2^64 of the XXH3-64 of each item with one attribute; 0: there are none
  std::vector<std::string> attribute_names = {};  // ascending, at most attribute_names_max
  static constexpr std::size_t attribute_names_max = 1000;

  // Its items by the value of one attribute, as [S16.13] has it.
  struct ItemGroups {
    std::string attribute;                                                               // "": they are not divided
    std::vector<std::string> names;                                                      // ascending
    std::unordered_map<std::string, std::uint32_t, ItemHash, std::equal_to<>> group_of;  // an index into `names`
    std::uint32_t none = 0;                                                              // of items that are not there
    std::uint64_t hash = 0;                                                              // of who is where
    std::uint64_t id = 0;                                                                // of the attribute and the names
  };
  ItemGroups groups = {};

  // Empty when the item has none. Valid while the catalogue is.
  [[nodiscard]] std::span<const std::uint32_t> attributes_of(std::string_view item) const {
    const auto found = attributes.find(item);
    return found == attributes.end() ? std::span<const std::uint32_t>() : std::span(found->second);
  }
  // Requires: they are divided.
  [[nodiscard]] std::uint32_t group_of(std::string_view item) const {
    const auto found = groups.group_of.find(item);
    return found == groups.group_of.end() ? groups.none : found->second;
  }
};

}  // namespace recmeter
