// ValueFacts: what is counted of scores, propensities, ratings and the values of baskets. Memory is bounded: of items beyond
// cells_max propensities are not added up. Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>

#include "doctor/sample.h"

namespace recmeter::doctor {

class ValueFacts {
 public:
  static constexpr std::size_t cells_max = 500'000;
  static constexpr std::size_t ratings_max = 1000;  // distinct

  // By rank, the first item's rank is `first_rank`.
  void add_scores(std::span<const double> scores);
  void add_propensities(std::span<const double> propensities, std::span<const SeenId> items, std::uint32_t first_rank,
                        std::int32_t policy);
  void add_rating(double value) {
    if (ratings.size() < ratings_max || ratings.contains(value)) ++ratings[value];
  }
  void add_basket(bool of_one_value) {
    ++baskets;
    baskets_of_one_value += of_one_value ? 1 : 0;
  }

  // The sum of 1/p over rows of an item should be the number of rows of its policy and rank: of all items, that sum to rows.
  // The median of those quotients by policy and rank; empty where rows are few.
  struct Propensity {
    std::int32_t policy = 0;
    std::uint32_t rank = 0;
    double quotient = 1;
    std::uint64_t rows = 0;
  };
  [[nodiscard]] std::vector<Propensity> propensities() const;

  std::uint64_t scored_lists = 0;  // of at least 3 different scores
  std::uint64_t reversed_lists = 0;
  double tau_sum = 0;
  double tau_square_sum = 0;
  std::uint64_t propensity_rows = 0;
  std::uint64_t propensity_ones = 0;
  std::map<double, std::uint64_t> ratings;
  std::uint64_t baskets = 0;  // of at least two entries with a value
  std::uint64_t baskets_of_one_value = 0;

 private:
  struct Cell {
    std::uint64_t place = 0;  // policy and rank
    double inverse_sum = 0;
    std::uint64_t rows = 0;
  };
  std::unordered_map<std::uint64_t, Cell> cells_;  // by policy, rank and item
  std::map<std::uint64_t, std::uint64_t> rows_;    // by policy and rank
};

}  // namespace recmeter::doctor
