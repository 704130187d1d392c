#include "event/json_reader.h"

#include "event/json_fields.h"

namespace recmeter {

std::optional<InvalidReason> parse_object(simdjson::dom::parser& parser, const RecordBatch& records, std::size_t index,
                                          simdjson::dom::element& object) {
  static_assert(RecordBatch::padding >= simdjson::SIMDJSON_PADDING);
  const std::string_view record = records.record(index);
  // At the start of a file the source took it off; elsewhere it is no JSON, whatever the parser's version thinks.
  if (record.starts_with("\xEF\xBB\xBF")) return InvalidReason::not_json;
  if (parser.parse(record.data(), record.size(), false).get(object) != simdjson::SUCCESS) return InvalidReason::not_json;
  return object.is_object() ? std::nullopt : std::optional(InvalidReason::not_an_object);
}

MakeRecordReader json_reader() {
  return [](const WantedFields& wanted) { return std::make_unique<JsonReader>(wanted); };
}

std::optional<InvalidReason> JsonReader::read(const RecordBatch& records, std::size_t index, RecordArena& arena,
                                              FieldValue& value) {
  simdjson::dom::element object;
  if (const auto unreadable = parse_object(parser_, records, index, object)) return unreadable;
  value = field_value_of(object, wanted_, arena);
  return std::nullopt;
}

}  // namespace recmeter
