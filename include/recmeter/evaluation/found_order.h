// FoundOrder: the order in which a partition's events were found, read before its records are sorted: whether some would be
// late, what the records are to be sorted by, and which clocks were wrong. [S3.26] to [S3.30].
//
// A record's key is the time of its earliest timed event; a record without one has the key of the record before it, and so
// stays behind that. Thread safety: none.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recmeter/evaluation/partition_clock.h"
#include "recmeter/evaluation/sorted_order.h"

namespace recmeter {

class FoundOrder : private FateSink {
 public:
  // Of the partition's lateness and the configuration's rule.
  FoundOrder(Duration lateness, const TimeRule& rule) : clock_(lateness, rule) {}

  // Batches in their order; returns the key of each of the batch's records, until the next call.
  const std::vector<EventTime>& read(const std::shared_ptr<const EventBatch>& batch);
  void end();

  // Whether an event read so far, unsorted, is late ([S3.8]).
  [[nodiscard]] bool has_late() const { return has_late_; }
  // Requires: end().
  [[nodiscard]] SortedOrder order() const;

 private:
  void decided(const PlacedBatch& batch, std::uint32_t event, Fate fate) override;
  void keep_extremes(EventTime time);
  [[nodiscard]] TimeSpan right_clocks() const;

  PartitionClock clock_;
  std::uint64_t places_ = 0;
  bool has_late_ = false;
  bool has_broker_times_ = false;
  EventTime key_ = minus_infinity;  // of the newest record
  std::vector<EventTime> keys_;
  std::uint64_t timed_events_ = 0;
  std::vector<EventTime> earliest_;  // the first few of all times, in order
  std::vector<EventTime> latest_;    // the last few, the last one first
  std::vector<InvalidSample> samples_;
};

}  // namespace recmeter
