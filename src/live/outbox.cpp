#include "live/outbox.h"

#include <algorithm>
#include <utility>

#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

std::string key_of(std::uint64_t number) {
  std::string key = "o";
  append_big_endian(key, number);
  return key;
}

std::optional<NumberedRow> row_from(std::string_view key, std::string_view value) {
  ByteReader from(value);
  NumberedRow row;
  row.number = big_endian(key.substr(1));
  row.key = from.text();
  row.value = from.text();
  row.final_at = EventTime{from.signed_number()};
  return from.is_done() ? std::optional(std::move(row)) : std::nullopt;
}

}  // namespace

Result<void> Outbox::go_on_from(std::uint64_t published, std::uint64_t rows, std::string_view position) {
  handed_ = published_ = published;
  kept_ = rows_ = rows;
  return publisher_.go_on_from(position);
}

void Outbox::add(std::string key, std::string value, EventTime final_at) {
  made_.push_back({.number = rows_++, .key = std::move(key), .value = std::move(value), .final_at = final_at});
}

void Outbox::save(StateBatch& batch) const {
  for (const NumberedRow& row : made_) {
    ByteWriter value;
    value.add_text(row.key);
    value.add_text(row.value);
    value.add_signed(row.final_at.ms);
    batch.put(key_of(row.number), value.take());
  }
  batch.erase_range(key_of(0), key_of(published_));
}

void Outbox::kept() {
  kept_ = rows_;
  recent_ = std::exchange(made_, {});
}

Result<void> Outbox::hand_over() {
  const auto rows = std::exchange(recent_, {});
  for (const NumberedRow& row : rows) {
    if (row.number != handed_ || publisher_.is_full()) break;
    if (auto done = hand_over(row); !done) return done;
  }
  return handed_ < kept_ && !publisher_.is_full() ? hand_over_from_state() : Result<void>();
}

Result<void> Outbox::hand_over(const NumberedRow& row) {
  if (auto done = publisher_.publish(row); !done) return done;
  handed_ = row.number + 1;
  if (passes_) passes_("after_publish");
  return {};
}

Result<void> Outbox::hand_over_from_state() {
  Result<void> outcome;
  auto scanned = store_.scan(key_of(handed_), key_of(kept_), [&](std::string_view key, std::string_view value) {
    if (publisher_.is_full()) return false;
    const auto row = row_from(key, value);
    outcome = row ? hand_over(*row)
                  : failure(Errc::state_unusable,
                            "the state is damaged: a row to be published cannot be read; restore it, or move it away and "
                            "start anew");
    return outcome.has_value();
  });
  return scanned ? outcome : scanned;
}

Result<bool> Outbox::look() {
  const auto published = publisher_.published();
  if (!published) return tl::unexpected(published.error());
  std::string trouble = publisher_.trouble();
  if (tell_ && trouble.empty() != trouble_.empty()) {
    if (trouble.empty()) {
      tell_(Notice::rows_published, "rows are published again");
    } else {
      tell_(Notice::rows_waiting, "rows cannot be published, so they wait in the state: " + trouble);
    }
  }
  trouble_ = std::move(trouble);
  const bool is_further = *published > published_;
  published_ = std::max(published_, *published);
  return is_further;
}

}  // namespace recmeter
