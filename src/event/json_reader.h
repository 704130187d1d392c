// JsonReader: records that are JSON objects, as values. The whole record must be valid JSON, the parts that are skipped too.
#pragma once

#include <simdjson.h>

#include "recmeter/event/record_reader.h"

namespace recmeter {

// Parses the `index`-th record; its root is an object. It is the one rule of what valid JSON is: [S2.18], [S2.19].
[[nodiscard]] std::optional<InvalidReason> parse_object(simdjson::dom::parser& parser, const RecordBatch& records,
                                                        std::size_t index, simdjson::dom::element& object);

class JsonReader final : public RecordReader {
 public:
  explicit JsonReader(const WantedFields& wanted) : wanted_(wanted) {}

  void begin(const RecordBatch& /*records*/) override {}
  [[nodiscard]] std::optional<InvalidReason> read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                                  FieldValue& value) override;

 private:
  const WantedFields& wanted_;
  simdjson::dom::parser parser_;
};

}  // namespace recmeter
