#include "recmeter/event/event_batch.h"

namespace recmeter {

std::span<const double> EventBatch::scores(const Event& e) const {
  if (!e.has_scores) return {};
  return {numbers_.data() + e.first_number, e.item_count};
}

std::span<const double> EventBatch::propensities(const Event& e) const {
  if (!e.has_propensities) return {};
  return {numbers_.data() + e.first_number + (e.has_scores ? e.item_count : 0), e.item_count};
}

EventBatch::Policy EventBatch::policy(const Event& e) const {
  const std::span numbers(numbers_.data() + e.first_number, e.position * (e.has_predictions ? 3U : 1U));
  Policy policy{.propensities = numbers.first(e.position), .predicted = {}, .expected = {}};
  if (e.has_predictions) {
    policy.predicted = numbers.subspan(e.position, e.position);
    policy.expected = numbers.last(e.position);
  }
  return policy;
}

double EventBatch::latency(const Event& e) const {
  return numbers_[e.first_number + (std::size_t{e.has_scores} + std::size_t{e.has_propensities}) * e.item_count];
}

std::size_t EventBatch::memory_bytes() const {
  return events_.capacity() * sizeof(Event) + strings_.capacity() * sizeof(StringRef) + numbers_.capacity() * sizeof(double) +
         bytes_.capacity();
}

}  // namespace recmeter
