// JsonReader: records that are JSON objects, as values. The whole record must be valid JSON, the parts that are skipped too.
#pragma once

#include "event/json_parser.h"
#include "recmeter/event/record_reader.h"

namespace recmeter {

class JsonReader final : public RecordReader {
 public:
  explicit JsonReader(const WantedFields& wanted) : wanted_(wanted) {}

  void begin(const RecordBatch& /*records*/) override {}
  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override;

 private:
  const WantedFields& wanted_;
  JsonParser parser_;
};

}  // namespace recmeter
