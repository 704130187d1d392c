// JournalDigest: which blocks the journal has, minute by minute, so that one that is missing or another is noticed by whoever
// reads the journal again: without it a run would go on with fewer events, and wrong rows.
//
// Keys of the store: 'k' and the minute: how many blocks it has, and the sum of their hashes; 'k' alone: the checkpoint that
// all of this is of. A program that knows no digests leaves another number there: then they are made of the journal as it
// is. Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/live/record_sum.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class JournalDigest {
 public:
  using Minutes = std::map<EventTime, RecordSum>;  // by start

  // Says whether the digests in the store, those of looks too, are of checkpoint `checkpoint`. Errors: storage_failed.
  [[nodiscard]] static Result<bool> is_of(const StateStore& store, std::uint64_t checkpoint);
  // As the store has them at checkpoint number `checkpoint`; nothing where it has none of that. Errors: state_unusable,
  // storage_failed.
  [[nodiscard]] static Result<std::optional<Minutes>> kept_in(const StateStore& store, std::uint64_t checkpoint);

  // Goes on from there; where there are none, from what the journal has. Errors: as above.
  [[nodiscard]] Result<void> resume(const StateStore& store, std::uint64_t checkpoint);
  // The journal gets a block.
  void add(std::string_view key, std::string_view value);
  // Puts what has changed into `batch`, of checkpoint number `checkpoint`.
  void save(StateBatch& batch, std::uint64_t checkpoint);
  // Forgets minutes before `keep_from`; as Journal::drop.
  void drop(StateBatch& batch, EventTime keep_from);
  static void drop_all(StateBatch& batch);

 private:
  Minutes minutes_;
  std::set<EventTime> changed_;
};

}  // namespace recmeter
