// WantedFields: which parts of a record the field table looks at, as a tree of names. A reader makes values of these alone.
//
// A list is wanted as its entries are: names below it are those of each entry. Immutable after construction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/shape.h"

namespace recmeter {

struct WantedFields {
  struct Member;

  bool whole = false;  // all there is: of an object each member, of its members too
  std::vector<Member> members;

  // The place of a member among `members`, or their number. `guess`: where to look first.
  [[nodiscard]] std::size_t find(std::string_view name, std::size_t guess = 0) const;
};

struct WantedFields::Member {
  Member(std::string name, WantedFields wanted) : first(std::move(name)), second(std::move(wanted)) {}
  std::string first;    // its name
  WantedFields second;  // what of it
};

// All there is.
inline const WantedFields all_fields{.whole = true, .members = {}};

inline std::size_t WantedFields::find(std::string_view name, std::size_t guess) const {
  for (std::size_t i = guess; i < members.size(); ++i) {
    if (members[i].first == name) return i;
  }
  for (std::size_t i = 0; i < guess && i < members.size(); ++i) {
    if (members[i].first == name) return i;
  }
  return members.size();
}

// Also notes on the shape's paths where the member of each name stands.
[[nodiscard]] WantedFields wanted_fields(Shape& shape);

}  // namespace recmeter
