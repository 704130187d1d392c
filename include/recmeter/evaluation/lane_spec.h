// LaneSpec: recommenders that are judged beside the one that was shown, each in a lane of its own: its candidates, joined
// with all feedback of the log. docs/semantics.md, section 13. Plain values; immutable after loading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "recmeter/base/lane_names.h"
#include "recmeter/join/join_rule.h"

namespace recmeter {

// A bit each.
inline constexpr std::size_t lanes_max = 63;

struct LaneSpec {
  // By which rule the logged lists are judged: that of `join`, or that of the other lanes.
  enum class Logged : std::uint8_t { as_logged, shadow };
  // What items that the user was not shown count as, or whether they are taken out of the list first.
  enum class Unjudged : std::uint8_t { irrelevant, drop };

  std::vector<std::string> names;  // of the others, distinct, at most lanes_max; none: no lanes
  Logged logged = Logged::as_logged;
  Credit credit = Credit::every_touch;
  bool pairs = false;  // only where each lane has a list
  Unjudged unjudged = Unjudged::irrelevant;

  [[nodiscard]] bool is_shadow() const { return logged == Logged::shadow; }
  [[nodiscard]] bool is_wanted() const { return !names.empty(); }
};

}  // namespace recmeter
