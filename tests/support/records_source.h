// RecordsSource: a RecordSource over records that may hold any bytes, in blocks of any size. Thread safety: as RecordSource.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/port/record_source.h"

namespace recmeter::support {

class RecordsSource : public RecordSource {
 public:
  explicit RecordsSource(std::vector<std::string> records) : records_(std::move(records)) {}

  [[nodiscard]] std::string_view name() const override { return "records"; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch /*reuse*/) override {
    RecordBatch batch;
    while (next_ < records_.size() && (batch.records.empty() || batch.bytes.size() < bytes)) {
      const std::string& record = records_[next_++];
      batch.records.push_back({.offset = batch.bytes.size(), .size = record.size(), .broker_time = {}});
      batch.bytes.insert(batch.bytes.end(), record.begin(), record.end());
    }
    batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
    batch.last = next_ == records_.size();
    return batch;
  }
  void suspend() override {}
  [[nodiscard]] bool is_open() const override { return false; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return 0; }
  [[nodiscard]] std::uint64_t bytes_read() const override { return 0; }

 private:
  std::vector<std::string> records_;
  std::size_t next_ = 0;
};

}  // namespace recmeter::support
