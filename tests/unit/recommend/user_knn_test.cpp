// Predicted ratings, held against the formulas computed anew for every prediction, by means and deviations instead of sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "recmeter/recommend/prequential.h"
#include "unit/recommend/random_log.h"

namespace recmeter {
namespace {

using Similarity = RecommenderSpec::Similarity;
using Normalize = RecommenderSpec::Normalize;
using Tastes = std::map<std::uint32_t, std::map<std::uint32_t, double>>;  // by user and item

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}
std::vector<double> values_of(const std::map<std::uint32_t, double>& taste) {
  std::vector<double> out;
  for (const auto& [item, value] : taste) out.push_back(value);
  return out;
}
double deviation(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += (value - mean(values)) * (value - mean(values));
  return std::sqrt(sum / static_cast<double>(values.size()));
}

std::map<std::uint32_t, double> ranks(const std::map<std::uint32_t, double>& taste) {
  std::map<std::uint32_t, double> out;
  for (const auto& [item, value] : taste) {
    double below = 0;
    double equal = 0;
    for (const auto& [other, other_value] : taste) {
      below += other_value < value ? 1 : 0;
      equal += other_value == value ? 1 : 0;
    }
    out[item] = below + (equal + 1) / 2;
  }
  return out;
}

// Of deviations from `a0` and `b0`.
double correlation(const std::vector<double>& a, const std::vector<double>& b, double a0, double b0) {
  double product = 0;
  double own = 0;
  double others = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += (a[i] - a0) * (b[i] - b0);
    own += (a[i] - a0) * (a[i] - a0);
    others += (b[i] - b0) * (b[i] - b0);
  }
  return own < 1e-12 || others < 1e-12 ? 0 : product / std::sqrt(own * others);
}

double weight(const RecommenderSpec& spec, const Tastes& tastes, std::uint32_t u, std::uint32_t v) {
  const bool by_rank = spec.similarity == Similarity::spearman;
  const auto of_u = by_rank ? ranks(tastes.at(u)) : tastes.at(u);
  const auto of_v = by_rank ? ranks(tastes.at(v)) : tastes.at(v);
  std::vector<double> a;
  std::vector<double> b;
  for (const auto& [item, value] : of_u) {
    if (!of_v.contains(item)) continue;
    a.push_back(value);
    b.push_back(of_v.at(item));
  }
  if (a.empty()) return 0;
  double similarity = 0;
  if (spec.similarity == Similarity::cosine) {
    double product = 0;
    double own = 0;
    double others = 0;
    for (std::size_t i = 0; i < a.size(); ++i) product += a[i] * b[i];
    for (const auto& [item, value] : of_u) own += value * value;
    for (const auto& [item, value] : of_v) others += value * value;
    similarity = product / std::sqrt(own * others);
  } else if (spec.similarity == Similarity::constrained) {
    std::vector<double> all;
    for (const auto& [user, taste] : tastes) {
      for (const auto& [item, value] : taste) all.push_back(value);
    }
    similarity = correlation(a, b, mean(all), mean(all));
  } else {
    similarity = correlation(a, b, mean(a), mean(b));
  }
  const auto common = static_cast<double>(a.size());
  if (spec.significance > 0) similarity *= std::min(common, double{1} * spec.significance) / spec.significance;
  return std::nearbyint(similarity * 4294967296.0) / 4294967296.0;
}

struct Expected {
  double rating;
  std::optional<double> confidence;
};

