#include "file/dump_partition.h"

#include <cstring>
#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::file {

namespace {

constexpr std::size_t chunk_bytes = 64 << 10;

// Stands before each record in the scratch file.
struct RecordHeader {
  std::int64_t broker_time;
  std::uint32_t size;
  bool has_broker_time;
  bool tombstone;
};

}  // namespace

Result<void> DumpPartition::add(const DumpLine& line, ScratchFile& scratch) {
  RECMETER_CHECK(line.offset >= next_offset_, "a dump's offsets are looked at before its records are kept");
  next_offset_ = line.offset + 1;
  const RecordHeader header{.broker_time = line.broker_time.value_or(EventTime{0}).ms,
                            .size = static_cast<std::uint32_t>(line.payload.size()),
                            .has_broker_time = line.broker_time.has_value(),
                            .tombstone = line.tombstone};
  const std::size_t at = pending_.size();
  pending_.resize(at + sizeof header + line.payload.size());
  std::memcpy(pending_.data() + at, &header, sizeof header);
  std::memcpy(pending_.data() + at + sizeof header, line.payload.data(), line.payload.size());
  return pending_.size() < chunk_bytes ? Result<void>{} : flush(scratch);
}

Result<void> DumpPartition::flush(ScratchFile& scratch) {
  if (pending_.empty()) return {};
  const auto offset = scratch.append(pending_);
  if (!offset) return tl::unexpected(offset.error());
  chunks_.push_back({*offset, pending_.size()});
  bytes_ += pending_.size();
  pending_.clear();
  return {};
}

Result<RecordBatch> DumpSource::read(std::size_t bytes, RecordBatch reuse) {
  RecordBatch batch = std::move(reuse);
  batch.bytes.clear();
  batch.records.clear();
  const auto& chunks = partition_.chunks();
  while (next_chunk_ < chunks.size() && batch.bytes.size() < bytes) {
    const DumpPartition::Chunk& chunk = chunks[next_chunk_++];
    const std::size_t start = batch.bytes.size();
    batch.bytes.resize(start + chunk.size);
    auto read = scratch_->read(chunk.offset, std::span(batch.bytes).subspan(start));
    if (!read) return tl::unexpected(std::move(read).error());
    for (std::size_t at = start; at < batch.bytes.size();) {
      RecordHeader header;
      std::memcpy(&header, batch.bytes.data() + at, sizeof header);
      at += sizeof header;
      Record record{.offset = at, .size = header.size, .broker_time = {}, .tombstone = header.tombstone};
      if (header.has_broker_time) record.broker_time = EventTime{header.broker_time};
      batch.records.push_back(record);
      at += header.size;
    }
    bytes_read_ += chunk.size;
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  batch.last = next_chunk_ == chunks.size();
  return batch;
}

}  // namespace recmeter::file
