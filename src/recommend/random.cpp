#include "recommend/models.h"

#include <algorithm>

namespace recmeter {

namespace {

// All tie, and ties are in a random order.
class Random final : public Recommender {
 public:
  Result<void> learn(const LearnedEvent& /*event*/, std::span<const KnownItem> /*known*/) override { return {}; }
  void begin_version(EventTime /*bound*/) override {}
  void score(const ListRequest& /*request*/, std::span<const KnownItem> /*known*/,
             std::span<const std::uint32_t> /*candidates*/, std::span<double> scores) override {
    std::fill(scores.begin(), scores.end(), 0.0);
  }
};

}  // namespace

std::unique_ptr<Recommender> make_random() {
  return std::make_unique<Random>();
}

}  // namespace recmeter
