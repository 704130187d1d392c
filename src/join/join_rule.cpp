#include "recmeter/join/join_rule.h"

#include <algorithm>

#include "recmeter/join/list_pieces.h"

namespace recmeter {

Duration JoinRule::pieces_reach() const {
  return same_list + half_of(same_list) + half_of(same_list);
}

Duration JoinRule::longest_horizon() const {
  return *std::max_element(horizons.begin(), horizons.end());
}

std::optional<std::size_t> JoinRule::rating() const {
  for (std::size_t action = 0; action < actions.size(); ++action) {
    if (actions[action].name == rating_action) return action;
  }
  return std::nullopt;
}

std::size_t JoinRule::depth(std::size_t action) const {
  std::size_t depth = 0;
  for (auto before = actions[action].after; before; before = actions[*before].after) ++depth;
  return depth;
}

bool JoinRule::counts_once() const {
  return std::ranges::any_of(actions, &Action::once);
}

Duration JoinRule::reach(std::size_t action, Duration horizon) const {
  const auto& own = actions[action].horizon;
  return own ? std::min(*own, horizon) : horizon;
}

}  // namespace recmeter
