#include "event/json_reader.h"

#include "event/json_fields.h"

namespace recmeter {

MakeRecordReader json_reader() {
  return [](const WantedFields& wanted) { return std::make_unique<JsonReader>(wanted); };
}

std::optional<InvalidReason> JsonReader::read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                              FieldValue& value) {
  simdjson::dom::element object;
  if (const auto unreadable = parser_.parse_object(records, index, object)) return unreadable;
  value = field_value_of(object, wanted_, arena);
  return std::nullopt;
}

}  // namespace recmeter
