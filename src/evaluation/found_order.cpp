#include "recmeter/evaluation/found_order.h"

#include <algorithm>
#include <functional>

namespace recmeter {

namespace {

constexpr std::size_t wrong_clocks_max = 63;        // more of them are the log
constexpr std::uint64_t wrong_clocks_share = 1000;  // one in so many is too many
constexpr Duration gap{7 * one_day.ms};

template <class Before>
void keep_first(std::vector<EventTime>& times, EventTime time, Before before) {
  if (times.size() > wrong_clocks_max && !before(time, times.back())) return;
  times.insert(std::upper_bound(times.begin(), times.end(), time, before), time);
  if (times.size() > wrong_clocks_max + 1) times.pop_back();
}

// Where a log of `count` events begins, seen from the end that `times` come from: behind the innermost gap with few beyond.
std::optional<EventTime> behind_gap(const std::vector<EventTime>& times, std::uint64_t count) {
  for (std::size_t beyond = times.size(); beyond-- > 1;) {
    if (beyond * wrong_clocks_share >= count) continue;
    const Duration step = times[beyond] - times[beyond - 1];
    if (std::max(step, Duration{-step.ms}) > gap) return times[beyond];
  }
  return std::nullopt;
}

}  // namespace

const std::vector<EventTime>& FoundOrder::read(const std::shared_ptr<const EventBatch>& batch) {
  clock_.read({batch, places_}, minus_infinity, *this);
  places_ += batch->events().size();
  keys_.clear();
  EventTime before = key_;
  bool is_timed = false;
  for (const Event& event : batch->events()) {
    if (event.first_of_record) {
      if (!keys_.empty()) before = keys_.back();
      keys_.push_back(before);
      is_timed = false;
    }
    if (event.outcome == Outcome::invalid || !event.has_time) continue;
    keys_.back() = is_timed ? std::min(keys_.back(), event.ts) : event.ts;
    is_timed = true;
    has_broker_times_ = has_broker_times_ || event.broker_time.has_value();
    keep_extremes(event.ts);
  }
  if (!keys_.empty()) key_ = keys_.back();
  for (const InvalidSample& sample : batch->invalid_samples()) {
    const bool is_known = std::any_of(samples_.begin(), samples_.end(),
                                      [&](const InvalidSample& known) { return known.reason == sample.reason; });
    if (!is_known) samples_.push_back(sample);
  }
  return keys_;
}

void FoundOrder::end() {
  clock_.end(minus_infinity, *this);
}

void FoundOrder::decided(const PlacedBatch& /*batch*/, std::uint32_t /*event*/, Fate fate) {
  has_late_ = has_late_ || fate == Fate::late;
}

void FoundOrder::keep_extremes(EventTime time) {
  ++timed_events_;
  keep_first(earliest_, time, std::less<>());
  keep_first(latest_, time, std::greater<>());
}

TimeSpan FoundOrder::right_clocks() const {
  TimeSpan span{.from = minus_infinity, .to = plus_infinity};
  if (has_broker_times_) return span;  // a broker's time tells what is in the future
  span.from = behind_gap(earliest_, timed_events_).value_or(span.from);
  span.to = behind_gap(latest_, timed_events_).value_or(span.to);
  return span;
}

SortedOrder FoundOrder::order() const {
  return {.clocks = right_clocks(), .found = clock_.disorder(), .samples = samples_};
}

}  // namespace recmeter
