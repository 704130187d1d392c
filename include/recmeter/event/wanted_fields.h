// WantedFields: which parts of a record the field table looks at, as a tree of names. A reader makes values of these alone.
//
// A list is wanted as its entries are: names below it are those of each entry. Immutable after construction.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/shape.h"

namespace recmeter {

struct WantedFields {
  bool whole = false;  // all there is: of an object each member, of its members too
  std::vector<std::pair<std::string, WantedFields>> members;

  [[nodiscard]] const WantedFields* find(std::string_view name) const {
    for (const auto& [key, wanted] : members) {
      if (key == name) return &wanted;
    }
    return nullptr;
  }
};

[[nodiscard]] WantedFields wanted_fields(const Shape& shape);

}  // namespace recmeter