// Absent: neighbours are equally similar, and a hash decides which of them count.
std::optional<Expected> expected(const RecommenderSpec& spec, const Tastes& tastes, std::uint32_t u, std::uint32_t item) {
  std::vector<std::pair<double, std::uint32_t>> neighbours;
  for (const auto& [v, taste] : tastes) {
    if (v == u || !taste.contains(item) || !tastes.contains(u)) continue;
    const double w = weight(spec, tastes, u, v);
    if (std::abs(w - spec.threshold) < 1e-9 && w != spec.threshold) return std::nullopt;
    if (w > spec.threshold) neighbours.emplace_back(-w, v);
  }
  std::sort(neighbours.begin(), neighbours.end());
  if (spec.k > 0 && neighbours.size() > spec.k) {
    if (std::abs(neighbours[spec.k - 1].first - neighbours[spec.k].first) < 1e-9) return std::nullopt;
    neighbours.resize(spec.k);
  }
  Expected out;
  if (spec.k > 0) out.confidence = static_cast<double>(neighbours.size()) / spec.k;
  std::vector<double> all;
  for (const auto& [user, taste] : tastes) {
    for (const auto& [rated, value] : taste) all.push_back(value);
  }
  const double own = tastes.contains(u) ? mean(values_of(tastes.at(u))) : all.empty() ? 3 : mean(all);
  double sum = 0;
  double weights = 0;
  for (const auto& [minus, v] : neighbours) {
    const auto values = values_of(tastes.at(v));
    double above = tastes.at(v).at(item) - (spec.normalize == Normalize::none ? 0 : mean(values));
    if (spec.normalize == Normalize::z) above = deviation(values) < 1e-12 ? 0 : above / deviation(values);
    sum += -minus * above;
    weights += -minus;
  }
  out.rating = own;
  if (weights > 0) {
    const double scale = spec.normalize == Normalize::z ? deviation(values_of(tastes.at(u))) : 1;
    out.rating = (spec.normalize == Normalize::none ? 0 : own) + scale * sum / weights;
  }
  out.rating = std::clamp(out.rating, 1.0, 5.0);
  return out;
}

PrequentialSpec rules_of_ratings() {
  PrequentialSpec rules;
  rules.candidates = PrequentialSpec::Candidates::rated;
  rules.rating = 0;
  rules.length = 1000;
  return rules;
}

TEST(UserKnn, predicts_by_the_formulas) {
  PrequentialSpec rules = rules_of_ratings();
  for (const Similarity similarity :
       {Similarity::pearson, Similarity::spearman, Similarity::cosine, Similarity::constrained}) {
    for (const Normalize normalize : {Normalize::none, Normalize::mean, Normalize::z}) {
      for (const std::uint32_t k : {0U, 2U}) {
        RecommenderSpec spec{.name = "knn", .kind = RecommenderKind::user_knn, .k = k};
        spec.similarity = similarity;
        spec.normalize = normalize;
        spec.significance = k == 0 ? 0 : 4;
        spec.threshold = k == 0 ? 0 : 0.1;
        rules.recommenders.push_back(spec);
      }
    }
  }
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const LearningLog log = test::random_log(seed, 120);
    const Prequential::Take take = [&](std::size_t r, const ListRequest& request, std::span<const RankedItem> items) {
      Tastes tastes;
      for (const LearnedEvent& event : log.events) {
        if (event.ts < request.ts) tastes[event.user][event.item] = *event.value;
      }
      EXPECT_EQ(items.size(), request.targets.size());
      for (const RankedItem& one : items) {
        const auto wanted = expected(rules.recommenders[r], tastes, request.user, one.item);
        if (!wanted) continue;
        EXPECT_NEAR(*one.score, wanted->rating, 1e-6) << "recommender " << r << " at " << request.ts.ms << ", log " << seed;
        EXPECT_EQ(one.confidence, wanted->confidence);
        ++compared;
      }
      return Result<void>{};
    };
    ASSERT_TRUE(Prequential(rules, log).run(take, {}));
  }
  EXPECT_GT(compared, 5000U);
}

// Sums of usual ratings are exact, so that no rounding makes a taste of ratings that are all equal.
TEST(UserKnn, finds_no_likeness_in_ratings_that_are_all_equal) {
  LearningLog log;
  for (const char* user : {"u", "v"}) log.users.number(user);
  for (const char* item : {"a", "b", "c", "d"}) log.items.number(item);
  for (std::uint32_t item = 0; item < 3; ++item) {
    log.events.push_back({EventTime{1}, 0, item, 0, 4.7});
    log.events.push_back({EventTime{1}, 1, item, 0, 1.0 + item});
  }
  log.events.push_back({EventTime{1}, 1, 3, 0, 5.0});
  log.requests.push_back({.ts = EventTime{2}, .user = 0, .targets = {3}, .shown = {}, .segments = {}});
  PrequentialSpec rules = rules_of_ratings();
  rules.recommenders = {{.name = "knn", .kind = RecommenderKind::user_knn, .k = 20}};
  const Prequential::Take take = [&](std::size_t, const ListRequest&, std::span<const RankedItem> items) {
    EXPECT_NEAR(*items[0].score, 4.7, 1e-3) << "its own mean: there is no neighbour";
    EXPECT_EQ(items[0].confidence, 0);
    return Result<void>{};
  };
  ASSERT_TRUE(Prequential(rules, log).run(take, {}));
}

}  // namespace
}  // namespace recmeter
