// JsonDecoder: records that are JSON objects. The whole record must be valid JSON, the parts that are skipped too.
// Thread safety: none; it keeps a parser's buffers between calls.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "event/event_builder.h"
#include "event/json_parser.h"
#include "event/json_paths.h"
#include "event/json_value.h"
#include "event/raw_members.h"
#include "recmeter/event/decoder.h"

namespace recmeter {

class JsonDecoder final : public EventDecoder {
 public:
  explicit JsonDecoder(DecoderOptions options);

  [[nodiscard]] EventBatch decode(const RecordBatch& records) override;

  // As EventBuilder asks of an encoding.
  using Value = JsonValue;
  void find_entry(const JsonValue& entry, FoundFields<JsonValue>& found) const { entry_paths_.find(entry.members(), found); }
  [[nodiscard]] std::string_view segment_text(std::size_t index, const JsonValue& value);
  [[nodiscard]] static constexpr bool is_hole(const JsonValue& /*value*/) { return false; }

 private:
  DecoderOptions options_;
  JsonPaths paths_;
  JsonPaths entry_paths_;
  JsonParser parser_;
  RawMembers raw_members_;
  EventBuilder<JsonDecoder> builder_;

  // The record in hand.
  std::string_view record_;
  std::span<const std::string_view> raw_segments_;  // read when first needed
};

}  // namespace recmeter
