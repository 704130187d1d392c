#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include "recommend/half_life.h"
#include "recommend/models.h"

namespace recmeter {

namespace {

// Events on an item, or the users they came from, in the trailing period; or weights that halve.
class Popularity final : public Recommender {
 public:
  Popularity(const RecommenderSpec& spec, const LearningLog& log) : spec_(spec), log_(log) {}

  bool learns_from_nobody() const override { return spec_.count == RecommenderSpec::Count::events; }
  Result<void> learn(const LearnedEvent& event, std::span<const KnownItem> /*known*/) override {
    if (spec_.half_life.ms > 0) {
      Weight& weight = at(weights_, event.item);
      weight.sum = weight.sum * half_life_weight(event.ts - weight.at, spec_.half_life) + 1;
      weight.at = event.ts;
      return {};
    }
    count(event, +1);
    if (spec_.period.ms > 0) trailing_.push_back(event);
    return {};
  }

  void begin_version(EventTime bound) override {
    bound_ = bound;
    while (!trailing_.empty() && trailing_.front().ts < bound - spec_.period) {
      count(trailing_.front(), -1);
      trailing_.pop_front();
    }
  }

  void score(const ListRequest& /*request*/, std::span<const KnownItem> /*known*/, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    if (spec_.half_life.ms > 0) {
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        const Weight weight = value_at(weights_, candidates[i]);
        scores[i] = weight.sum == 0 ? 0 : weight.sum * half_life_weight(bound_ - weight.at, spec_.half_life);
      }
      return;
    }
    // All items of the log for each list: this loop is what the lists of a long log cost.
    counts_.resize(std::max<std::size_t>(counts_.size(), log_.items.size()));
    const double* const counts = counts_.data();
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] = counts[candidates[i]];
  }

 private:
  struct Weight {
    double sum = 0;
    EventTime at;
  };

  void count(const LearnedEvent& event, int by) {
    if (spec_.count == RecommenderSpec::Count::events) {
      at(counts_, event.item) += by;
      return;
    }
    // Of each user and item how many events: the user counts while there is one.
    std::int64_t& events = of_user_[static_cast<std::uint64_t>(event.item) << 32 | event.user];
    const bool counted = events > 0;
    events += by;
    if (counted != (events > 0)) at(counts_, event.item) += by;
    if (events == 0) of_user_.erase(static_cast<std::uint64_t>(event.item) << 32 | event.user);
  }

  RecommenderSpec spec_;
  const LearningLog& log_;
  EventTime bound_;
  std::vector<double> counts_;  // by item; whole numbers
  std::unordered_map<std::uint64_t, std::int64_t> of_user_;
  std::deque<LearnedEvent> trailing_;
  std::vector<Weight> weights_;
};

}  // namespace

std::unique_ptr<Recommender> make_popularity(const RecommenderSpec& spec, const LearningLog& log) {
  return std::make_unique<Popularity>(spec, log);
}

}  // namespace recmeter
