// Sequencer: the partitions of a run, read aligned in event time: fates, the watermark, and the way of each event to its
// shard.
//
// Thread safety: one thread. Invariants:
//   (1) watermark() never decreases, and no event is routed whose time lies before it;
//   (2) routing depends on the key's hash alone: slot = top 8 bits, slots are dealt to shards in ranges.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/evaluation/key_sample.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/evaluation/marked_times.h"
#include "recmeter/evaluation/part.h"
#include "recmeter/evaluation/partition_clock.h"
#include "recmeter/evaluation/routed_batch.h"
#include "recmeter/evaluation/run_witness.h"
#include "recmeter/evaluation/sorted_order.h"
#include "recmeter/result/report.h"

namespace recmeter {

class Sequencer : private FateSink {
 public:
  struct PartitionSpec {
    std::string name;
    Duration lateness;
    bool is_cut_at_start = false;
    std::optional<SortedOrder> sorted = {};  // of one whose records are sorted
  };
  // What it knows of what has been read, for a run that goes on from there.
  struct PartitionState {
    std::string name;
    PartitionClock::State clock;
    EventCounts counts;
    std::uint64_t records = 0;
    std::uint64_t places = 0;
    bool is_cut_at_start = false;
    std::vector<TimeSpan> late_after_idle = {};
    std::vector<TimeSpan> future_by_clock = {};
  };
  struct State {
    EventTime watermark = minus_infinity;
    EventTime first_event = plus_infinity;
    std::array<std::uint64_t, invalid_reason_count> invalid_reasons{};
    std::vector<PartitionState> partitions;
  };
  // `witness` may be null; it outlives the sequencer. Events of other parts get their fates and move clocks, and go nowhere.
  Sequencer(std::vector<PartitionSpec> partitions, const TimeRule& rule, std::size_t shards, FateWitness* witness = nullptr,
            Part part = {});

  // The partition to read from next: the one with the smallest M_p, those without one first; none when all have ended.
  [[nodiscard]] std::size_t next_partition() const;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  // Smallest first; the order in which partitions should be kept open.
  [[nodiscard]] std::vector<std::size_t> partitions_by_time() const;

  // From now on keys() tells whose events were accepted, as those of this part.
  void sample_keys(std::uint32_t part) { sampled_part_ = part; }
  [[nodiscard]] const KeySample& keys() const { return keys_; }

  // Requires: as PartitionClock::state().
  [[nodiscard]] State state() const;
  // Partitions are known by their names; one that the state does not know is new. Requires: nothing has been read.
  void go_on_from(const State& state);

  // `now`: the reader's clock, of a live run.
  void read(std::size_t partition, std::shared_ptr<const EventBatch> batch, EventTime now = plus_infinity);
  // The partition's records between what was read and what is read next are lost.
  void lose(std::size_t partition);
  // Losses and marks that lie before `time` are of no interest any more.
  void forget_marks(EventTime time);
  void end(std::size_t partition);

  // A live partition that has nothing more for a while does not hold the watermark back; it counts again when an event moves
  // its clock.
  void set_idle(std::size_t partition, bool is_idle);
  [[nodiscard]] bool is_idle(std::size_t partition) const { return partitions_[partition].idle; }
  // Whether an event has moved its clock since it was asked last.
  [[nodiscard]] bool take_moved(std::size_t partition) { return std::exchange(partitions_[partition].moved, false); }
  [[nodiscard]] bool has_late(std::size_t partition) const { return partitions_[partition].counts.late > 0; }
  // M_p.
  [[nodiscard]] std::optional<EventTime> max_time(std::size_t partition) const {
    return partitions_[partition].clock.max_time();
  }

  // The counted partition whose M_p - L_p is the smallest, or which has none yet; nothing where none counts.
  [[nodiscard]] std::optional<std::size_t> slowest() const;

  // W; plus_infinity when every partition has ended.
  [[nodiscard]] EventTime watermark() const { return watermark_; }
  // The log's last event time ([S3.16]): the largest M_p.
  [[nodiscard]] EventTime log_end() const;
  // Where a partition ended with records that max_step keeps behind log_end(): of the one with the newest.
  [[nodiscard]] std::optional<GapAtEnd> gap_at_end() const;
  // What has been routed to each shard since the last call.
  [[nodiscard]] std::vector<std::vector<RoutedBatch>> take_routed();
  // As far as it is known by what has been read.
  [[nodiscard]] LogStart log_start() const;

  // Fates decided here, per partition; `duplicate`, `impressions` and `feedback` are the shards' to add.
  [[nodiscard]] std::vector<PartitionReport> report() const;
  [[nodiscard]] std::array<std::uint64_t, invalid_reason_count> invalid_reasons() const { return invalid_reasons_; }
  // For each reason the first invalid event, of the first partition that has one.
  [[nodiscard]] std::vector<InvalidRecord> invalid_records() const;
  // Of these the ones that were found since it was asked last.
  [[nodiscard]] std::vector<InvalidRecord> take_new_invalid() { return std::exchange(new_invalid_, {}); }
  [[nodiscard]] std::uint64_t events_read() const { return events_read_; }

 private:
  struct Partition {
    PartitionSpec spec;
    PartitionClock clock;
    EventCounts counts;
    MarkedTimes late_after_idle;
    MarkedTimes future_by_clock;
    std::uint64_t records = 0;
    std::uint64_t places = 0;  // events read
    bool ended = false;
    bool idle = false;
    bool moved = false;
  };
  void decided(const PlacedBatch& batch, std::uint32_t event, Fate fate) override;
  void move_watermark();
  void keep_samples(std::size_t partition, std::span<const InvalidSample> samples);

  std::vector<Partition> partitions_;
  std::size_t current_ = 0;
  std::size_t shards_;
  Part part_;
  std::optional<std::uint32_t> sampled_part_;
  KeySample keys_;
  FateWitness* witness_;
  EventTime watermark_ = minus_infinity;
  EventTime first_event_ = plus_infinity;
  std::vector<std::vector<RoutedBatch>> routed_;
  std::array<std::uint64_t, invalid_reason_count> invalid_reasons_{};
  std::map<InvalidReason, std::pair<std::size_t, InvalidSample>> samples_;  // by reason, with their partition
  std::vector<InvalidRecord> new_invalid_;
  std::uint64_t events_read_ = 0;
};

}  // namespace recmeter
