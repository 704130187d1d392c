#include "recmeter/evaluation/reorder_buffer.h"

#include <algorithm>
#include <tuple>

#include "recmeter/base/check.h"
#include "recmeter/event/canonical.h"

namespace recmeter {

namespace {

// Whole lists and rows are ordered among each other; feedback apart from them.
bool is_feedback(EventKind kind) {
  return kind == EventKind::feedback;
}

auto order_without_bytes(const ReorderBuffer::Pending& p) {
  return std::tuple(p.ts, p.key_hash, is_feedback(p.kind));
}

}  // namespace

ReorderBuffer::ReorderBuffer(Duration bucket, std::span<const std::string> actions) : bucket_(bucket), actions_(actions) {
  RECMETER_CHECK(bucket.ms > 0, "a bucket has a width");
}

void ReorderBuffer::add(RoutedBatch&& routed) {
  if (routed.events.empty()) return;
  std::uint32_t held;
  if (held_free_.empty()) {
    held = static_cast<std::uint32_t>(held_.size());
    held_.emplace_back();
  } else {
    held = held_free_.back();
    held_free_.pop_back();
  }
  held_[held] = {std::move(routed.batch), routed.events.size()};
  const std::span<const Event> events = held_[held].batch->events();
  std::int64_t current = 0;
  std::vector<Pending>* bucket = nullptr;
  for (const std::uint32_t index : routed.events) {
    const Event& event = events[index];
    const std::int64_t number = event.ts.ms / bucket_.ms;  // event times are positive
    if (bucket == nullptr || number != current) {
      current = number;
      bucket = &buckets_[number];
    }
    bucket->push_back({event.ts, event.key_hash, routed.first_place + index, routed.partition, held, index, event.kind});
  }
  size_ += routed.events.size();
}

bool ReorderBuffer::take_bucket(EventTime w) {
  taken_.clear();
  for (auto bucket = buckets_.begin(); bucket != buckets_.end() && bucket->first * bucket_.ms < w.ms;) {
    std::vector<Pending>& waiting = bucket->second;
    const auto later = std::partition(waiting.begin(), waiting.end(), [&](const Pending& p) { return p.ts < w; });
    if (later == waiting.end()) {
      taken_.swap(waiting);
      bucket = buckets_.erase(bucket);
    } else {
      taken_.assign(waiting.begin(), later);
      waiting.erase(waiting.begin(), later);
      ++bucket;
    }
    if (taken_.empty()) continue;
    std::sort(taken_.begin(), taken_.end(), [](const Pending& a, const Pending& b) {
      return std::tuple(order_without_bytes(a), a.partition, a.place) <
             std::tuple(order_without_bytes(b), b.partition, b.place);
    });
    sort_ties();
    return true;
  }
  return false;
}

// Canonical bytes are made only where they decide.
void ReorderBuffer::sort_ties() {
  for (auto first = taken_.begin(); first != taken_.end();) {
    const auto last = std::find_if(first + 1, taken_.end(),
                                   [&](const Pending& p) { return order_without_bytes(p) != order_without_bytes(*first); });
    if (last - first > 1) {
      std::vector<std::pair<std::string, Pending>> run;
      for (auto at = first; at != last; ++at) {
        const EventBatch& events = batch(*at);
        run.emplace_back(canonical_bytes(events, events.events()[at->event], actions_), *at);
      }
      std::stable_sort(run.begin(), run.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      std::transform(run.begin(), run.end(), first, [](const auto& entry) { return entry.second; });
    }
    first = last;
  }
}

void ReorderBuffer::drop_taken() {
  for (const Pending& pending : taken_) {
    Held& held = held_[pending.held];
    if (--held.waiting > 0) continue;
    held.batch.reset();
    held_free_.push_back(pending.held);
  }
  size_ -= taken_.size();
}

}  // namespace recmeter
