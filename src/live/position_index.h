// PositionIndex: where the events of a time stand in partitions that have been read: so that a state can be made to read them
// again. About an entry a minute and partition.
//
// Keys of the store: 'i', the minute of the partition's clock, its name; values: the clock and where reading went on at a
// checkpoint before that minute: no event that was accepted before that position is younger than that clock.
// Thread safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

class PositionIndex {
 public:
  // Where a partition stands when a run begins.
  void begin(const std::string& partition, std::optional<EventTime> max_time, std::int64_t next_offset);
  // Where it stands at a checkpoint; of every partition, at each. `max_time`: of its clock, absent before its first event;
  // `next_offset`: where its reading goes on. Requires: begin().
  void note(StateBatch& batch, const std::string& partition, std::optional<EventTime> max_time, std::int64_t next_offset);
  // Drops what is known of times before `keep_from`, about.
  static void drop(StateBatch& batch, EventTime keep_from);
  static void drop_all(StateBatch& batch);

  struct Position {
    std::int64_t next_offset = 0;
    EventTime max_time = minus_infinity;  // events before it are no younger; minus_infinity: the state has read none of them
  };
  // By partition: the last position before which no accepted event lies at `from` or later, or else the earliest known.
  // Errors: state_unusable, storage_failed.
  [[nodiscard]] static Result<std::map<std::string, Position>> positions_for(const StateStore& store, EventTime from);

 private:
  std::map<std::string, Position> noted_;  // at the checkpoint before, or the beginning
};

}  // namespace recmeter
