#include "recmeter/join/join_rule.h"

#include <algorithm>

namespace recmeter {

Duration JoinRule::longest_horizon() const {
  return *std::max_element(horizons.begin(), horizons.end());
}

Duration JoinRule::reach(std::size_t action, Duration horizon) const {
  const auto& own = actions[action].horizon;
  return own ? std::min(*own, horizon) : horizon;
}

}  // namespace recmeter
