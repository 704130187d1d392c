#include "support/batch_ratings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "support/batch_interval.h"

namespace recmeter::support {
namespace {

using Real = long double;

struct Pair {
  Real p = 0;
  Real r = 0;
};
using Pairs = std::vector<Pair>;

std::optional<double> as_double(Real value) {
  return static_cast<double>(value);
}

// "A pair (prediction p, rating r) exists for each credited rating whose item has a score."
Pairs exact_pairs(const ListRelevance& list) {
  Pairs pairs;
  for (std::size_t i = 0; i < list.ratings.size(); ++i) {
    if (list.ratings[i] && list.scores[i]) pairs.push_back({*list.scores[i], *list.ratings[i]});
  }
  return pairs;
}

// "predictions and ratings are rounded so": to 2^-32, [S6.8]
Real rounded(Real value) {
  return static_cast<Real>(to_fixed(static_cast<double>(value))) / 4294967296.0L;
}

Pairs rounded_pairs(Lists lists) {
  Pairs pairs;
  for (const ListRelevance* list : lists) {
    for (const Pair& pair : exact_pairs(*list)) pairs.push_back({rounded(pair.p), rounded(pair.r)});
  }
  return pairs;
}

// "over repeated ratings of a (list, item): difference to the first"
Pairs retests(Lists lists) {
  Pairs pairs;
  for (const ListRelevance* list : lists) {
    for (std::size_t i = 0; i < list->rated_again.size(); ++i) {
      for (const double again : list->rated_again[i]) pairs.push_back({rounded(again), rounded(*list->ratings[i])});
    }
  }
  return pairs;
}

bool is_extreme(const Pair& pair, const MetricOptions& options) {
  return rounded(pair.r) < rounded(options.ratings.extremes_low) || rounded(pair.r) > rounded(options.ratings.extremes_high);
}

std::optional<Real> mean_error(const Pairs& pairs, int power) {
  if (pairs.empty()) return std::nullopt;
  Real sum = 0;
  for (const Pair& pair : pairs) sum += power == 1 ? std::abs(pair.p - pair.r) : (pair.p - pair.r) * (pair.p - pair.r);
  return sum / static_cast<Real>(pairs.size());
}

std::optional<Real> correlation(const Pairs& pairs) {
  if (pairs.size() < 2) return std::nullopt;
  const auto count = static_cast<Real>(pairs.size());
  Real mean_p = 0;
  Real mean_r = 0;
  for (const Pair& pair : pairs) {
    mean_p += pair.p / count;
    mean_r += pair.r / count;
  }
  const auto all_equal = [&](auto field) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.*field == pairs.front().*field; });
  };
  if (all_equal(&Pair::p) || all_equal(&Pair::r)) return std::nullopt;
  Real pp = 0;
  Real rr = 0;
  Real pr = 0;
  for (const Pair& pair : pairs) {
    pp += (pair.p - mean_p) * (pair.p - mean_p);
    rr += (pair.r - mean_r) * (pair.r - mean_r);
    pr += (pair.p - mean_p) * (pair.r - mean_r);
  }
  return pr / std::sqrt(pp * rr);
}

// The average rank of each value among all, the largest first.
std::vector<Real> average_ranks(const std::vector<Real>& values) {
  std::vector<Real> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  std::vector<Real> ranks;
  for (const Real value : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value, std::greater<>());
    ranks.push_back(static_cast<Real>((first - sorted.begin() + 1) + (last - sorted.begin())) / 2);
  }
  return ranks;
}

}  // namespace

bool has_pair(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return !exact_pairs(list).empty();
}

bool is_rated_again(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return std::ranges::any_of(list.rated_again, [](const auto& values) { return !values.empty(); });
}

bool has_extreme_pair(const ListRelevance& list, std::size_t, const MetricOptions& options) {
  const Pairs pairs = exact_pairs(list);
  return std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) { return is_extreme(pair, options); });
}

bool has_utility(const ListRelevance& list, std::size_t, const MetricOptions& options) {
  return std::any_of(list.ratings.begin(), list.ratings.end(),
                     [&](const auto& rating) { return rating && *rating > options.ratings.default_vote; });
}

bool is_judged(const ListRelevance& list, std::size_t k, const MetricOptions&) {
  const auto end = list.judged.begin() + static_cast<std::ptrdiff_t>(std::min(k, list.judged.size()));
  return std::find(list.judged.begin(), end, true) != end;
}

