// Journal: the events that a run may still need, kept across runs. A restart reads them again instead of the source, and so
// has the joins, panes and windows it had: they are functions of the events (docs/decisions/0012).
//
// Events are those that were routed: neither invalid, ignored, future nor late. They are written in blocks by time bucket, so
// that what is over is dropped by range and never by key. There may be several journals of one state, each with a part of the
// events, and then the events of one user go to the same. Keys: 'j', bucket, checkpoint, unit and part (4 bytes each);
// values: partition, count and events (event/event_code.h), repeated. Keys of the first format are those of unit 0. Thread
// safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/routed_batch.h"
#include "recmeter/event/event_code.h"
#include "recmeter/event/join_key.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class Journal {
 public:
  // `part`: which of the state's journals. `units`: by partition; those beyond are of unit 0.
  explicit Journal(std::uint32_t part, std::vector<UnitNumber> units = {}) : part_(part), units_(std::move(units)) {}

  // Notes events to be kept. Requires: those of one partition and time come in their order.
  void add(const RoutedBatch& routed);
  // Puts what was noted since the last call into `batch`; `checkpoint` rises from call to call, over runs too.
  void save(StateBatch& batch, std::uint64_t checkpoint);
  // What that would be, about.
  [[nodiscard]] std::size_t noted_bytes() const { return noted_bytes_; }
  // Drops what lies before `keep_from`, about, of all journals.
  static void drop(StateBatch& batch, EventTime keep_from);
  static void drop_all(StateBatch& batch);

  // Hands over all that the store keeps, as batches of events of one partition each, in the order of their buckets, and those
  // of one user and time in the order in which they were noted, while visit(start of the bucket, batch) returns true; of the
  // buckets within `range`. `kinds`: those of the events. Errors: state_unusable, storage_failed.
  struct Range {
    EventTime from{0};
    EventTime to = plus_infinity;
    std::uint64_t noted_by = std::numeric_limits<std::uint64_t>::max();  // by this checkpoint or one before it
    std::size_t partitions = std::numeric_limits<std::uint32_t>::max();  // that there are; others are damage
  };
  using Visit = std::function<bool(EventTime bucket, const RoutedBatch& batch)>;
  [[nodiscard]] static Result<void> read(const StateStore& store, const JoinKey& key, const EventKinds& kinds,
                                         const Range& range, const Visit& visit);
  // Of events of this time.
  [[nodiscard]] static EventTime bucket_start(EventTime t) noexcept;
  // The first key of the bucket that starts at `start`; and the start of a key's. Of what is no key of a journal, a time that
  // no event has.
  [[nodiscard]] static std::string bucket_key(EventTime start);
  [[nodiscard]] static bool is_key(std::string_view key) noexcept;
  // The start that a bucket_key() was made of; of the end of all keys plus_infinity.
  [[nodiscard]] static EventTime bucket_of_bound(std::string_view key) noexcept;
  [[nodiscard]] static EventTime bucket_of(std::string_view key) noexcept;
  // The checkpoint that kept what is under a journal's key.
  [[nodiscard]] static std::uint64_t checkpoint_of(std::string_view key) noexcept;

 private:
  struct Run {
    std::uint64_t events = 0;
    ByteWriter bytes;
  };
  struct Block {
    std::int64_t bucket;
    UnitNumber unit;
    friend auto operator<=>(const Block&, const Block&) = default;
  };
  [[nodiscard]] UnitNumber unit_of(std::uint32_t partition) const {
    return partition < units_.size() ? units_[partition] : UnitNumber{};
  }

  std::map<Block, std::map<std::uint32_t, Run>> noted_;  // by partition
  std::size_t noted_bytes_ = 0;
  std::uint32_t part_;
  std::vector<UnitNumber> units_;
};

}  // namespace recmeter
