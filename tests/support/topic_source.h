// TopicSource: a RecordSource over records in memory that behaves as a topic-partition does: it has offsets and broker times,
// gives as much as it likes, and, unless it is bounded, never ends. Thread safety: as RecordSource.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/port/record_source.h"
#include "support/dice.h"

namespace recmeter::support {

struct TopicRecord {
  std::string value;
  EventTime broker_time;
};
using TopicRecords = std::shared_ptr<const std::vector<TopicRecord>>;

class TopicSource : public RecordSource {
 public:
  // From offset `from`. `seed`: for how much each read gives.
  TopicSource(std::string name, TopicRecords records, std::int64_t from, bool is_bounded, std::uint64_t seed)
      : name_(std::move(name)), records_(std::move(records)), next_(from), is_bounded_(is_bounded), dice_(seed) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t /*bytes*/, RecordBatch reuse) override {
    RecordBatch batch = std::move(reuse);
    batch.bytes.clear();
    batch.records.clear();
    const auto end = static_cast<std::int64_t>(records_->size());
    for (std::size_t wanted = is_bounded_ ? 100 : dice_.below(12); wanted > 0 && next_ < end; --wanted) {
      const TopicRecord& record = (*records_)[static_cast<std::size_t>(next_++)];
      batch.records.push_back(
          {.offset = batch.bytes.size(), .size = record.value.size(), .broker_time = record.broker_time, .tombstone = false});
      batch.bytes.insert(batch.bytes.end(), record.value.begin(), record.value.end());
    }
    batch.bytes.resize(batch.bytes.size() + RecordBatch::padding, '\0');
    batch.last = is_bounded_ && next_ == end;
    batch.next_offset = next_;
    return batch;
  }
  [[nodiscard]] std::int64_t next_offset() const override { return next_; }
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return false; }
  [[nodiscard]] bool is_caught_up() const override { return next_ == static_cast<std::int64_t>(records_->size()); }
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return static_cast<std::uint64_t>(next_); }

 private:
  std::string name_;
  TopicRecords records_;
  std::int64_t next_;
  bool is_bounded_;
  Dice dice_;
};

}  // namespace recmeter::support
