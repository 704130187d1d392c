#include "recommend/user_ratings.h"

#include <algorithm>
#include <cmath>

#include "recommend/models.h"

namespace recmeter {

namespace {

// To a multiple of 2^-10, so that sums over the ratings of usual scales are exact, and equal ratings have no variance.
double exact_rating(double value) {
  return std::nearbyint(value * 1024) / 1024;
}

}  // namespace

double UserRatings::Taste::deviation() const {
  const auto n = static_cast<double>(rated.size());
  return std::sqrt(std::max(0.0, n * squares - sum * sum)) / n;
}

void UserRatings::learn(const LearnedEvent& event) {
  if (event.action != action_ || !event.value || event.user == nobody) return;
  const double value = exact_rating(*event.value);
  Taste& taste = at(tastes_, event.user);
  const auto [place, is_new] =
      places_.try_emplace(static_cast<std::uint64_t>(event.user) << 32 | event.item, taste.rated.size());
  std::vector<Rater>& raters = at(raters_, event.item);
  if (is_new) {
    raters.push_back({event.user, static_cast<std::uint32_t>(place->second), value});
    taste.rated.push_back({event.item});
    ++count_;
  } else {
    std::ranges::find(raters, event.user, &Rater::user)->value = value;
  }
  Rated& rated = taste.rated[place->second];
  taste.sum += value - rated.value;
  taste.squares += value * value - rated.value * rated.value;
  sum_ += value - rated.value;
  rated.value = value;
  taste.has_ranks = false;
}

void UserRatings::rank(std::uint32_t user) {
  Taste& taste = tastes_[user];
  if (taste.has_ranks) return;
  taste.has_ranks = true;
  std::vector<double> values;
  for (const Rated& one : taste.rated) values.push_back(one.value);
  std::sort(values.begin(), values.end());
  for (Rated& one : taste.rated) {
    const auto [low, high] = std::equal_range(values.begin(), values.end(), one.value);
    one.rank = static_cast<double>((low - values.begin()) + (high - values.begin()) + 1) / 2;
  }
}

}  // namespace recmeter
