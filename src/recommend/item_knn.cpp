#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "recommend/half_life.h"
#include "recommend/models.h"
#include "recommend/pair_counts.h"

namespace recmeter {

namespace {

// Items that share users with those of the history: cosine over distinct users, the k nearest of each.
class ItemKnn final : public Recommender {
 public:
  ItemKnn(const RecommenderSpec& spec, const LearningLog& log, std::size_t pairs_max)
      : spec_(spec), log_(log), pairs_max_(pairs_max) {}

  Result<void> learn(const LearnedEvent& event, std::span<const KnownItem> known) override {
    if (std::any_of(known.begin(), known.end(), [&](const KnownItem& one) { return one.item == event.item; })) return {};
    ++at(users_, event.item);
    for (const KnownItem& one : known) {
      if (pairs_.add(one.item, event.item, pairs_max_)) continue;
      return failure(Errc::config_invalid, "recommender " + spec_.name + " reached limits.recommender_pairs (" +
                                               std::to_string(pairs_max_) +
                                               "): lower limits.recommender_history, or raise it");
    }
    return {};
  }
  void begin_version(EventTime /*bound*/) override { ++version_; }

  void score(const ListRequest& request, std::span<const KnownItem> known, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    sums_.resize(std::max(sums_.size(), log_.items.size()));
    std::fill(sums_.begin(), sums_.end(), 0.0);
    // The latest first: the order of the sum is part of its bits.
    for (auto x = known.rbegin(); x != known.rend(); ++x) {
      const double weight = half_life_weight(request.ts - x->ts, spec_.half_life);
      for (const Neighbour& y : neighbours(x->item)) sums_[y.item] += weight * y.similarity;
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] = sums_[candidates[i]];
  }

 private:
  struct Neighbour {
    std::uint32_t item = 0;
    double similarity = 0;
  };
  struct Neighbourhood {
    std::uint64_t version = 0;
    std::vector<Neighbour> nearest;  // in any order: each adds to another item
  };

  const std::vector<Neighbour>& neighbours(std::uint32_t x) {
    Neighbourhood& of = at(neighbourhoods_, x);
    if (of.version == version_) return of.nearest;
    of.version = version_;
    of.nearest.clear();
    const double root = std::sqrt(static_cast<double>(value_at(users_, x)));
    pairs_.for_each(x, [&](std::uint32_t y, std::uint32_t count) {
      const double other = std::sqrt(static_cast<double>(value_at(users_, y)));
      of.nearest.push_back({y, static_cast<double>(count) / (root * other)});
    });
    if (spec_.k > 0 && of.nearest.size() > spec_.k) {
      std::nth_element(of.nearest.begin(), of.nearest.begin() + spec_.k, of.nearest.end(),
                       [&](const Neighbour& a, const Neighbour& b) {
                         if (a.similarity != b.similarity) return a.similarity > b.similarity;
                         const std::uint64_t hash_a = hash_of(a.item);
                         const std::uint64_t hash_b = hash_of(b.item);
                         return hash_a != hash_b ? hash_a < hash_b : log_.items.text(a.item) < log_.items.text(b.item);
                       });
      of.nearest.resize(spec_.k);
    }
    return of.nearest;
  }

  std::uint64_t hash_of(std::uint32_t item) {
    std::optional<std::uint64_t>& hash = at(hashes_, item);
    const std::string& text = log_.items.text(item);
    if (!hash) hash = XXH3_64bits_withSeed(text.data(), text.size(), 0);
    return *hash;
  }

  RecommenderSpec spec_;
  const LearningLog& log_;
  std::size_t pairs_max_;
  std::uint64_t version_ = 0;
  std::vector<std::uint32_t> users_;  // of each item, distinct
  PairCounts pairs_;
  std::vector<Neighbourhood> neighbourhoods_;
  std::vector<double> sums_;                          // by item, of one request
  std::vector<std::optional<std::uint64_t>> hashes_;  // by item
};

}  // namespace

std::unique_ptr<Recommender> make_item_knn(const RecommenderSpec& spec, const LearningLog& log, std::size_t pairs_max) {
  return std::make_unique<ItemKnn>(spec, log, pairs_max);
}

}  // namespace recmeter