bool is_credited(const ListRelevance& list, std::size_t, const MetricOptions&) {
  return list.credited_items > 0;
}

std::optional<double> mae(Lists lists, std::size_t, const MetricOptions&) {
  const auto error = mean_error(rounded_pairs(lists), 1);
  return error ? as_double(*error) : std::nullopt;
}

std::optional<double> nmae(Lists lists, std::size_t, const MetricOptions& options) {
  const auto error = mean_error(rounded_pairs(lists), 1);
  return error ? as_double(*error / (Real{options.ratings.max} - Real{options.ratings.min})) : std::nullopt;
}

std::optional<double> mae_extremes(Lists lists, std::size_t, const MetricOptions& options) {
  Pairs pairs = rounded_pairs(lists);
  std::erase_if(pairs, [&](const Pair& pair) { return !is_extreme(pair, options); });
  const auto error = mean_error(pairs, 1);
  return error ? as_double(*error) : std::nullopt;
}

std::optional<double> mse(Lists lists, std::size_t, const MetricOptions&) {
  const auto error = mean_error(rounded_pairs(lists), 2);
  return error ? as_double(*error) : std::nullopt;
}

std::optional<double> rmse(Lists lists, std::size_t, const MetricOptions&) {
  const auto error = mean_error(rounded_pairs(lists), 2);
  return error ? as_double(std::sqrt(*error)) : std::nullopt;
}

std::optional<double> retest_mae(Lists lists, std::size_t, const MetricOptions&) {
  const auto error = mean_error(retests(lists), 1);
  return error ? as_double(*error) : std::nullopt;
}

std::optional<double> retest_rmse(Lists lists, std::size_t, const MetricOptions&) {
  const auto error = mean_error(retests(lists), 2);
  return error ? as_double(std::sqrt(*error)) : std::nullopt;
}

std::optional<double> reversals(Lists lists, std::size_t, const MetricOptions& options) {
  const Pairs pairs = rounded_pairs(lists);
  if (pairs.empty()) return std::nullopt;
  const auto far = std::count_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
    return std::abs(pair.p - pair.r) >= rounded(options.ratings.reversal);
  });
  return as_double(static_cast<Real>(far) / static_cast<Real>(pairs.size()));
}

std::optional<double> pearson(Lists lists, std::size_t, const MetricOptions&) {
  const auto value = correlation(rounded_pairs(lists));
  return value ? as_double(std::clamp<Real>(*value, -1, 1)) : std::nullopt;
}

// R_a = Σ_j max(r_j − d, 0) / 2^((j−1)/(α−1)); 100 Σ_a R_a / Σ_a R_a^max
std::optional<double> half_life_utility(Lists lists, std::size_t, const MetricOptions& options) {
  WideSum shown = 0;
  WideSum ideal = 0;
  const auto utility = [&](double rating, std::size_t rank) {
    const double worth = std::max(rating - options.ratings.default_vote, 0.0);
    return worth / std::pow(2, static_cast<double>(rank - 1) / (options.ratings.half_life - 1));
  };
  for (const ListRelevance* list : lists) {
    std::vector<double> rated;
    double sum = 0;
    for (std::size_t i = 0; i < list->ratings.size(); ++i) {
      if (!list->ratings[i]) continue;
      sum += utility(*list->ratings[i], i + 1);
      rated.push_back(*list->ratings[i]);
    }
    shown += to_fixed(sum);
    std::sort(rated.begin(), rated.end(), std::greater<>());
    sum = 0;
    for (std::size_t i = 0; i < rated.size(); ++i) sum += utility(rated[i], i + 1);
    ideal += to_fixed(sum);
  }
  if (ideal == 0) return std::nullopt;
  return as_double(100 * static_cast<Real>(shown) / static_cast<Real>(ideal));
}

std::optional<double> error_rate(Lists lists, std::size_t k, const MetricOptions& options) {
  std::size_t judged = 0;
  std::size_t wrong = 0;
  for (const ListRelevance* list : lists) {
    for (std::size_t i = 0; i < std::min(k, list->judged.size()); ++i) {
      if (!list->judged[i]) continue;
      ++judged;
      const auto& rating = list->ratings[i];
      wrong += (rating ? *rating < options.ratings.liked : list->grades[i] == 0) ? 1U : 0U;
    }
  }
  if (judged == 0) return std::nullopt;
  return as_double(static_cast<Real>(wrong) / static_cast<Real>(judged));
}

