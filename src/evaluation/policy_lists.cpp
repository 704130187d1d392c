#include "recmeter/evaluation/policy_lists.h"

#include <algorithm>
#include <cmath>

namespace recmeter {

const ListPlace* PolicyLists::place_of(const ListView& list) {
  const bool nobody = key_.is_nobody(list.user_id);
  return places_.place_of(nobody, nobody ? list.list_id : list.user_id, list.ts, list.list_id, list.twin);
}

std::optional<ListPolicy> PolicyLists::policy_of(const ListView& list) {
  const ListPlace* const place = place_of(list);
  if (place == nullptr || place->propensities.size() != list.items.size()) return std::nullopt;
  if (std::ranges::any_of(place->propensities, [](double propensity) { return std::isnan(propensity); })) return std::nullopt;
  if (place->policy) {
    const PlacePolicy& said = *place->policy;
    return ListPolicy{said.propensities, place->propensities, said.predicted, said.expected};
  }
  if (!place->candidate) return std::nullopt;
  // It shows its list for certain, be it an empty one.
  const std::vector<Interner::Id>& shows = *place->candidate;
  target_.assign(list.items.size(), 0);
  for (std::size_t i = 0; i < std::min(list.items.size(), shows.size()); ++i) {
    target_[i] = list.items[i] != Interner::none && list.items[i] == shows[i] ? 1 : 0;
  }
  return ListPolicy{target_, place->propensities, {}, {}};
}

void PolicyLists::count(const ListView& list) {
  if (policy_of(list)) ++judged_;
  const ListPlace* const place = place_of(list);
  if (place != nullptr && place->policy) ++counts_.joined;
}

}  // namespace recmeter
