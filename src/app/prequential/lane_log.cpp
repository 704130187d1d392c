#include "app/prequential/lane_log.h"

#include <algorithm>

#include "recmeter/result/json_writer.h"

namespace recmeter {

Result<LaneLog> LaneLog::create(const std::string& path, const ReadLog& read, std::span<const std::string> actions,
                                file::AtomicFile* record, bool has_positions) {
  auto output = file::AtomicFile::create(path);
  if (!output) return tl::unexpected(std::move(output).error());
  return LaneLog(std::move(*output), read, actions, record, has_positions);
}

Result<void> LaneLog::write_feedback_before(EventTime ts) {
  for (; feedback_ < read_.feedback.size() && read_.feedback[feedback_].ts < ts; ++feedback_) {
    const JudgingFeedback& one = read_.feedback[feedback_];
    text_.clear();
    JsonWriter json(text_, 0);
    json.begin_object();
    json.member("type", actions_[one.action]);
    json.member("ts", one.ts.ms);
    // Two accepted events stay two, though nothing else may tell them apart without their lists.
    json.member("event_id", std::to_string(feedback_));
    json.member("user_id", read_.log.users.text(one.user));
    json.member("item_id", read_.log.items.text(one.item));
    if (one.value) json.member("value", *one.value);
    json.end_object();
    text_.push_back('\n');
    if (auto written = output_->write(text_); !written) return written;
  }
  return {};
}

template <class WriteItems>
Result<void> LaneLog::write_impression(std::string_view recommender, const ListRequest& request,
                                       const WriteItems& write_items) {
  text_.clear();
  JsonWriter json(text_, 0);
  json.begin_object();
  json.member("type", "impression");
  json.member("ts", request.ts.ms);
  json.member("list_id", std::string(recommender) + "/" + std::to_string(lists_));
  json.member("user_id", read_.log.users.text(request.user));
  write_items(json);
  json.begin_object("segments");
  json.member(recommender_key, recommender);
  for (const auto& [key, value] : request.segments) {
    if (key != recommender_key) json.member(key, value);
  }
  json.end_object();
  json.end_object();
  text_.push_back('\n');
  return output_->write(text_);
}

void LaneLog::write_items(JsonWriter& json, std::span<const RankedItem> items, std::span<const std::uint32_t> ranks) const {
  const auto& texts = read_.log.items;
  if (!has_positions_) {
    json.array("items", items, [&](const RankedItem& one) { json.string(texts.text(one.item)); });
    return;
  }
  std::uint32_t at = 0;
  json.array("items", items, [&](const RankedItem& one) {
    json.begin_object();
    json.member("item_id", texts.text(one.item));
    json.member("position", ranks.empty() ? at + 1 : ranks[at]);
    json.end_object();
    ++at;
  });
}

Result<void> LaneLog::add(std::string_view recommender, const ListRequest& request, std::span<const RankedItem> items) {
  if (auto written = write_feedback_before(request.ts); !written) return written;
  const bool has_scores = std::ranges::all_of(items, [](const RankedItem& one) { return one.score.has_value(); });
  const bool has_confidence =
      !items.empty() && std::ranges::all_of(items, [](const RankedItem& one) { return one.confidence.has_value(); });
  const auto write_list = [&](JsonWriter& json) {
    write_items(json, items, {});
    if (has_scores) json.array("scores", items, [&](const RankedItem& one) { json.number(*one.score); });
  };
  auto written = write_impression(recommender, request, write_list);
  ++lists_;
  if (!written || record_ == nullptr) return written;
  text_.clear();
  JsonWriter again(text_, 0);
  again.begin_object();
  again.member("type", "candidate");
  again.member("recommender", recommender);
  again.member("ts", request.ts.ms);
  again.member("user_id", read_.log.users.text(request.user));
  again.array("items", items, [&](const RankedItem& one) { again.string(read_.log.items.text(one.item)); });
  if (has_scores) again.array("scores", items, [&](const RankedItem& one) { again.number(*one.score); });
  if (has_confidence) again.array("confidence", items, [&](const RankedItem& one) { again.number(*one.confidence); });
  again.end_object();
  text_.push_back('\n');
  return record_->write(text_);
}

Result<void> LaneLog::add_shown(std::string_view recommender, const ListRequest& request, std::span<const RankedItem> items) {
  if (auto written = write_feedback_before(request.ts); !written) return written;
  auto written = write_impression(recommender, request, [&](JsonWriter& json) { write_items(json, items, request.ranks); });
  ++lists_;
  return written;
}

Result<void> LaneLog::finish() {
  if (auto written = write_feedback_before(plus_infinity); !written) return written;
  return output_->commit();
}

}  // namespace recmeter
