#include <algorithm>
#include <deque>
#include <vector>

#include "recommend/models.h"
#include "recommend/pair_counts.h"

namespace recmeter {

namespace {

// Items acted on within a window of each other, by one user: what goes with the item it acted on last.
class Covisit final : public Recommender {
 public:
  Covisit(const RecommenderSpec& spec, std::size_t pairs_max) : spec_(spec), pairs_max_(pairs_max) {}

  Result<void> learn(const LearnedEvent& event, std::span<const KnownItem> /*known*/) override {
    std::deque<KnownItem>& recent = at(recent_, event.user);
    while (!recent.empty() && recent.front().ts < event.ts - spec_.window) recent.pop_front();
    for (const KnownItem& other : recent) {
      if (other.item == event.item || pairs_.add(other.item, event.item, pairs_max_)) continue;
      return failure(Errc::config_invalid, "recommender " + spec_.name + " reached limits.recommender_pairs (" +
                                               std::to_string(pairs_max_) + "): shorten its window, or raise the limit");
    }
    recent.push_back({event.item, event.ts});
    return {};
  }
  void begin_version(EventTime /*bound*/) override {}

  void score(const ListRequest& /*request*/, std::span<const KnownItem> known, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    std::fill(scores.begin(), scores.end(), 0.0);
    if (known.empty()) return;
    pairs_.for_each(known.back().item, [&](std::uint32_t y, std::uint32_t count) { at(together_, y) = count; });
    for (std::size_t i = 0; i < candidates.size(); ++i) scores[i] = value_at(together_, candidates[i]);
    pairs_.for_each(known.back().item, [&](std::uint32_t y, std::uint32_t /*count*/) { together_[y] = 0; });
  }

 private:
  RecommenderSpec spec_;
  std::size_t pairs_max_;
  std::vector<std::deque<KnownItem>> recent_;  // by user: its events within the window
  PairCounts pairs_;
  std::vector<std::uint32_t> together_;  // by item, of one request
};

}  // namespace

std::unique_ptr<Recommender> make_covisit(const RecommenderSpec& spec, std::size_t pairs_max) {
  return std::make_unique<Covisit>(spec, pairs_max);
}

}  // namespace recmeter
