// Events for unit tests: JSON lines written by a few words, and the batch the product's decoder makes of them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/event/decoder.h"

namespace recmeter::support {

// 2023-11-14T22:00:00Z; the times of unit tests are milliseconds after it.
inline constexpr std::int64_t zero_ms = 1'699'999'200'000;
[[nodiscard]] inline EventTime at(std::int64_t ms) {
  return EventTime{zero_ms + ms};
}

// `more`: further members, e.g. R"(,"segments":{"v":"A"})".
[[nodiscard]] inline std::string list_line(std::int64_t ms, std::string_view user, std::string_view list,
                                           const std::vector<std::string>& items, std::string_view more = "") {
  std::string line = R"({"type":"impression","ts":)" + std::to_string(zero_ms + ms) + R"(,"user_id":")" + std::string(user) +
                     R"(","list_id":")" + std::string(list) + R"(","items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) line += (i > 0 ? ",\"" : "\"") + items[i] + "\"";
  return line + "]" + std::string(more) + "}";
}

[[nodiscard]] inline std::string row_line(std::int64_t ms, std::string_view user, std::string_view list,
                                          std::string_view item, int position, std::string_view more = "") {
  return R"({"type":"impression","ts":)" + std::to_string(zero_ms + ms) + R"(,"user_id":")" + std::string(user) +
         R"(","list_id":")" + std::string(list) + R"(","item_id":")" + std::string(item) + R"(","position":)" +
         std::to_string(position) + std::string(more) + "}";
}

[[nodiscard]] inline std::string feedback_line(std::int64_t ms, std::string_view action, std::string_view user,
                                               std::string_view item, std::string_view list = "",
                                               std::string_view more = "") {
  std::string line = R"({"type":")" + std::string(action) + R"(","ts":)" + std::to_string(zero_ms + ms) + R"(,"user_id":")" +
                     std::string(user) + R"(","item_id":")" + std::string(item) + "\"";
  if (!list.empty()) line += R"(,"list_id":")" + std::string(list) + "\"";
  return line + std::string(more) + "}";
}

// `list`: empty: none.
[[nodiscard]] inline std::string candidate_line(std::int64_t ms, std::string_view recommender, std::string_view user,
                                                std::string_view list, const std::vector<std::string>& items,
                                                std::string_view more = "") {
  std::string line = R"({"type":"candidate","ts":)" + std::to_string(zero_ms + ms) + R"(,"recommender":")" +
                     std::string(recommender) + R"(","user_id":")" + std::string(user) + R"(","items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) line += (i > 0 ? ",\"" : "\"") + items[i] + "\"";
  line += "]" + std::string(more);
  if (!list.empty()) line += R"(,"list_id":")" + std::string(list) + "\"";
  return line + "}";
}

// A line of a type nobody configured: ignored, with a time.
[[nodiscard]] inline std::string tick_line(std::int64_t ms) {
  return R"({"type":"tick","ts":)" + std::to_string(zero_ms + ms) + "}";
}

[[nodiscard]] inline DecoderOptions decoder_options(std::vector<std::string> actions) {
  DecoderOptions options;
  options.actions = std::move(actions);
  return options;
}

// One record a line, all with this broker timestamp if there is one.
[[nodiscard]] inline EventBatch decoded(const std::vector<std::string>& lines, const DecoderOptions& options,
                                        std::optional<EventTime> broker_time = std::nullopt) {
  RecordBatch records;
  for (const std::string& line : lines) {
    records.records.push_back(
        {.offset = records.bytes.size(), .size = line.size(), .broker_time = broker_time, .tombstone = false});
    records.bytes.insert(records.bytes.end(), line.begin(), line.end());
  }
  records.bytes.resize(records.bytes.size() + RecordBatch::padding, '\0');
  return make_decoder(options)->decode(records);
}

[[nodiscard]] inline std::shared_ptr<const EventBatch> shared_decoded(const std::vector<std::string>& lines,
                                                                      const DecoderOptions& options,
                                                                      std::optional<EventTime> broker_time = std::nullopt) {
  return std::make_shared<const EventBatch>(decoded(lines, options, broker_time));
}

}  // namespace recmeter::support
