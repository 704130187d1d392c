// RunStatus: how a live run stands at a moment: its accounting, its clocks, and what it waits for. A value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/result/duration_histogram.h"
#include "recmeter/result/report.h"

namespace recmeter {

struct LivePartition {
  std::optional<EventTime> max_time;  // M_p
  bool is_idle = false;               // does not hold the watermark back
  bool is_caught_up = false;          // has nothing more
  std::int64_t next_offset = 0;
  // Behind its last record, those of transactions that are open among them; none: nobody knows, for no broker answers.
  std::optional<std::int64_t> end_offset;
  std::int64_t in_open_transaction = 0;  // offsets behind the first of an open transaction, when all before it is read
  std::uint64_t records_lost = 0;        // gone before they were read, since the run began
};

// A schema registry that records' schemas are asked for.
struct RegistryStatus {
  std::string url;
  bool is_up = true;          // it answers, or was not asked
  std::uint64_t asked = 0;    // questions that are open: records wait for them
  std::uint64_t unknown = 0;  // ids that it does not know, and that are remembered
};

// Files of one key that others moved, deleted or cut, since the run began.
struct LostFiles {
  std::string setting;  // the key, such as publish.file.path
  std::uint64_t count = 0;
  std::optional<std::uint64_t> last_row = {};  // the last row before, of the newest; none: no row, or letters
};

struct RunStatus {
  Report report;                                // not complete; events_per_second: of the last second
  EventTime watermark = minus_infinity;         // before it everything is evaluated
  std::vector<LivePartition> partitions;        // in the order of the report's
  std::optional<std::size_t> held_back_by;      // the partition whose clock is the watermark's; none: idle or none counts
  EventTime now = minus_infinity;               // by the reader's clock
  std::optional<EventTime> restored_to = {};    // the state is being read again, and this is how far
  bool is_held = false;                         // nothing is read and published: not all partitions are this member's
  bool has_room = true;                         // false: a disk is nearly full, nothing is read until there is room
  std::size_t letters_under_way = 0;            // dead letters that are not delivered yet
  std::optional<EventTime> letters_wait_since;  // for so long, by the reader's clock, nothing goes on for them
  std::uint64_t rows_waiting = 0;               // final rows of windows that are made and not known to be published
  std::uint64_t looks = 0;                      // rows of experiments that are made to be published
  std::uint64_t looks_waiting = 0;              // of these, not known to be
  std::uint64_t checkpoints = 0;
  EventTime last_checkpoint = minus_infinity;  // by the reader's clock
  EventTime last_gap = minus_infinity;         // when records were found to be gone, by the reader's clock
  DurationHistogram row_latency = {};          // from a row's end and horizon to the checkpoint that keeps it
  DurationHistogram checkpoint_time = {};      // what checkpoints took
  std::uint64_t publish_errors = 0;
  std::string publish_trouble;             // why rows cannot be published, "" if they can
  std::vector<LostFiles> files_lost = {};  // by key
  // What the run's context know: how many brokers answer, none: not known; and if no broker does, a sentence about it.
  std::optional<std::size_t> brokers_reachable = {};
  std::string unreachable = {};
  std::string refused = {};                     // a right to read that was withdrawn, as a sentence; "": none
  std::vector<RegistryStatus> registries = {};  // each once
};

}  // namespace recmeter
