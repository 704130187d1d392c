// frame_of: what stands before a record's value to name its schema.
#pragma once

#include <optional>
#include <string_view>

#include "recmeter/event/record_batch.h"
#include "recmeter/registry/schema_registry.h"

namespace recmeter::registry {

struct Frame {
  SchemaId id;
  std::string_view value;
};

// How many of the first bytes are an id; 0: none.
inline std::size_t id_bytes(std::string_view bytes) {
  if (bytes.size() >= 5 && bytes.front() == '\0') return 5;
  return bytes.size() >= 17 && bytes.front() == '\1' ? 17 : 0;
}

inline std::optional<Frame> frame_of(const RecordBatch& records, std::size_t index) {
  const Record& record = records.records[index];
  const std::string_view value = records.record(index);
  if (record.frame > 0) {
    const SchemaId header(value.data() - record.frame, record.frame);
    return id_bytes(header) == header.size() ? std::optional(Frame{header, value}) : std::nullopt;
  }
  const std::size_t size = id_bytes(value);
  return size > 0 ? std::optional(Frame{value.substr(0, size), value.substr(size)}) : std::nullopt;
}

}  // namespace recmeter::registry
