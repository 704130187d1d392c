// EventDecoder: bytes become events here and nowhere else. [S2].
//
// A record yields one or more events; nothing is dropped: an unreadable, invalid or ignored record yields one event that
// says so. The whole record must be valid JSON, the parts that are skipped too.
// Thread safety: one decoder per thread; it keeps a parser's buffers between calls.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/event/event_batch.h"
#include "recmeter/event/field_table.h"
#include "recmeter/event/join_key.h"
#include "recmeter/event/record_batch.h"

namespace recmeter {

struct DecoderOptions {
  FieldTable fields = FieldTable::native();
  JoinKey key;
  std::vector<std::string> actions;  // configured action names; the index is Event::action
  std::size_t list_items_max = 1000;
  std::size_t id_bytes_max = 256;
  std::size_t segment_bytes_max = 256;  // of a segment key, and of a value
  std::size_t message_bytes_max = 1 << 20;
};

class EventDecoder {
 public:
  explicit EventDecoder(DecoderOptions options);
  ~EventDecoder();
  EventDecoder(EventDecoder&&) noexcept;

  // Appends the events of every record of `records` to a fresh batch.
  [[nodiscard]] EventBatch decode(const RecordBatch& records);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recmeter
