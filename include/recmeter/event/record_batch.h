// RecordBatch: raw records of one partition, in their order, as a source hands them over. Bytes, no meaning yet.
//
// Thread safety: none; moved from the source to the decoder. Invariants:
//   (1) every record lies within `bytes`, and at least `padding` readable bytes follow the end of the last one;
//   (2) of lines, records do not contain the terminator (LF, or CRLF), and blank ones are not records;
//   (3) a record longer than the source's limit is cut to limit + 1 bytes, so that the decoder sees that it is too long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"

namespace recmeter {

struct Record {
  std::size_t offset = 0;
  std::size_t size = 0;
  std::optional<EventTime> broker_time;  // when the broker took the record; absent for plain files
  bool tombstone = false;                // a message without a value
  std::uint32_t frame = 0;               // bytes right before it of a header that names its schema; 0: it has none
};

// A record of a topic, to be known again: the hash (XXH3-64) is of its timestamp, key and value.
struct RecordMark {
  std::int64_t offset = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const RecordMark&, const RecordMark&) = default;
};

// What a topic's record is besides what is read of it: for whoever hands it on as it came.
struct RecordEnvelope {
  using Header = std::pair<std::string, std::optional<std::string>>;  // a value may be absent

  std::int64_t offset = 0;  // in its partition
  std::optional<std::string> key;
  std::vector<Header> headers;  // in their order; names may repeat
  std::string rest;             // what a record longer than the source's limit has beyond its bytes here
};

// What a file says once of all its records.
struct RecordLayout {
  std::string text;      // of CSV the header's row; of Avro the schema that the records were written with, as JSON
  char delimiter = ',';  // of CSV
  char quote = '"';      // of CSV; '\0': none
  char escape = '\0';    // of CSV: makes the next character literal, in quotes and outside; '\0': none does
};

struct RecordBatch {
  static constexpr std::size_t padding = 64;  // what the JSON parser may read beyond a record

  std::vector<char> bytes;
  std::vector<Record> records;
  std::shared_ptr<const RecordLayout> layout;  // of a container that has one
  std::vector<RecordEnvelope> envelopes;       // of each record, where the source was asked for them; else none
  std::uint64_t first_line = 0;                // of a file, where the first record begins; 0: not counted
  bool last = false;                           // the partition has ended; nothing follows this batch
  // Of a topic: the offset of what follows.
  std::int64_t next_offset = 0;
  std::optional<RecordMark> last_record = {};          // of this batch
  bool lost_before = false;                            // between the batch before and this one records were lost
  std::uint64_t lost_records = 0;                      // how many, as far as offsets tell
  std::vector<std::shared_ptr<const void>> kept = {};  // what its records are read by

  [[nodiscard]] std::string_view record(std::size_t index) const {
    const Record& r = records[index];
    return {bytes.data() + r.offset, r.size};
  }
};

}  // namespace recmeter
