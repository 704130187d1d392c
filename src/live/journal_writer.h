// JournalWriter: what a live run routes, written down in the journal. Each shard has a part of it, and what was routed in one
// round is encoded beside the evaluation of the next.
//
// Thread safety: one thread; the tasks of begin() may run on others.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "live/journal.h"
#include "live/journal_digest.h"
#include "recmeter/evaluation/routed_batch.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class JournalWriter {
 public:
  // `units`: by partition.
  JournalWriter(std::size_t shards, const std::vector<UnitNumber>& units);

  // Goes on with the journal that `store` has at checkpoint number `checkpoint`, which begins at `from`. Errors:
  // state_unusable, storage_failed.
  [[nodiscard]] Result<void> resume(const StateStore& store, std::uint64_t checkpoint, EventTime from) {
    from_ = from;
    return digest_.resume(store, checkpoint);
  }

  void add(const std::vector<std::vector<RoutedBatch>>& routed);
  // Adds the tasks that encode what was added.
  void begin(std::vector<std::function<void()>>& tasks);
  // Encoded and not saved, about.
  [[nodiscard]] std::size_t bytes() const;
  // Requires: all that was added is encoded.
  void save(StateBatch& batch, std::uint64_t checkpoint);

  // Events from here on are in the journal.
  [[nodiscard]] EventTime from() const { return from_; }
  // Drops the events before `keep_from`, about, if that is a minute of them at least: each range dropped is a tombstone that
  // lookups pass by until it is compacted. `first_event`: of the log. Whether it did.
  bool drop_before(EventTime keep_from, EventTime first_event, StateBatch& batch);

 private:
  JournalDigest digest_;
  std::deque<Journal> parts_;                      // by shard
  std::vector<std::vector<RoutedBatch>> waiting_;  // by shard
  EventTime from_ = minus_infinity;
};

}  // namespace recmeter
