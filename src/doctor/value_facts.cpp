#include "doctor/value_facts.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace recmeter::doctor {
namespace {

constexpr std::uint32_t ranks_max = 10;
constexpr std::size_t scores_compared = 50;
constexpr std::uint64_t rows_of_item_min = 5;
constexpr std::uint64_t rows_of_place_min = 200;

std::uint64_t place_of(std::int32_t policy, std::uint32_t rank) {
  return static_cast<std::uint64_t>(policy + 1) * (ranks_max + 1) + rank;
}

}  // namespace

// Kendall's tau-a of the scores against falling ones.
void ValueFacts::add_scores(std::span<const double> scores) {
  const std::size_t n = std::min(scores.size(), scores_compared);
  std::int64_t order = 0;
  std::int64_t pairs = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (std::isnan(scores[i]) || std::isnan(scores[j]) || scores[i] == scores[j]) continue;
      order += scores[i] > scores[j] ? 1 : -1;
      ++pairs;
    }
  }
  if (pairs < 3) return;
  const double tau = static_cast<double>(order) / static_cast<double>(pairs);
  ++scored_lists;
  reversed_lists += tau < 0 ? 1U : 0U;
  tau_sum += tau;
  tau_square_sum += tau * tau;
}

void ValueFacts::add_propensities(std::span<const double> propensities, std::span<const SeenId> items,
                                  std::uint32_t first_rank, std::int32_t policy) {
  for (std::size_t i = 0; i < propensities.size(); ++i) {
    if (std::isnan(propensities[i])) continue;
    ++propensity_rows;
    propensity_ones += propensities[i] == 1 ? 1U : 0U;
    const std::uint32_t rank = first_rank + static_cast<std::uint32_t>(i);
    if (rank > ranks_max) continue;
    const std::uint64_t place = place_of(policy, rank);
    ++rows_[place];
    const std::uint64_t key = items[i].raw ^ (place * 0x9e3779b97f4a7c15U);
    auto cell = cells_.find(key);
    if (cell == cells_.end()) {
      if (cells_.size() == cells_max) continue;
      cell = cells_.emplace(key, Cell{.place = place}).first;
    }
    cell->second.inverse_sum += 1 / propensities[i];
    ++cell->second.rows;
  }
}

std::vector<ValueFacts::Propensity> ValueFacts::propensities() const {
  std::map<std::uint64_t, std::vector<double>> quotients;
  for (const auto& [key, cell] : cells_) {
    const std::uint64_t rows = rows_.at(cell.place);
    if (cell.rows < rows_of_item_min || rows < rows_of_place_min) continue;
    quotients[cell.place].push_back(cell.inverse_sum / static_cast<double>(rows));
  }
  std::vector<Propensity> out;
  for (auto& [place, all] : quotients) {
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
    out.push_back({.policy = static_cast<std::int32_t>(place / (ranks_max + 1)) - 1,
                   .rank = static_cast<std::uint32_t>(place % (ranks_max + 1)),
                   .quotient = all[all.size() / 2],
                   .rows = rows_.at(place)});
  }
  return out;
}

}  // namespace recmeter::doctor
