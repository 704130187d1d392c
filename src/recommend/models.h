// The built-in recommenders, each in a file of its own.
#pragma once

#include <memory>

#include "recmeter/recommend/recommender.h"

namespace recmeter {

class UserRatings;

[[nodiscard]] std::unique_ptr<Recommender> make_random();
[[nodiscard]] std::unique_ptr<Recommender> make_popularity(const RecommenderSpec& spec, const LearningLog& log);
[[nodiscard]] std::unique_ptr<Recommender> make_recency();
[[nodiscard]] std::unique_ptr<Recommender> make_own_recency();
[[nodiscard]] std::unique_ptr<Recommender> make_covisit(const RecommenderSpec& spec, std::size_t pairs_max);
[[nodiscard]] std::unique_ptr<Recommender> make_item_knn(const RecommenderSpec& spec, const LearningLog& log,
                                                         std::size_t pairs_max);
[[nodiscard]] std::unique_ptr<Recommender> make_isgd(const RecommenderSpec& spec, const LearningLog& log);
[[nodiscard]] std::unique_ptr<Recommender> make_user_knn(const RecommenderSpec& spec, const PrequentialSpec& rules,
                                                         const LearningLog& log, UserRatings& ratings);

// What stands in a model by item, however many items there are: made when it is first asked for.
template <class Value>
Value& at(std::vector<Value>& values, std::uint32_t place) {
  if (place >= values.size()) values.resize(place + 1);
  return values[place];
}
template <class Value>
[[nodiscard]] Value value_at(const std::vector<Value>& values, std::uint32_t place) {
  return place < values.size() ? values[place] : Value{};
}

}  // namespace recmeter
