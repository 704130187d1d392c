#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "recmeter/base/exact_sum.h"
#include "recommend/models.h"
#include "recommend/user_ratings.h"

namespace recmeter {

namespace {

// What users of like taste gave. Sums over items run in the order in which the user rated them first, sums over neighbours
// from the most similar down.
class UserKnn final : public Recommender {
 public:
  UserKnn(const RecommenderSpec& spec, const PrequentialSpec& rules, const LearningLog& log, UserRatings& ratings)
      : spec_(spec), min_(rules.rating_min), max_(rules.rating_max), log_(log), ratings_(ratings) {}

  // The ratings learn, for all recommenders.
  Result<void> learn(const LearnedEvent& /*event*/, std::span<const KnownItem> /*known*/) override { return {}; }
  void begin_version(EventTime /*bound*/) override { weights_of_.reset(); }

  void score(const ListRequest& request, std::span<const KnownItem> /*known*/, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    weigh(request.user);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      find_neighbours(request.user, candidates[i]);
      scores[i] = std::clamp(prediction(request.user), min_, max_);
      if (spec_.k > 0) {
        at(confidences_, candidates[i]) = static_cast<double>(neighbours_.size()) / static_cast<double>(spec_.k);
      }
    }
  }
  std::optional<double> confidence(std::uint32_t item) const override {
    return spec_.k > 0 ? std::optional(value_at(confidences_, item)) : std::nullopt;
  }

 private:
  using Taste = UserRatings::Taste;
  using Rated = UserRatings::Rated;
  using Rater = UserRatings::Rater;
  // Sums over the items that two users rated.
  struct Shared {
    double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  };
  struct Neighbour {
    double weight = 0;
    std::uint64_t hash = 0;
    std::uint32_t user = 0;
    double rating = 0;
  };

  // How like each other user is to this one, once for a version.
  void weigh(std::uint32_t user) {
    if (weights_of_ == user) return;
    weights_of_ = user;
    const std::vector<Taste>& tastes = ratings_.tastes();
    weights_.assign(tastes.size(), 0);
    if (user >= tastes.size()) return;
    common_.assign(tastes.size(), {});
    const bool by_rank = spec_.similarity == RecommenderSpec::Similarity::spearman;
    if (by_rank) ratings_.rank(user);
    for (const Rated& own : tastes[user].rated) {
      const double a = by_rank ? own.rank : own.value;
      for (const Rater& rater : ratings_.raters()[own.item]) {
        if (by_rank) ratings_.rank(rater.user);
        const double b = by_rank ? tastes[rater.user].rated[rater.place].rank : rater.value;
        Shared& common = common_[rater.user];
        ++common.n;
        common.a += a;
        common.b += b;
        common.aa += a * a;
        common.bb += b * b;
        common.ab += a * b;
      }
    }
    for (std::uint32_t other = 0; other < tastes.size(); ++other) {
      const Shared& common = common_[other];
      if (other == user || common.n == 0) continue;
      const double full = spec_.significance;
      const double weight = similarity(user, other, common) * (full > 0 ? std::min(common.n, full) / full : 1);
      weights_[other] = std::ldexp(static_cast<double>(to_q32(weight)), -q32_fraction_bits);  // so that ties are ties
    }
  }

  [[nodiscard]] double similarity(std::uint32_t user, std::uint32_t other, const Shared& common) const {
    double product = common.ab;
    double own = ratings_.tastes()[user].squares;
    double others = ratings_.tastes()[other].squares;
    switch (spec_.similarity) {
      case RecommenderSpec::Similarity::pearson:
      case RecommenderSpec::Similarity::spearman:
        product = common.n * common.ab - common.a * common.b;
        own = common.n * common.aa - common.a * common.a;
        others = common.n * common.bb - common.b * common.b;
        break;
      case RecommenderSpec::Similarity::cosine: break;
      case RecommenderSpec::Similarity::constrained: {
        const double mean = ratings_.sum() / static_cast<double>(ratings_.count());
        product = common.ab - mean * (common.a + common.b) + common.n * mean * mean;
        own = common.aa - 2 * mean * common.a + common.n * mean * mean;
        others = common.bb - 2 * mean * common.b + common.n * mean * mean;
        break;
      }
    }
    return own > 0 && others > 0 ? product / (std::sqrt(own) * std::sqrt(others)) : 0;
  }

  // Those who rated it, the most similar first.
  void find_neighbours(std::uint32_t user, std::uint32_t item) {
    neighbours_.clear();
    if (item >= ratings_.raters().size()) return;
    for (const Rater& rater : ratings_.raters()[item]) {
      if (rater.user == user || weights_[rater.user] <= spec_.threshold) continue;
      neighbours_.push_back({weights_[rater.user], hash_of(rater.user), rater.user, rater.value});
    }
    const auto is_before = [&](const Neighbour& a, const Neighbour& b) {
      if (a.weight != b.weight) return a.weight > b.weight;
      return a.hash != b.hash ? a.hash < b.hash : log_.users.text(a.user) < log_.users.text(b.user);
    };
    const std::size_t count = spec_.k > 0 ? std::min<std::size_t>(spec_.k, neighbours_.size()) : neighbours_.size();
    std::partial_sort(neighbours_.begin(), neighbours_.begin() + static_cast<std::ptrdiff_t>(count), neighbours_.end(),
                      is_before);
    neighbours_.resize(count);
  }

  [[nodiscard]] double prediction(std::uint32_t user) const {
    const std::vector<Taste>& tastes = ratings_.tastes();
    const bool rated = user < tastes.size() && !tastes[user].rated.empty();
    const double mean = rated                  ? tastes[user].mean()
                        : ratings_.count() > 0 ? ratings_.sum() / static_cast<double>(ratings_.count())
                                               : (min_ + max_) / 2;
    double weights = 0;
    double sum = 0;
    for (const Neighbour& one : neighbours_) {
      const Taste& other = tastes[one.user];
      double above = one.rating;
      if (spec_.normalize != RecommenderSpec::Normalize::none) above -= other.mean();
      if (spec_.normalize == RecommenderSpec::Normalize::z) {
        const double deviation = other.deviation();
        above = deviation > 0 ? above / deviation : 0;
      }
      weights += one.weight;
      sum += one.weight * above;
    }
    if (neighbours_.empty()) return mean;
    switch (spec_.normalize) {
      case RecommenderSpec::Normalize::none: return sum / weights;
      case RecommenderSpec::Normalize::mean: return mean + sum / weights;
      case RecommenderSpec::Normalize::z: break;
    }
    return mean + tastes[user].deviation() * sum / weights;
  }

  std::uint64_t hash_of(std::uint32_t user) {
    std::optional<std::uint64_t>& hash = at(hashes_, user);
    if (!hash) hash = XXH3_64bits_withSeed(log_.users.text(user).data(), log_.users.text(user).size(), 0);
    return *hash;
  }

  RecommenderSpec spec_;
  double min_;
  double max_;
  const LearningLog& log_;
  UserRatings& ratings_;
  std::vector<std::optional<std::uint64_t>> hashes_;  // by user
  std::optional<std::uint32_t> weights_of_;           // whose the weights are
  std::vector<double> weights_;                       // by user
  std::vector<Shared> common_;
  std::vector<Neighbour> neighbours_;  // of one prediction
  std::vector<double> confidences_;    // by item
};

}  // namespace

std::unique_ptr<Recommender> make_user_knn(const RecommenderSpec& spec, const PrequentialSpec& rules, const LearningLog& log,
                                           UserRatings& ratings) {
  return std::make_unique<UserKnn>(spec, rules, log, ratings);
}

}  // namespace recmeter
