#include "support/batch_popularity_metrics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

namespace recmeter::support {
namespace {

using List = ListRelevance;

// The ranks of the distinct items among the first k.
std::vector<std::size_t> distinct_ranks(const List& list, std::size_t k) {
  std::set<ItemNumber> items;
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < std::min(k, list.items.size()); ++i) {
    if (list.items[i] && items.insert(*list.items[i]).second) ranks.push_back(i);
  }
  return ranks;
}

// mean of −log2 (max(U_i, 1) / U)
double novelty(const List& list, std::size_t k, const MetricOptions&) {
  double sum = 0;
  const std::vector<std::size_t> ranks = distinct_ranks(list, k);
  for (const std::size_t i : ranks) {
    const auto of_item = static_cast<double>(std::max<std::uint64_t>(list.popularity.users_of[i], 1));
    sum -= std::log2(of_item / static_cast<double>(list.popularity.users));
  }
  return sum / static_cast<double>(ranks.size());
}

// mean of U_i / U
double popularity(const List& list, std::size_t k, const MetricOptions&) {
  double sum = 0;
  const std::vector<std::size_t> ranks = distinct_ranks(list, k);
  for (const std::size_t i : ranks) {
    sum += static_cast<double>(list.popularity.users_of[i]) / static_cast<double>(list.popularity.users);
  }
  return sum / static_cast<double>(ranks.size());
}

double serendipity(const List& list, std::size_t k, const MetricOptions&) {
  double surprises = 0;
  for (std::size_t i = 0; i < std::min(k, list.grades.size()); ++i) {
    if (list.grades[i] > 0 && !list.popularity.popular[i]) ++surprises;
  }
  return surprises / static_cast<double>(k);
}

bool of_known_items(const List& list, std::size_t k, const MetricOptions&) {
  return list.popularity.users > 0 && !distinct_ranks(list, k).empty();
}
bool in_known_list(const List& list, std::size_t, const MetricOptions&) {
  return list.popularity.users > 0 && std::ranges::any_of(list.grades, [](double grade) { return grade > 0; });
}

}  // namespace

// "novelty and popularity leave it out of the mean": [S5.24]
MetricDefinition novelty_definition() {
  return {.name = "novelty",
          .form = MetricForm::mean_over_lists,
          .has_cutoff = true,
          .score = novelty,
          .has_evidence = of_known_items,
          .fact = nullptr,
          .high = std::numeric_limits<double>::infinity(),
          .only_evidence = true,
          .takes = {MetricOption::unit_user},
          .needs_user = true};
}

MetricDefinition popularity_definition() {
  MetricDefinition metric = novelty_definition();
  metric.name = "popularity";
  metric.score = popularity;
  metric.high = 1;
  return metric;
}

MetricDefinition serendipity_definition() {
  return {.name = "serendipity",
          .form = MetricForm::mean_over_lists,
          .has_cutoff = true,
          .score = serendipity,
          .has_evidence = in_known_list,
          .fact = nullptr,
          .takes = {MetricOption::unit_user, MetricOption::over},
          .needs_user = true};
}

}  // namespace recmeter::support
