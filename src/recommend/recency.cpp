#include <vector>

#include "recommend/models.h"

namespace recmeter {

namespace {

// What was acted on last, by anybody.
class Recency final : public Recommender {
 public:
  bool learns_from_nobody() const override { return true; }
  Result<void> learn(const LearnedEvent& event, std::span<const KnownItem> /*known*/) override {
    at(latest_, event.item) = event.ts;
    return {};
  }
  void begin_version(EventTime /*bound*/) override {}
  void score(const ListRequest& request, std::span<const KnownItem> /*known*/, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      scores[i] = -static_cast<double>((request.ts - value_at(latest_, candidates[i])).ms) / static_cast<double>(one_day.ms);
    }
  }

 private:
  std::vector<EventTime> latest_;
};

// What the user acted on itself, the latest first.
class OwnRecency final : public Recommender {
 public:
  Result<void> learn(const LearnedEvent& /*event*/, std::span<const KnownItem> /*known*/) override { return {}; }
  void begin_version(EventTime /*bound*/) override {}
  void score(const ListRequest& /*request*/, std::span<const KnownItem> known, std::span<const std::uint32_t> candidates,
             std::span<double> scores) override {
    rank_.clear();
    for (std::size_t i = 0; i < known.size(); ++i) at(rank_, known[i].item) = known.size() - i;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::size_t rank = value_at(rank_, candidates[i]);
      scores[i] = -static_cast<double>(rank > 0 ? rank : known.size() + 1);
    }
  }
  bool recommends_known() const override { return true; }

 private:
  std::vector<std::size_t> rank_;  // from 1
};

}  // namespace

std::unique_ptr<Recommender> make_recency() {
  return std::make_unique<Recency>();
}

std::unique_ptr<Recommender> make_own_recency() {
  return std::make_unique<OwnRecency>();
}

}  // namespace recmeter
