#include "live/outbox.h"

#include <algorithm>
#include <utility>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/base/fail_point.h"

namespace recmeter {

namespace {

std::string key_of(std::uint64_t number) {
  return state_key::numbered(state_key::outbox, number);
}

// In memory, without what it points to in others.
std::size_t bytes_of(const Row& row) {
  std::size_t bytes = sizeof(Row);
  for (const MetricValue& metric : row.metrics) bytes += sizeof(metric) + (metric.left_out ? sizeof(*metric.left_out) : 0);
  return bytes;
}

std::optional<NumberedRow> row_from(std::string_view key, std::string_view value) {
  ByteReader from(value);
  NumberedRow row;
  row.number = state_key::number_in(key);
  row.key = from.text();
  row.value = from.text();
  row.final_at = EventTime{from.signed_number()};
  if (from.left() > 0) row.kind = static_cast<RowKind>(from.number());
  return from.is_done() ? std::optional(std::move(row)) : std::nullopt;
}

}  // namespace

Result<void> Outbox::resume(const Checkpoint& from) {
  handed_ = published_ = from.published;
  kept_ = rows_ = from.rows;
  rows_to_ = from.rows_to;
  const auto looks = store_.get(state_key::looks);
  if (!looks) return tl::unexpected(looks.error());
  if (*looks) {
    ByteReader counts(**looks);
    looks_ = counts.number();
    looks_published_ = std::min(counts.number(), looks_);
  }
  return publisher_.go_on_from(from.publisher_position);
}

std::size_t Outbox::add(const RenderedRow& row) {
  return add({.number = rows_, .key = row.key, .value = row.json, .final_at = row.row.end + row.row.horizon},
             bytes_of(row.row));
}

std::size_t Outbox::add(const RenderedExperimentRow& row) {
  if (!publisher_.wants_experiments()) return 0;
  ++looks_;
  return add({.number = rows_,
              .kind = RowKind::experiment,
              .key = row.key,
              .value = row.json,
              .final_at = row.row.end + row.row.horizon},
             0);
}

std::size_t Outbox::add(NumberedRow&& row, std::size_t other_bytes) {
  const std::size_t bytes = other_bytes + row.key.size() + row.value.size();
  made_.push_back(std::move(row));
  ++rows_;
  made_bytes_ += bytes;
  return bytes;
}

void Outbox::save(StateBatch& batch, EventTime rows_to, Checkpoint& to) const {
  for (const NumberedRow& row : made_) {
    ByteWriter value;
    value.add_text(row.key);
    value.add_text(row.value);
    value.add_signed(row.final_at.ms);
    if (row.kind != RowKind::window) value.add(static_cast<std::uint64_t>(row.kind));
    batch.put(key_of(row.number), value.take());
  }
  batch.erase_range(key_of(0), key_of(published_));
  if (looks_ > 0) {
    ByteWriter counts;
    counts.add(looks_);
    counts.add(looks_published_);
    batch.put(std::string(state_key::looks), counts.take());
  }
  to.rows_to = std::max(rows_to_, rows_to);
  to.rows = rows_;
  to.published = published_;
  to.publisher_position = publisher_.position();
}

void Outbox::kept(EventTime now) {
  for (const NumberedRow& row : made_) latency_.add(now - row.final_at);
  kept_ = rows_;
  recent_ = std::exchange(made_, {});
  made_bytes_ = 0;
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
  if (row.kind == RowKind::experiment) looks_handed_.push_back(row.number);
  fail_point("after_publish");
  return {};
}

Result<void> Outbox::hand_over_from_state() {
  Result<void> outcome;
  auto scanned = store_.scan(key_of(handed_), key_of(kept_), [&](std::string_view key, std::string_view value) {
    if (publisher_.is_full()) return false;
    const auto row = row_from(key, value);
    outcome =
        row ? hand_over(*row)
            : failure(
                  Errc::state_unusable,
                  "the state is damaged: a row to be published cannot be read; restore it, or move it away and start again");
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
  for (; !looks_handed_.empty() && looks_handed_.front() < published_; looks_handed_.pop_front()) ++looks_published_;
  return is_further;
}

}  // namespace recmeter
