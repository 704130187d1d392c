// Records written as texts, for tests of the event layer.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "recmeter/event/canonical.h"
#include "recmeter/event/decoder.h"

namespace recmeter::testing {

inline RecordBatch batch_of(std::initializer_list<std::string_view> records) {
  RecordBatch batch;
  for (const std::string_view record : records) {
    batch.records.push_back({batch.bytes.size(), record.size(), std::nullopt, false});
    batch.bytes.insert(batch.bytes.end(), record.begin(), record.end());
    batch.bytes.push_back('\n');
  }
  batch.bytes.resize(batch.bytes.size() + RecordBatch::padding);
  return batch;
}

// Small limits, so that tests can stand on them.
inline DecoderOptions small_options() {
  DecoderOptions options;
  options.actions = {"click", "purchase", "rating"};
  options.list_items_max = 3;
  options.id_bytes_max = 4;
  options.segment_bytes_max = 24;
  options.message_bytes_max = 1000;
  return options;
}

// Small options that judge two recommenders, B and C.
inline DecoderOptions judging_options() {
  DecoderOptions options = small_options();
  options.candidates = {"B", "C"};
  options.reads.recommender = true;
  options.key.not_users = {"anon"};
  return options;
}

// The same by a shape, whose reader looks for what is wanted alone.
inline DecoderOptions shaped(DecoderOptions options) {
  options.fields.shape = shape_of(options.fields);
  return options;
}

inline EventBatch decode(const DecoderOptions& options, std::string_view record) {
  return make_decoder(options)->decode(batch_of({record}));
}

// The canonical bytes of every event of a record, one a line; "ignored", "ignored@time" or "invalid:reason" for the others.
inline std::string told(const DecoderOptions& options, std::string_view record) {
  const EventBatch batch = decode(options, record);
  std::string told;
  for (const Event& event : batch.events()) {
    if (!told.empty()) told += '\n';
    switch (event.outcome) {
      case Outcome::event: told += canonical_bytes(batch, event, options.actions); break;
      case Outcome::ignored: told += event.has_time ? "ignored@" + std::to_string(event.ts.ms) : "ignored"; break;
      case Outcome::invalid: told += "invalid:" + std::string(to_string(event.reason)); break;
    }
  }
  return told;
}

}  // namespace recmeter::testing
