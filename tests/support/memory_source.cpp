#include "support/memory_source.h"

#include <algorithm>

namespace recmeter::support {

Result<RecordBatch> MemorySource::read(std::size_t bytes, RecordBatch reuse) {
  open_ = true;
  RecordBatch batch = std::move(reuse);
  batch.bytes.clear();
  batch.records.clear();
  if (at_ == 0 && bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && (at_ - begin < bytes || batch.records.empty())) {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    const std::string_view line(bytes_.data() + at_, end - at_);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      batch.records.push_back({.offset = batch.bytes.size(), .size = line.size(), .broker_time = {}});
      batch.bytes.insert(batch.bytes.end(), line.begin(), line.end());
    }
    at_ = std::min(end + 1, bytes_.size());
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding, '\0');
  batch.last = at_ == bytes_.size();
  return batch;
}

}  // namespace recmeter::support
