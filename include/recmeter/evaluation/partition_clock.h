// PartitionClock: what one source partition says about time, and which of its events are late or in the future. [S3].
//
// Its decisions are a function of the partition's records in their order: no other partition, batch size or clock matters
// (the watermark decides only for a partition that comes back, which a bounded replay does not have).
// Thread safety: none. Invariants:
//   (1) max_time() is the largest time of the events decided so far that are neither invalid nor future; it never decreases;
//   (2) every event handed in is decided once, in an order that may differ from the records' where events were held.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "recmeter/evaluation/disorder.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/evaluation/lost_records.h"
#include "recmeter/evaluation/time_span.h"
#include "recmeter/event/event_batch.h"

namespace recmeter {

// A batch and where its first event stands in the partition.
struct PlacedBatch {
  std::shared_ptr<const EventBatch> batch;
  std::uint64_t first_place = 0;
};

// Takes the decisions of a PartitionClock. `fate` is invalid, ignored, future or late, or undecided: accepted or a duplicate,
// which the join will tell.
class FateSink {
 public:
  virtual ~FateSink() = default;
  virtual void decided(const PlacedBatch& batch, std::uint32_t event, Fate fate) = 0;
};

class PartitionClock {
 public:
  PartitionClock(Duration lateness, const TimeRule& rule) : lateness_(lateness), rule_(rule) {}
  // Of a partition whose records are sorted: no event is late but those before `clocks`, and those behind it are future.
  PartitionClock(Duration lateness, const TimeRule& rule, TimeSpan clocks) : PartitionClock(lateness, rule) {
    clocks_ = clocks;
    rule_.max_step = Duration{0};
  }

  // What it knows of the events decided so far, for a run that goes on from there.
  struct State {
    std::optional<EventTime> max_time;
    std::optional<EventTime> min_time;
    DisorderHistogram disorder;
    std::vector<TimeSpan> lost = {};
  };
  // Requires: no event is held; none ever is where records have a broker timestamp.
  [[nodiscard]] State state() const;
  // Requires: nothing has been read.
  void go_on_from(const State& state);

  // Timed records too far ahead (max_step) of M_p, ignored ones too, since it moved last.
  struct Ahead {
    std::uint64_t records = 0;
    Duration step;                    // the longest from the newest time before it to one of them
    EventTime from = minus_infinity;  // M_p
    EventTime to = minus_infinity;    // the newest of them
  };

  // Decides the batch's events, and those held from before that it releases. `watermark`: the run's, W. `now`: the reader's
  // clock, where broker timestamps are held against it.
  void read(const PlacedBatch& batch, EventTime watermark, FateSink& sink, EventTime now = plus_infinity);
  // The partition has ended: whatever is held is decided.
  void end(EventTime watermark, FateSink& sink);

  // Records that followed those read so far are lost. Requires: max_time().
  void lose() { lost_.open(max_time_ - lateness_); }
  [[nodiscard]] const LostRecords& lost() const { return lost_; }
  void forget_lost(EventTime before) { lost_.forget(before); }

  // Whether an event that is being decided as late is so by W alone: its partition came back from idleness, or late.
  [[nodiscard]] bool is_late_by_watermark(const Event& event) const { return !clocks_ && event.ts >= max_time_ - lateness_; }
  // Whether an event that is being decided as future is so by the reader's clock alone.
  [[nodiscard]] bool is_future_by_clock(const Event& event) const {
    return !clocks_ && event.broker_time && event.ts <= *event.broker_time + rule_.max_future_skew;
  }

  // M_p; nothing until the first events are decided.
  [[nodiscard]] std::optional<EventTime> max_time() const { return started_ ? std::optional(max_time_) : std::nullopt; }
  // The smallest time of the events decided so far that are neither invalid, future nor late.
  [[nodiscard]] std::optional<EventTime> min_time() const { return min_time_; }
  // M_p before the events held at the end were released ([S3.16]).
  [[nodiscard]] std::optional<EventTime> log_end() const { return log_end_; }
  // What was too far ahead when the partition ended; no records when nothing was.
  [[nodiscard]] const Ahead& ahead_at_end() const { return ahead_at_end_; }
  // M_p - L_p.
  [[nodiscard]] std::optional<EventTime> watermark() const;
  // Events waiting for later ones.
  [[nodiscard]] std::uint64_t held_events() const { return held_events_; }
  [[nodiscard]] Disorder disorder() const { return disorder_.summary(); }

 private:
  // The timed events of one record; they share its time.
  struct TimedRecord {
    PlacedBatch batch;
    std::uint32_t first;
    std::uint32_t count;

    [[nodiscard]] const Event& event() const { return batch.batch->events()[first]; }
  };

  void read_sorted(const PlacedBatch& batch, FateSink& sink);
  [[nodiscard]] Fate sorted_fate(const Event& event) const;
  void take(TimedRecord record, EventTime watermark, FateSink& sink);
  void start(EventTime watermark, FateSink& sink);
  void judge(const TimedRecord& record, EventTime watermark, FateSink& sink);
  void judge_on_time(const TimedRecord& record, EventTime watermark, FateSink& sink);
  void decide(const TimedRecord& record, Fate fate, FateSink& sink);
  void resolve_held(EventTime watermark, FateSink& sink);
  void time_moved_on(EventTime watermark, FateSink& sink);
  void hold(std::vector<TimedRecord>& where, const TimedRecord& record);
  void note_ahead(EventTime time);
  [[nodiscard]] bool too_far_ahead(const Event& event) const;

  Duration lateness_;
  TimeRule rule_;
  std::optional<TimeSpan> clocks_;     // of a sorted partition
  EventTime newest_ = minus_infinity;  // there: of all its events in time, while M_p is that of the records
  bool started_ = false;
  EventTime max_time_ = minus_infinity;
  EventTime now_ = plus_infinity;  // by the reader's clock
  std::optional<EventTime> min_time_;
  std::optional<EventTime> log_end_;
  std::vector<TimedRecord> first_;  // until 64 timed events are there
  std::uint64_t first_events_ = 0;
  std::vector<TimedRecord> held_;
  std::uint64_t held_events_ = 0;  // of first_ and held_, ignored ones left out
  Ahead ahead_;                    // of M_p as it was at ahead_.from
  Ahead ahead_at_end_;
  DisorderHistogram disorder_;
  LostRecords lost_;
};

}  // namespace recmeter
