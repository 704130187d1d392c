// Catalog: the items that could have been shown, where the configuration names them. SEMANTICS §8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

namespace recmeter {

struct Catalog {
  std::uint64_t size = 0;                 // > 0
  std::unordered_set<std::string> items;  // empty when given by size alone; else exactly `size` ids
  std::uint64_t content_hash = 0;         // XXH3-64 of the sorted ids, one a line; of nothing when given by size
};

}  // namespace recmeter
