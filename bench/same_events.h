// SameEvents: decoded events written again in other encodings, so that each carries what the JSON lines carry.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "recmeter/event/event_batch.h"
#include "support/avro_bytes.h"

namespace recmeter::bench {

// As a table, an Avro record and a Protobuf message have them; `position` and `propensity` only where a log has such rows.
class SameEvents {
 public:
  // `batch` outlives it; its feedback events are clicks.
  explicit SameEvents(const EventBatch& batch) : batch_(batch) {
    for (const Event& event : batch.events()) {
      has_rows_ = has_rows_ || event.kind == EventKind::row;
      for (std::size_t i = 0; i < event.segment_count; ++i) {
        segments_.emplace(batch.segment_key(event, i));
      }
    }
  }

  [[nodiscard]] bool has_rows() const { return has_rows_; }
  // The keys of segments.
  [[nodiscard]] const std::set<std::string>& segments() const { return segments_; }

  [[nodiscard]] static std::string column_of(const std::string& key) { return "segment_" + key; }
  [[nodiscard]] std::string csv_header() const {
    std::string header = "type,ts,list_id,user_id,items,item_id,event_id";
    if (has_rows_) header += ",position,propensity";
    for (const std::string& key : segments_) header += "," + column_of(key);
    return header;
  }
  [[nodiscard]] std::string csv(const Event& event) const {
    std::string row = type(event) + ',' + std::to_string(event.ts.ms) + ',' + text(batch_.list_id(event)) + ',' +
                      text(batch_.user_id(event)) + ',';
    if (event.kind == EventKind::impression) {
      for (std::size_t i = 0; i < event.item_count; ++i) row += (i == 0 ? "" : "|") + text(batch_.item(event, i));
    }
    row +=
        ',' + (event.kind == EventKind::impression ? "" : text(batch_.item(event, 0))) + ',' + text(batch_.event_id(event));
    if (has_rows_ && event.kind == EventKind::row) {
      row += ',' + std::to_string(event.position) + ',' + std::to_string(batch_.propensities(event).front());
    } else if (has_rows_) {
      row += ",,";
    }
    for (const std::string& key : segments_) row += ',' + text(segment(event, key));
    return row;
  }

  [[nodiscard]] std::string avro_schema() const {
    const std::string rows = R"({"name":"position","type":["null","int"]},{"name":"propensity","type":["null","double"]},)";
    return R"({"type":"record","name":"Event","fields":[
      {"name":"type","type":"string"},{"name":"ts","type":{"type":"long","logicalType":"timestamp-millis"}},
      {"name":"list_id","type":["null","string"]},{"name":"user_id","type":"string"},
      {"name":"items","type":["null",{"type":"array","items":"string"}]},{"name":"item_id","type":["null","string"]},)" +
           (has_rows_ ? rows : "") +
           R"({"name":"event_id","type":["null","string"]},
      {"name":"segments","type":["null",{"type":"map","values":"string"}]}]})";
  }
  [[nodiscard]] std::string avro(const Event& event) const {
    test::AvroBytes bytes;
    bytes.text(type(event)).integer(event.ts.ms);
    optional(bytes, batch_.list_id(event));
    bytes.text(batch_.user_id(event)).integer(event.kind == EventKind::impression ? 1 : 0);
    if (event.kind == EventKind::impression) {
      bytes.integer(event.item_count);
      for (std::size_t i = 0; i < event.item_count; ++i) bytes.text(batch_.item(event, i));
      bytes.integer(0);
    }
    optional(bytes, event.kind == EventKind::impression ? std::string_view() : batch_.item(event, 0));
    if (has_rows_ && event.kind == EventKind::row) {
      bytes.integer(1).integer(event.position).integer(1).number(batch_.propensities(event).front());
    } else if (has_rows_) {
      bytes.integer(0).integer(0);
    }
    optional(bytes, batch_.event_id(event));
    if (event.segment_count == 0) return bytes.integer(0).bytes();
    bytes.integer(1).integer(event.segment_count);
    for (std::size_t i = 0; i < event.segment_count; ++i) {
      bytes.text(batch_.segment_key(event, i)).text(batch_.segment_value(event, i));
    }
    return bytes.integer(0).bytes();
  }

  static constexpr std::string_view protobuf_schema = R"(syntax = "proto3"; package shop;
    message Shown { repeated string items = 1; }
    message Event { string type = 1; int64 ts = 2; string list_id = 3; string user_id = 4; Shown shown = 5;
      string item_id = 6; string event_id = 7; map<string, string> segments = 8; optional int32 position = 9;
      optional double propensity = 10; })";
  [[nodiscard]] std::string protobuf(const Event& event) const {
    std::string bytes = field(1, type(event)) + '\x10' + varint(static_cast<std::uint64_t>(event.ts.ms)) +
                        field(3, batch_.list_id(event)) + field(4, batch_.user_id(event));
    if (event.kind == EventKind::impression) {
      std::string items;
      for (std::size_t i = 0; i < event.item_count; ++i) items += field(1, batch_.item(event, i));
      bytes += field(5, items);
    } else {
      bytes += field(6, batch_.item(event, 0));
    }
    if (!batch_.event_id(event).empty()) bytes += field(7, batch_.event_id(event));
    for (std::size_t i = 0; i < event.segment_count; ++i) {
      bytes += field(8, field(1, batch_.segment_key(event, i)) + field(2, batch_.segment_value(event, i)));
    }
    if (event.kind != EventKind::row) return bytes;
    bytes += '\x48' + varint(event.position) + '\x51';
    const double propensity = batch_.propensities(event).front();
    return bytes.append(reinterpret_cast<const char*>(&propensity), sizeof propensity);
  }

 private:
  static std::string text(std::string_view view) { return std::string(view); }
  static std::string type(const Event& event) { return event.kind == EventKind::feedback ? "click" : "impression"; }
  static void optional(test::AvroBytes& bytes, std::string_view text) {
    text.empty() ? bytes.integer(0) : bytes.integer(1).text(text);
  }
  [[nodiscard]] std::string_view segment(const Event& event, std::string_view key) const {
    for (std::size_t i = 0; i < event.segment_count; ++i) {
      if (batch_.segment_key(event, i) == key) return batch_.segment_value(event, i);
    }
    return {};
  }
  static std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>(value | 0x80U);
    return bytes + static_cast<char>(value);
  }
  static std::string field(unsigned number, std::string_view bytes) {
    return varint(number << 3U | 2U) + varint(bytes.size()) + text(bytes);
  }

  const EventBatch& batch_;
  bool has_rows_ = false;
  std::set<std::string> segments_;
};

}  // namespace recmeter::bench
