// TopicSource: a RecordSource over records in memory that behaves as a topic-partition does: it has offsets and broker times,
// gives as much as it likes, and, unless it is bounded, never ends. Thread safety: as RecordSource.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/port/record_source.h"
#include "support/dice.h"

namespace recmeter::support {

struct TopicRecord {
  std::string value;
  EventTime broker_time;
  std::optional<std::string> key = {};
  std::vector<RecordEnvelope::Header> headers = {};
};
using TopicRecords = std::shared_ptr<const std::vector<TopicRecord>>;

class TopicSource : public RecordSource {
 public:
  // From offset `from`. `seed`: for how much each read gives. `lost`: by offset, that of the first one after that is there.
  TopicSource(std::string name, TopicRecords records, std::int64_t from, bool is_bounded, std::uint64_t seed,
              std::map<std::int64_t, std::int64_t> lost = {})
      : name_(std::move(name)),
        records_(std::move(records)),
        next_(from),
        is_bounded_(is_bounded),
        dice_(seed),
        lost_(std::move(lost)) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t /*bytes*/, RecordBatch reuse) override {
    RecordBatch batch = std::move(reuse);
    batch.bytes.clear();
    batch.records.clear();
    const auto lost = lost_.find(next_);
    batch.lost_before = lost != lost_.end();
    if (batch.lost_before) next_ = lost->second;
    batch.envelopes.clear();
    const auto end = static_cast<std::int64_t>(records_->size());
    std::size_t wanted = is_bounded_ ? 100 : dice_.below(12);
    is_caught_up_ = wanted == 0 || next_ == end;
    for (; wanted > 0 && next_ < end; --wanted) {
      if (lost_.contains(next_)) break;
      const TopicRecord& record = (*records_)[static_cast<std::size_t>(next_++)];
      batch.records.push_back(
          {.offset = batch.bytes.size(), .size = record.value.size(), .broker_time = record.broker_time, .tombstone = false});
      batch.envelopes.push_back({.offset = next_ - 1, .key = record.key, .headers = record.headers, .rest = {}});
      batch.bytes.insert(batch.bytes.end(), record.value.begin(), record.value.end());
    }
    batch.bytes.resize(batch.bytes.size() + RecordBatch::padding, '\0');
    batch.last = is_bounded_ && next_ == end;
    batch.next_offset = next_;
    batch.last_record.reset();
    if (!batch.records.empty()) batch.last_record = {.offset = next_ - 1, .hash = static_cast<std::uint64_t>(next_)};
    return batch;
  }
  [[nodiscard]] std::int64_t next_offset() const override { return next_; }
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return false; }
  [[nodiscard]] bool is_caught_up() const override { return is_caught_up_; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return static_cast<std::uint64_t>(next_); }

 private:
  std::string name_;
  TopicRecords records_;
  std::int64_t next_;
  bool is_bounded_;
  bool is_caught_up_ = false;
  Dice dice_;
  std::map<std::int64_t, std::int64_t> lost_;
};

}  // namespace recmeter::support
