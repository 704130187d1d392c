// Intake: the partitions of a run, read and decoded ahead of where they are wanted.
//
// A round's tasks decode what the round before read, and read the next blocks. Partitions are handed out block by block, each
// in its own order. Memory is bounded by the number of partitions that are read at the same time and their blocks.
// Thread safety: one thread; the tasks of begin() may run on others, at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/sorted_order.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/port/record_source.h"

namespace recmeter {

struct PartitionInput {
  std::unique_ptr<RecordSource> source;
  std::size_t decoder = 0;  // index into IntakeOptions::decoders
  Duration lateness;
  std::optional<SortedOrder> sorted = {};  // its records are in order
  bool ends_when_late = false;             // a replay ends at its first late event
};

struct IntakeOptions {
  std::vector<DecoderOptions> decoders;
  std::size_t block_bytes = 0;  // 0: chosen by the number of partitions
  std::size_t open_max = 64;    // partitions that hold a descriptor at the same time
  std::size_t threads = 1;
  bool keep_records = false;  // hand out the records with their events
};

class Intake {
 public:
  Intake(std::vector<PartitionInput> inputs, IntakeOptions options);

  // Adds tasks that go on with these partitions, the most wanted first; others give up what they hold open.
  void begin(std::span<const std::size_t> order, std::vector<std::function<void()>>& tasks);
  // Requires: the tasks have run. Fails with the first error of a source.
  [[nodiscard]] Result<void> complete();

  struct Block {
    std::shared_ptr<const EventBatch> events;
    bool last = false;  // nothing follows
    std::int64_t next_offset = 0;
    std::optional<RecordMark> last_record = {};
    bool lost_before = false;                         // records between the block before and this one
    std::uint64_t lost_records = 0;                   // of them, as far as is known
    std::shared_ptr<const RecordBatch> records = {};  // IntakeOptions::keep_records
  };
  // The partition's next block, if it is there yet.
  [[nodiscard]] std::optional<Block> take(std::size_t partition);

  // Whether all there is for now has been taken; of a partition that goes on.
  [[nodiscard]] bool is_caught_up(std::size_t partition) const {
    const Partition& p = partitions_[partition];
    return p.raw.empty() && p.decoded.empty() && p.input.source->is_caught_up();
  }
  [[nodiscard]] std::size_t partitions() const { return partitions_.size(); }
  [[nodiscard]] const RecordSource& source(std::size_t partition) const { return *partitions_[partition].input.source; }

 private:
  struct Partition {
    PartitionInput input;
    std::deque<RecordBatch> raw;  // read, not decoded
    std::deque<Block> decoded;    // not taken
    bool read_to_end = false;
    std::int64_t read_to = 0;  // offset behind what was read
    Result<void> outcome = {};
  };
  void begin_decoding(std::vector<std::function<void()>>& tasks);
  void begin_reading(std::span<const std::size_t> order, std::vector<std::function<void()>>& tasks);
  void read(Partition& partition, std::size_t blocks, std::size_t bytes, std::vector<RecordBatch> reuse) const;
  [[nodiscard]] std::size_t block_bytes(bool beginning) const;
  [[nodiscard]] std::vector<RecordBatch> take_spare(std::size_t count);

  IntakeOptions options_;
  std::deque<Partition> partitions_;
  std::vector<std::shared_ptr<RecordBatch>> decoding_;                // blocks of the current round
  std::vector<RecordBatch> spare_;                                    // their buffers afterwards, for the next reads
  std::vector<std::vector<std::unique_ptr<EventDecoder>>> decoders_;  // per task of a round, per kind of input
};

}  // namespace recmeter
