// MemorySource: a RecordSource over bytes in memory, in blocks of any size; for tests. Thread safety: as RecordSource.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "recmeter/port/record_source.h"

namespace recmeter::support {

class MemorySource : public RecordSource {
 public:
  MemorySource(std::string name, std::string bytes, bool is_cut_at_start = false)
      : name_(std::move(name)), bytes_(std::move(bytes)), is_cut_at_start_(is_cut_at_start) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Result<RecordBatch> read(std::size_t bytes, RecordBatch reuse) override;
  void suspend() override { open_ = false; }
  [[nodiscard]] bool is_open() const override { return open_; }
  [[nodiscard]] bool is_cut_at_start() const override { return is_cut_at_start_; }
  [[nodiscard]] std::uint64_t bytes_total() const override { return bytes_.size(); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }

 private:
  std::string name_;
  std::string bytes_;
  bool is_cut_at_start_;
  std::size_t at_ = 0;
  bool open_ = false;
};

}  // namespace recmeter::support
