// Checkpoint: where a run that goes on later stands, apart from its events, which are in its journal. Plain values.
//
// Its bytes begin with their version. What is known of a unit, the part of the users whose events have one partition number,
// stands together in them: its watermark and its partitions, with clocks, counts and positions. Checkpoints of the first
// format, which knew no units, are read as those of unit 0. Thread safety: values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluation_counts.h"
#include "recmeter/evaluation/sequencer.h"
#include "recmeter/event/record_batch.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// A unit: the users whose events have this partition number, where topics are partitioned alike; else 0, which is all.
enum class UnitNumber : std::uint32_t {};

// What a run has read before it had read the journal of the runs before it: events up to the watermark are evaluated up to
// `to` only, and that is what a checkpoint says of outcomes, lists and rows.
struct Backlog {
  EventTime to = minus_infinity;
  std::uint64_t events = 0;  // accepted since
};

struct PartitionPosition {
  UnitNumber unit{};
  std::int64_t next_offset = 0;                // where reading goes on
  std::optional<RecordMark> last_record = {};  // read last
  EventCounts decided = {};                    // by the join
};

struct Checkpoint {
  std::uint64_t number = 0;                  // of checkpoints of this state, from 1
  Sequencer::State sequencer;                // but for a backlog, everything before its watermark is evaluated
  std::vector<PartitionPosition> positions;  // per partition of it
  EventTime journal_from = minus_infinity;   // events from here on are in the journal
  OutcomeCounts outcomes;
  std::uint64_t lists = 0;
  std::vector<LaneCounts> lanes = {};  // in configured order
  EventTime rows_to = minus_infinity;  // rows with end + horizon up to here have been made
  std::uint64_t rows = 0;              // final rows made: the next one's number
  std::uint64_t published = 0;         // of these, how many are known to be published
  std::uint64_t revision = 0;          // of the provisional rows given last
  std::string publisher_position;
  std::optional<Backlog> backlog = {};

  [[nodiscard]] EvaluationCounts counts() const;
};

[[nodiscard]] std::string to_bytes(const Checkpoint& checkpoint);
// Nothing when the bytes are no checkpoint.
[[nodiscard]] std::optional<Checkpoint> checkpoint_from(std::string_view bytes);

// Where a run with this store goes on; nothing when the store is new. Errors: state_unusable, storage_failed.
[[nodiscard]] Result<std::optional<Checkpoint>> checkpoint_in(const StateStore& store);
void put_checkpoint(StateBatch& batch, const Checkpoint& checkpoint);

}  // namespace recmeter
