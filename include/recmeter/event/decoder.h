// EventDecoder: bytes become events here and nowhere else. [S2].
//
// A record yields one or more events; nothing is dropped: an unreadable, invalid or ignored record yields one event that
// says so. What cuts a partition into records is its source; what a record is encoded in is the decoder's alone, and the same
// events in any encoding are the same bytes of canonical form. Thread safety: one decoder per thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/event/event_batch.h"
#include "recmeter/event/field_table.h"
#include "recmeter/event/join_key.h"
#include "recmeter/event/record_batch.h"
#include "recmeter/event/record_reader.h"

namespace recmeter {

struct DecoderOptions {
  FieldTable fields = FieldTable::native();
  JoinKey key;
  std::vector<std::string> actions;     // configured action names; the index is Event::action
  std::vector<bool> on_lists = {};      // by action: its feedback names no item; none beyond the end
  std::vector<std::string> candidates;  // recommenders whose lists are judged beside the logged ones: Event::candidate
  std::size_t list_items_max = 1000;
  std::size_t id_bytes_max = 256;
  std::size_t segment_bytes_max = 256;  // of a segment key, and of a value
  std::size_t message_bytes_max = 1 << 20;
  OptionalFields reads = {};
  MakeRecordReader reader = nullptr;  // of records that are not JSON; needs fields.shape
};

class EventDecoder {
 public:
  EventDecoder() = default;
  EventDecoder(const EventDecoder&) = delete;
  EventDecoder& operator=(const EventDecoder&) = delete;
  virtual ~EventDecoder() = default;

  // The events of every record of `records`, in a batch of their own.
  [[nodiscard]] virtual EventBatch decode(const RecordBatch& records) = 0;
};

[[nodiscard]] std::unique_ptr<EventDecoder> make_decoder(DecoderOptions options);

}  // namespace recmeter
