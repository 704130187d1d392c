// ReorderBuffer: events wait here until the watermark has passed them, and leave in the one order of the specification.
//
// This is where arrival order ends: what leaves is sorted by time and, where two events of one timeline and kind have equal
// times, by canonical bytes ([S2]). Thread safety: none; owned by one shard. Memory: what arrived within the
// lateness, plus how far partitions run apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recmeter/evaluation/routed_batch.h"

namespace recmeter {

class ReorderBuffer {
 public:
  struct Pending {
    EventTime ts;
    std::uint64_t key_hash;
    std::uint64_t place;  // in its partition
    std::uint32_t partition;
    std::uint32_t held;  // which batch
    std::uint32_t event;
    EventKind kind;
  };

  // A width of the time buckets that events are kept in: about a 64th of the lateness.
  [[nodiscard]] static Duration bucket_for(Duration lateness) {
    return Duration{std::clamp<std::int64_t>(lateness.ms / 64, 16, one_minute.ms)};
  }
  // `actions` outlive the buffer.
  ReorderBuffer(Duration bucket, std::span<const std::string> actions);

  void add(RoutedBatch&& routed);
  // Hands over, in order, every event before `w`, as visit(batch, event, pending).
  template <class Visit>
  void release_before(EventTime w, Visit&& visit) {
    while (take_bucket(w)) {
      for (std::size_t i = 0; i < taken_.size(); ++i) {
        const EventBatch& batch = *held_[taken_[i].held].batch;
        visit(batch, batch.events()[taken_[i].event], std::span<const Pending>(taken_).subspan(i));
      }
      drop_taken();
    }
  }
  [[nodiscard]] const EventBatch& batch(const Pending& pending) const { return *held_[pending.held].batch; }
  // To be kept beyond the visit.
  [[nodiscard]] std::shared_ptr<const EventBatch> shared(const Pending& pending) const { return held_[pending.held].batch; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Held {
    std::shared_ptr<const EventBatch> batch;
    std::size_t waiting = 0;
  };
  // Moves the events before `w` of the first bucket that has any into taken_, sorted. False when there are none.
  bool take_bucket(EventTime w);
  void drop_taken();
  void sort_ties();

  Duration bucket_;
  std::span<const std::string> actions_;
  std::map<std::int64_t, std::vector<Pending>> buckets_;
  std::vector<Held> held_;
  std::vector<std::uint32_t> held_free_;
  std::vector<Pending> taken_;
  std::size_t size_ = 0;
};

}  // namespace recmeter
