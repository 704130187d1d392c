#include "event/json_decoder.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace recmeter {

namespace {

JsonPaths entry_paths_of(const FieldTable& fields) {
  const std::array<std::vector<std::string>, 2> paths{fields.entry_item_id, fields.entry_value};
  return JsonPaths(paths);
}

}  // namespace

JsonDecoder::JsonDecoder(DecoderOptions options)
    : options_(std::move(options)),
      paths_(options_.fields.paths),
      entry_paths_(entry_paths_of(options_.fields)),
      builder_(options_, *this) {}

EventBatch JsonDecoder::decode(const RecordBatch& records) {
  builder_.begin(records);
  for (std::size_t i = 0; i < records.records.size(); ++i) {
    builder_.begin_record(i);
    record_ = records.record(i);
    raw_segments_ = {};
    simdjson::dom::element root;
    if (records.records[i].tombstone) {
      builder_.add_tombstone();
    } else if (record_.size() > options_.message_bytes_max) {
      builder_.add_invalid(InvalidReason::too_long);
    } else if (const auto unreadable = parser_.parse_object(records, i, root)) {
      builder_.add_invalid(*unreadable);
    } else {
      paths_.find(root.get_object().value_unsafe(), builder_.fields());
      builder_.add();
    }
  }
  return builder_.finish();
}

std::string_view JsonDecoder::segment_text(std::size_t index, const JsonValue& /*value*/) {
  if (raw_segments_.empty()) {
    raw_segments_ = raw_members_.read(parser_.text(), options_.fields.paths[static_cast<std::size_t>(Field::segments)]);
  }
  return raw_segments_[index];
}

}  // namespace recmeter
