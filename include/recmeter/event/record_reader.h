// RecordReader: the records of one encoding as values, for inputs that need more than the JSON decoder's paths.
//
// Every encoding passes one suite of contract tests (tests/unit/encodings): the same record in any of
// them is the same value, but for what an encoding has no word for. Thread safety: one reader per thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "recmeter/event/fate.h"
#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/record_batch.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter {

class RecordReader {
 public:
  RecordReader() = default;
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  virtual ~RecordReader() = default;

  // Before the first record of a batch, whose layout it keeps in mind.
  virtual void begin(const RecordBatch& records) = 0;

  // Whether the wanted member of this place can be anything but null in the batch begun: what cannot is not looked at.
  [[nodiscard]] virtual bool may_have(std::size_t /*member*/) const { return true; }

  // Makes `value` the `index`-th record's, an object, or says why the record is unreadable. An object that is not wanted
  // whole has the wanted members and no others, in the order of `wanted.members`; those that the record lacks are null. The
  // value lives as long as the batch, and until the next read(), or until the arena is cleared. Requires: the record is not
  // longer than limits.message_bytes, and no tombstone.
  [[nodiscard]] virtual std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                          FieldValue& value) = 0;
};

// `wanted` outlives the reader.
using MakeRecordReader = std::function<std::unique_ptr<RecordReader>(const WantedFields& wanted)>;

// Records that are JSON objects.
[[nodiscard]] MakeRecordReader json_reader();

}  // namespace recmeter
