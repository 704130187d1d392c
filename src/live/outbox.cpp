#include "live/outbox.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"
#include "recmeter/base/fail_point.h"
#include "recmeter/live/row_archive.h"

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

tl::unexpected<Error> unreadable_row() {
  return failure(Errc::state_unusable,
                 "the state is damaged: a row to be published cannot be read; restore it, or move it away and start again");
}

}  // namespace

Result<NumberedRow> Outbox::row_from(std::string_view key, std::string_view value) const {
  ByteReader from(value);
  NumberedRow row;
  row.number = state_key::number_in(key);
  row.key = from.text();
  row.value = from.text();
  row.final_at = EventTime{from.signed_number()};
  if (from.left() > 0) row.kind = static_cast<RowKind>(from.number());
  const std::string_view kept_under = from.left() > 0 ? from.text() : std::string_view();
  if (!from.is_done()) return unreadable_row();
  if (kept_under.empty()) return row;
  auto json = RowArchive::json_under(store_, kept_under);
  if (!json) return json.error().code == Errc::state_unusable ? unreadable_row() : tl::unexpected(std::move(json).error());
  row.value = std::move(*json);
  return row;
}

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
  auto first = store_.get(key_of(published_));
  if (!first) return tl::unexpected(std::move(first).error());
  if (*first) {
    const auto row = row_from(key_of(published_), **first);
    if (!row) return tl::unexpected(row.error());
    marks_ = {{.number = published_, .final_at = row->final_at}};
  }
  return publisher_.go_on_from(from.publisher_position);
}

std::size_t Outbox::add(const RenderedRow& row, std::string kept_under) {
  return add({.row = {.number = rows_, .key = row.key, .value = row.json, .final_at = row.row.end + row.row.horizon},
              .kept_under = std::move(kept_under)},
             bytes_of(row.row));
}

std::size_t Outbox::add(const RenderedExperimentRow& row) {
  if (!publisher_.wants_experiments()) return 0;
  ++looks_;
  return add({.row = {.number = rows_,
                      .kind = RowKind::experiment,
                      .key = row.key,
                      .value = row.json,
                      .final_at = row.row.end + row.row.horizon},
              .kept_under = {}},
             0);
}

std::size_t Outbox::add(Made&& made, std::size_t other_bytes) {
  const std::size_t bytes = other_bytes + made.row.key.size() + made.row.value.size();
  made_.push_back(std::move(made));
  ++rows_;
  made_bytes_ += bytes;
  return bytes;
}

void Outbox::save(StateBatch& batch, EventTime rows_to, Checkpoint& to) const {
  for (const auto& [row, kept_under] : made_) {
    ByteWriter value;
    value.add_text(row.key);
    value.add_text(kept_under.empty() ? row.value : std::string());
    value.add_signed(row.final_at.ms);
    if (row.kind != RowKind::window || !kept_under.empty()) value.add(static_cast<std::uint64_t>(row.kind));
    if (!kept_under.empty()) value.add_text(kept_under);
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
  if (!made_.empty()) marks_.push_back({.number = kept_, .final_at = first_final_at()});
  recent_.clear();
  for (Made& made : made_) {
    latency_.add(now - made.row.final_at);
    recent_.push_back(std::move(made.row));
  }
  kept_ = rows_;
  made_.clear();
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
  constexpr std::size_t rows_at_once = 64;
  while (handed_ < kept_ && !publisher_.is_full()) {
    std::vector<std::pair<std::string, std::string>> some;  // a store may not be asked while it is scanned
    auto scanned = store_.scan(key_of(handed_), key_of(kept_), [&](std::string_view key, std::string_view value) {
      some.emplace_back(key, value);
      return some.size() < rows_at_once;
    });
    if (!scanned || some.empty()) return scanned;
    for (const auto& [key, value] : some) {
      if (publisher_.is_full()) break;
      const auto row = row_from(key, value);
      if (!row) return tl::unexpected(row.error());
      if (auto done = hand_over(*row); !done) return done;
    }
  }
  return {};
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
  while (!marks_.empty() && (marks_.size() > 1 ? marks_[1].number : kept_) <= published_) marks_.pop_front();
  return is_further;
}

// Rows of each kind come in the order of it.
EventTime Outbox::first_final_at() const {
  EventTime first = plus_infinity;
  for (const Made& made : made_) first = std::min(first, made.row.final_at);
  return first;
}

EventTime Outbox::waits_since() const {
  return marks_.empty() ? first_final_at() : marks_.front().final_at;
}

}  // namespace recmeter
