#include "app/run/sample_text.h"

#include <fmt/format.h>

#include <memory>

#include "app/run/replay_inputs.h"
#include "recmeter/event/decoder.h"
#include "recmeter/result/invalid_record.h"
#include "recmeter/result/render.h"

namespace recmeter {
namespace {

constexpr std::size_t entries_shown = 5;
constexpr std::size_t sample_block = std::size_t{64} << 10;

void add(std::string& text, std::string_view name, std::string_view value) {
  if (!value.empty()) text += fmt::format("    {:<10} {}\n", name, quoted_text(value));
}

std::string items_text(const EventBatch& batch, const Event& event) {
  std::string text;
  for (std::size_t i = 0; i < event.item_count && i < entries_shown; ++i) {
    const std::string_view item = batch.item(event, i);
    text += fmt::format("{}{}", i == 0 ? "" : ", ", item.empty() ? "(none)" : item);
  }
  return event.item_count > entries_shown ? fmt::format("{} and {} more", text, event.item_count - entries_shown) : text;
}

std::string numbers_text(std::span<const double> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < entries_shown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", numbers[i]);
  return numbers.size() > entries_shown ? text + ", ..." : text;
}

std::string teams_text(const EventBatch& batch, const Event& event) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(event.item_count, entries_shown); ++i) {
    text += (i == 0 ? "" : ", ") + (batch.team(event, i).empty() ? std::string("-") : std::string(batch.team(event, i)));
  }
  return event.item_count > entries_shown ? text + ", ..." : text;
}

std::string event_text(const EventBatch& batch, const Event& event, const DecoderOptions& options) {
  if (event.outcome == Outcome::ignored) {
    return event.has_time ? fmt::format("  ignored, at {}\n", render_utc(event.ts)) : "  ignored\n";
  }
  const bool is_candidate = event.kind == EventKind::candidate;
  std::string text = fmt::format("  {}\n", event.kind == EventKind::feedback ? options.actions[event.action]
                                           : is_candidate                    ? "candidate"
                                                                             : "impression");
  if (is_candidate) add(text, "recommender", options.candidates[event.candidate]);
  add(text, "ts", render_utc(event.ts));
  add(text, "user_id", event.nobody ? fmt::format("{} (nobody)", batch.user_id(event)) : std::string(batch.user_id(event)));
  add(text, "list_id", batch.list_id(event));
  const bool is_on_list = event.kind == EventKind::feedback && batch.item(event, 0).empty();
  const char* const items = event.kind == EventKind::impression || is_candidate ? "items" : "item_id";
  if (!is_on_list) add(text, items, items_text(batch, event));
  if (event.kind == EventKind::row) add(text, "position", std::to_string(event.position));
  add(text, "scores", numbers_text(batch.scores(event)));
  add(text, "propensity", numbers_text(batch.propensities(event)));
  if (event.has_teams) add(text, "teams", teams_text(batch, event));
  if (event.has_latency) add(text, "latency_ms", fmt::format("{}", batch.latency(event)));
  if (event.has_value) add(text, "value", fmt::format("{}", batch.value(event)));
  add(text, "event_id", batch.event_id(event));
  for (std::size_t i = 0; i < event.segment_count; ++i) {
    add(text, i == 0 ? "segments" : "", fmt::format("{}: {}", batch.segment_key(event, i), batch.segment_value(event, i)));
  }
  return text;
}

// The `index`-th record of `records` alone.
RecordBatch one_of(const RecordBatch& records, std::size_t index) {
  RecordBatch one;
  one.bytes = records.bytes;
  one.records.push_back(records.records[index]);
  one.layout = records.layout;
  return one;
}

}  // namespace

Result<std::string> sample_text(const Config& config, const std::string& path, std::size_t records, const InputEdges& edges,
                                const std::atomic<bool>& stop) {
  auto inputs = replay_inputs(config, {path}, minus_infinity, edges, stop);
  if (!inputs) return tl::unexpected(std::move(inputs).error());
  PartitionInput& partition = inputs->partitions.front();
  const DecoderOptions& options = inputs->decoders[partition.decoder];
  const auto decoder = make_decoder(options);
  std::string text;
  for (const std::string& sentence : inputs->lacking) text += sentence + "\n";
  std::size_t shown = 0;
  for (bool more = true; more && shown < records;) {
    auto batch = partition.source->read(sample_block, {});
    if (!batch) return tl::unexpected(std::move(batch).error());
    more = !batch->last;
    for (std::size_t i = 0; i < batch->records.size() && shown < records; ++i, ++shown) {
      const EventBatch events = decoder->decode(one_of(*batch, i));
      text += fmt::format("record {}: {}\n", shown + 1, quoted_text(batch->record(i)));
      for (const InvalidSample& sample : events.invalid_samples()) {
        text += fmt::format("  invalid: {}\n", fault_text(sample));
      }
      for (const Event& event : events.events()) {
        if (event.outcome != Outcome::invalid) text += event_text(events, event, options);
      }
    }
  }
  return text.empty() ? std::string("no record\n") : text;
}

}  // namespace recmeter
