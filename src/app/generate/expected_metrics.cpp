#include "app/generate/expected_metrics.h"

#include <algorithm>
#include <cmath>

namespace recmeter::generate {

namespace {

enum MetricIndex : std::size_t { precision, hit_rate, mrr, map_list, ndcg_list };

constexpr std::size_t side = truth_cutoffs.back() + 1;  // numbers of hits told apart

// Requires: 1 <= rank <= the largest cutoff.
double discount(std::size_t rank) {
  static const auto table = [] {
    std::array<double, truth_cutoffs.back()> discounts{};
    for (std::size_t i = 0; i < discounts.size(); ++i) discounts[i] = 1.0 / std::log2(static_cast<double>(i) + 2.0);
    return discounts;
  }();
  return table[rank - 1];
}

// Best order of `purchased` and `clicked` items, cut at k.
double ideal_dcg(std::size_t purchased, std::size_t clicked, std::size_t k) {
  double sum = 0;
  for (std::size_t rank = 1; rank <= std::min(k, purchased + clicked); ++rank) {
    sum += discount(rank) * (rank <= purchased ? purchase_gain : click_gain);
  }
  return sum;
}

// E[average precision at k]: per number of hits so far, its chance and the expected sum of precisions on it. Numbers beyond
// k matter only by the denominator min(R, k), so those are one state.
double expected_map(std::span<const RankChances> ranks, std::size_t k) {
  std::array<double, side> chance{1};
  std::array<double, side> sum{};
  for (std::size_t i = 1; i <= ranks.size(); ++i) {
    const double p = ranks[i - 1].relevant;
    for (std::size_t hits = k + 1; hits-- > 0;) {
      const double moved_chance = chance[hits] * p;
      const double gained = i <= k ? static_cast<double>(hits + 1) / static_cast<double>(i) : 0.0;
      const double moved_sum = sum[hits] * p + moved_chance * gained;
      chance[hits] *= 1 - p;
      sum[hits] *= 1 - p;
      const std::size_t next = std::min(hits + 1, k);
      chance[next] += moved_chance;
      sum[next] += moved_sum;
    }
  }
  double value = 0;
  for (std::size_t hits = 1; hits <= k; ++hits) value += sum[hits] / static_cast<double>(hits);
  return value;
}

// The same over pairs (purchased, clicked), each capped at k: beyond it the ideal does not change.
double expected_ndcg(std::span<const RankChances> ranks, std::size_t k) {
  std::array<double, side * side> chance{1};
  std::array<double, side * side> sum{};
  std::array<double, side * side> next_chance{};
  std::array<double, side * side> next_sum{};
  for (std::size_t i = 1; i <= ranks.size(); ++i) {
    const RankChances& rank = ranks[i - 1];
    const double d = i <= k ? discount(i) : 0.0;
    next_chance.fill(0);
    next_sum.fill(0);
    const auto move = [&](std::size_t from, std::size_t to, double p, double gain) {
      next_chance[to] += chance[from] * p;
      next_sum[to] += sum[from] * p + chance[from] * p * gain;
    };
    for (std::size_t bought = 0; bought <= k; ++bought) {
      for (std::size_t clicked = 0; clicked <= k; ++clicked) {
        const std::size_t from = bought * side + clicked;
        if (chance[from] == 0) continue;
        move(from, from, 1 - rank.relevant, 0);
        move(from, bought * side + std::min(clicked + 1, k), rank.relevant - rank.purchased, d * click_gain);
        move(from, std::min(bought + 1, k) * side + clicked, rank.purchased, d * purchase_gain);
      }
    }
    chance.swap(next_chance);
    sum.swap(next_sum);
  }
  double value = 0;
  for (std::size_t bought = 0; bought <= k; ++bought) {
    for (std::size_t clicked = 0; clicked <= k; ++clicked) {
      if (bought + clicked > 0) value += sum[bought * side + clicked] / ideal_dcg(bought, clicked, k);
    }
  }
  return value;
}

}  // namespace

MetricValues metrics_of_list(std::span<const double> grades) {
  MetricValues values{};
  std::size_t relevant = 0;
  std::size_t purchased = 0;
  for (const double grade : grades) {
    if (grade > 0) ++relevant;
    if (grade == purchase_gain) ++purchased;
  }
  if (relevant == 0) return values;
  for (std::size_t c = 0; c < truth_cutoffs.size(); ++c) {
    const std::size_t k = truth_cutoffs[c];
    double hits = 0;
    double precisions = 0;
    double dcg = 0;
    double first = 0;
    for (std::size_t i = 1; i <= std::min(k, grades.size()); ++i) {
      if (grades[i - 1] <= 0) continue;
      hits += 1;
      if (first == 0) first = static_cast<double>(i);
      precisions += hits / static_cast<double>(i);
      dcg += grades[i - 1] * discount(i);
    }
    if (hits == 0) continue;
    values[precision][c] = hits / static_cast<double>(k);
    values[hit_rate][c] = 1;
    values[mrr][c] = 1 / first;
    values[map_list][c] = precisions / static_cast<double>(std::min(relevant, k));
    values[ndcg_list][c] = dcg / ideal_dcg(purchased, relevant - purchased, k);
  }
  return values;
}

MetricValues expected_metrics(std::span<const RankChances> ranks) {
  MetricValues values{};
  for (std::size_t c = 0; c < truth_cutoffs.size(); ++c) {
    const std::size_t k = truth_cutoffs[c];
    double none_so_far = 1;
    for (std::size_t i = 1; i <= std::min(k, ranks.size()); ++i) {
      const double p = ranks[i - 1].relevant;
      values[precision][c] += p / static_cast<double>(k);
      values[mrr][c] += none_so_far * p / static_cast<double>(i);
      none_so_far *= 1 - p;
    }
    values[hit_rate][c] = 1 - none_so_far;
    values[map_list][c] = expected_map(ranks, k);
    values[ndcg_list][c] = expected_ndcg(ranks, k);
  }
  return values;
}

}  // namespace recmeter::generate
