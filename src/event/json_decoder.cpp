#include "event/json_decoder.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace recmeter {

namespace {

constexpr std::size_t parser_bytes_min = 64 << 10;  // room for ordinary records from the start

JsonPaths entry_paths_of(const FieldTable& fields) {
  const std::array<std::vector<std::string>, 2> paths{fields.entry_item_id, fields.entry_value};
  return JsonPaths(paths);
}

bool starts_with_byte_order_mark(std::string_view record) {
  return record.substr(0, 3) == "\xEF\xBB\xBF";
}

}  // namespace

JsonDecoder::JsonDecoder(DecoderOptions options)
    : options_(std::move(options)),
      paths_(options_.fields.paths),
      entry_paths_(entry_paths_of(options_.fields)),
      builder_(options_, *this) {
  RECMETER_CHECK(parser_.allocate(parser_bytes_min) == simdjson::SUCCESS, "there is memory for a parser");
}

EventBatch JsonDecoder::decode(const RecordBatch& records) {
  builder_.begin(records.records.size(), records.bytes.size());
  for (std::size_t i = 0; i < records.records.size(); ++i) {
    builder_.begin_record(records.records[i]);
    record_ = records.record(i);
    raw_segments_ = {};
    if (records.records[i].tombstone) {
      builder_.add_tombstone();
    } else if (const auto unreadable = parse()) {
      builder_.add_invalid(*unreadable);
    } else {
      paths_.find(object_, builder_.fields());
      builder_.add();
    }
  }
  return builder_.finish();
}

std::optional<InvalidReason> JsonDecoder::parse() {
  static_assert(RecordBatch::padding >= simdjson::SIMDJSON_PADDING);
  if (record_.size() > options_.message_bytes_max) return InvalidReason::too_long;
  // At the start of a file the source took it off; elsewhere it is no JSON, whatever the parser's version thinks.
  if (starts_with_byte_order_mark(record_)) return InvalidReason::not_json;
  simdjson::dom::element root;
  if (parser_.parse(record_.data(), record_.size(), false).get(root) != simdjson::SUCCESS) return InvalidReason::not_json;
  if (root.get_object().get(object_) != simdjson::SUCCESS) return InvalidReason::not_an_object;
  return std::nullopt;
}

std::string_view JsonDecoder::segment_text(std::size_t index) {
  if (raw_segments_.empty()) {
    raw_segments_ = raw_members_.read(record_, options_.fields.paths[static_cast<std::size_t>(Field::segments)]);
  }
  return raw_segments_[index];
}

}  // namespace recmeter
