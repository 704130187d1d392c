// How two rated items of a list stand to each other, by score and by rating. [S5], "Ratings".
#pragma once

#include <span>

#include "recmeter/join/scored_list.h"

namespace recmeter {

// 1: a is above b, -1: below, 0: tied.
[[nodiscard]] inline int order_of(double a, double b) {
  return (a > b ? 1 : 0) - (a < b ? 1 : 0);
}

// visit(by score, by rating) for every two items with a score and a rating. Quadratic in their number, which is small.
template <class Visit>
void for_each_couple(const ScoredList& list, Visit&& visit) {
  for (std::size_t i = 0; i < list.ratings.size(); ++i) {
    const Rating& a = list.ratings[i];
    if (!a.has_prediction) continue;
    for (const Rating& b : list.ratings.subspan(i + 1)) {
      if (b.has_prediction) visit(order_of(a.prediction, b.prediction), order_of(a.rating, b.rating));
    }
  }
}

}  // namespace recmeter