std::optional<double> prediction_coverage(Lists lists, std::size_t, const MetricOptions&) {
  std::uint64_t credited = 0;
  std::uint64_t with_score = 0;
  for (const ListRelevance* list : lists) {
    credited += list->credited_items;
    with_score += list->credited_with_score;
  }
  if (credited == 0) return std::nullopt;
  return as_double(static_cast<Real>(with_score) / static_cast<Real>(credited));
}

// "area under ROC over pairs (score, rating ≥ from), ties ½; unit user, list exact; pooled over scores in 1,024 equal bins of
// [min, max]". Couples are counted one by one; by list and user within each list.
std::optional<double> rated_auc(Lists lists, std::size_t, const MetricOptions& options) {
  const bool is_binned = options.unit == Unit::pooled;
  const auto place = [&](const Pair& pair) -> Real {
    if (!is_binned) return pair.p;
    const Real low = rounded(options.ratings.min);
    const Real bin = std::floor((rounded(pair.p) - low) * 1024 / (rounded(options.ratings.max) - low));
    return std::clamp<Real>(bin, 0, 1023);
  };
  const Real from = options.from.value_or(options.ratings.liked);
  Real right = 0;
  Real couples = 0;
  const auto count = [&](const Pairs& pairs) {
    for (const Pair& liked : pairs) {
      for (const Pair& other : pairs) {
        if (liked.r < from || other.r >= from) continue;
        couples += 1;
        right += place(liked) > place(other) ? 1.0L : place(liked) == place(other) ? 0.5L : 0;
      }
    }
  };
  Pairs all;
  for (const ListRelevance* list : lists) {
    const Pairs own = exact_pairs(*list);
    is_binned ? static_cast<void>(all.insert(all.end(), own.begin(), own.end())) : count(own);
  }
  count(all);
  return couples == 0 ? std::nullopt : as_double(right / couples);
}

std::optional<double> spearman(const ListRelevance& list) {
  std::vector<Real> scores;
  std::vector<Real> ratings;
  for (const Pair& pair : exact_pairs(list)) {
    scores.push_back(pair.p);
    ratings.push_back(pair.r);
  }
  const std::vector<Real> by_score = average_ranks(scores);
  const std::vector<Real> by_rating = average_ranks(ratings);
  Pairs ranks;
  for (std::size_t i = 0; i < scores.size(); ++i) ranks.push_back({by_score[i], by_rating[i]});
  const auto value = correlation(ranks);
  return value ? as_double(*value) : std::nullopt;
}

// H eq. 7: (C − D) / √((C + D + TR)(C + D + TP))
std::optional<double> kendall_tau_b(const ListRelevance& list) {
  const Pairs pairs = exact_pairs(list);
  Real c = 0, d = 0, tr = 0, tp = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Real by_score = pairs[i].p - pairs[j].p;
      const Real by_rating = pairs[i].r - pairs[j].r;
      if (by_score == 0 && by_rating == 0) continue;  // "a pair tied in both orderings counts in neither"
      if (by_rating == 0) {
        tr += 1;
      } else if (by_score == 0) {
        tp += 1;
      } else {
        ((by_score > 0) == (by_rating > 0) ? c : d) += 1;
      }
    }
  }
  const Real denominator = std::sqrt((c + d + tr) * (c + d + tp));
  return denominator == 0 ? std::nullopt : as_double((c - d) / denominator);
}

// H eq. 10: (2 C⁻ + Cᵘ) / (2 Cⁱ)
std::optional<double> ndpm(const ListRelevance& list) {
  const Pairs pairs = exact_pairs(list);
  Real contradictory = 0, undecided = 0, preferences = 0;
  for (const Pair& better : pairs) {
    for (const Pair& worse : pairs) {
      if (better.r <= worse.r) continue;
      preferences += 1;
      contradictory += better.p < worse.p ? 1 : 0;
      undecided += better.p == worse.p ? 1 : 0;
    }
  }
  return preferences == 0 ? std::nullopt : as_double((2 * contradictory + undecided) / (2 * preferences));
}

}  // namespace recmeter::support
