// ArrowFrame: a stream of Arrow record batches as records, one a row, without a copy of its values.
//
// A record's bytes are a handle to its row, which the reader follows; the batch that it is in lives as long as a RecordBatch
// refers to it, or as long as the frame if that keeps its batches. Thread safety: the frame any thread; its sources as
// RecordSource.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/arrow/arrow_c.h"
#include "recmeter/base/result.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/port/record_source.h"

namespace recmeter::arrow {

class ArrowFrame : public std::enable_shared_from_this<ArrowFrame> {
 public:
  // Takes the stream over. `name`: what a user calls it. `keeps`: it is read to its end
  // now and its batches stay, so that it can be read again.
  // Errors: input_corrupt, of a stream that fails or has no columns.
  [[nodiscard]] static Result<std::shared_ptr<ArrowFrame>> import(ArrowArrayStream& stream, std::string name, bool keeps);
  virtual ~ArrowFrame() = default;

  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  // From the first row on. Requires: keeps, or the first call.
  [[nodiscard]] virtual std::unique_ptr<RecordSource> source() = 0;
  // About `rows` rows at each of so many places of what is kept.
  [[nodiscard]] virtual Result<std::vector<RecordBatch>> sample(std::size_t places, std::size_t rows) = 0;

 protected:
  ArrowFrame() = default;
};

// Rows as objects of their columns. Texts, numbers, booleans, lists, structs and dictionaries are what they are in JSON;
// timestamps and dates are times, in UTC where they have no zone; null and NaN are null. A column of another type is null,
// and a row that is null, or whose texts are no UTF-8, is not_a_row. Requires: records of an ArrowFrame.
[[nodiscard]] MakeRecordReader arrow_reader();

// Which row of its frame a record is, from 0; of the beginning of its bytes, as an InvalidSample has it.
[[nodiscard]] std::optional<std::uint64_t> row_number(std::string_view record);

}  // namespace recmeter::arrow
