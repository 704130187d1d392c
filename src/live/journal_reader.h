// JournalReader: a journal read again in pieces, in steps that may run beside each other for different pieces: one is fetched
// from the store while the one before is decoded, part by part, and the one before that is evaluated.
//
// Thread safety: fetch() by one thread at a time; decode() of different parts by any. Invariants:
//   (1) pieces come in the order of their buckets, and a bucket is in one piece;
//   (2) within a piece, parts of one partition and bucket come in the order in which they were noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "live/journal.h"
#include "live/journal_digest.h"
#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/routed_batch.h"
#include "recmeter/event/join_key.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class JournalReader {
 public:
  // Events of one bucket and partition that were kept by one checkpoint.
  struct Part {
    EventTime bucket;
    std::uint32_t partition = 0;
    std::uint64_t first_place = 0;
    std::uint64_t count = 0;
    std::string bytes;
  };
  struct Piece {
    EventTime first = plus_infinity;  // start of its first bucket; plus_infinity: it is empty, and so are those after it
    std::vector<Part> parts;
  };

  // Of the buckets within `range`; pieces are whole buckets of together about `events` events. `kinds`: those of the events.
  // `store` and `key` outlive the reader. Where the store says which blocks there were at checkpoint `range.noted_by`, others
  // are damage.
  JournalReader(const StateStore& store, const JoinKey& key, const EventKinds& kinds, Journal::Range range,
                std::size_t events);

  // The next piece. Errors: state_unusable, storage_failed.
  [[nodiscard]] Result<Piece> fetch();
  // All events of a part, to one shard. Errors: state_unusable.
  [[nodiscard]] Result<RoutedBatch> decode(const Part& part) const;
  // By shard: of each the batch if it has an event of the part.
  [[nodiscard]] Result<std::vector<std::optional<RoutedBatch>>> decode(const Part& part, std::size_t shards) const;

 private:
  // A minute in [from, to) whose blocks are not those that there were.
  [[nodiscard]] std::optional<EventTime> changed(const JournalDigest::Minutes& found, EventTime from, EventTime to) const;

  const StateStore& store_;
  const JoinKey& key_;
  EventKinds kinds_;
  std::size_t events_;
  std::uint64_t noted_by_;
  std::size_t partitions_;
  Result<std::optional<JournalDigest::Minutes>> digest_;
  std::string next_;  // key
  std::string end_;
  std::map<std::uint32_t, std::uint64_t> places_;  // by partition, of the next event
};

}  // namespace recmeter
