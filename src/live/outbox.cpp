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
  for (const MetricValue& metric : row.metrics) {
    bytes += sizeof(metric) + (metric.left_out ? sizeof(*metric.left_out) : 0);
  }
  return bytes;
}

tl::unexpected<Error> damaged_row(std::uint64_t number, std::string_view fault) {
  return failure(Errc::state_unusable, "the state is damaged: row " + std::to_string(number) +
                                           ", which is to be published, " + std::string(fault) +
                                           "; restore it, or move it away and start again");
}

}  // namespace

std::optional<Outbox::Made> Outbox::made_from(std::string_view key, std::string_view value) {
  if (key.size() != key_of(0).size()) return std::nullopt;
  ByteReader from(value);
  Made made;
  made.row.number = state_key::number_in(key);
  made.row.key = from.text();
  made.row.value = from.text();
  made.row.final_at = EventTime{from.signed_number()};
  if (from.left() > 0) made.row.kind = static_cast<RowKind>(from.number());
  if (from.left() > 0) made.kept_under = from.text();
  return from.is_done() ? std::optional(std::move(made)) : std::nullopt;
}

// A store may not be asked while it is scanned.
Result<Outbox::Some> Outbox::some_in(const StateStore& store, std::uint64_t from, std::uint64_t to) {
  constexpr std::size_t rows_at_once = 64;
  Some some;
  std::uint64_t next = from;
  bool is_sound = true;
  auto scanned = store.scan(key_of(from), key_of(to), [&](std::string_view key, std::string_view value) {
    auto made = made_from(key, value);
    if (made && made->row.number != next) return false;
    is_sound = made.has_value();
    if (!is_sound) return false;
    some.rows.push_back(std::move(*made));
    some.bytes += key.size() + value.size();
    ++next;
    return some.rows.size() < rows_at_once;
  });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (!is_sound) return damaged_row(next, "cannot be read");
  if (some.rows.empty() && from < to) return damaged_row(from, "is not there");
  for (Made& made : some.rows) {
    if (made.kept_under.empty()) continue;
    auto json = RowArchive::json_under(store, made.kept_under);
    if (!json && json.error().code == Errc::state_unusable) return damaged_row(made.row.number, "cannot be read");
    if (!json) return tl::unexpected(std::move(json).error());
    made.row.value = std::move(*json);
  }
  return some;
}

// From the first that is not known to be published to the last that was made, without a gap. What follows is written over.
Result<Outbox::Waiting> Outbox::waiting_in(const StateStore& store, const Checkpoint& checkpoint) {
  Waiting waiting;
  while (checkpoint.published + waiting.rows < checkpoint.rows) {
    const auto some = some_in(store, checkpoint.published + waiting.rows, checkpoint.rows);
    if (!some) return tl::unexpected(some.error());
    for (const auto& [row, kept_under] : some->rows) {
      waiting.since = std::min(waiting.since, row.final_at);
      if (row.kind == RowKind::experiment) ++waiting.looks;
      if (kept_under.empty()) continue;
      const auto day = RowArchive::day_under(kept_under);
      if (!day) return damaged_row(row.number, "cannot be read");
      waiting.reach = std::max(waiting.reach, row.final_at - *day);
    }
    waiting.rows += some->rows.size();
    waiting.bytes += some->bytes;
  }
  const auto looks = store.get(state_key::looks);
  if (!looks) return tl::unexpected(looks.error());
  if (!*looks) return waiting;  // older programs did not count them
  ByteReader counts(**looks);
  const std::uint64_t made = counts.number();  // fewer where an older program has run since
  waiting.looks_published = counts.number();
  waiting.looks += waiting.looks_published;
  if (counts.is_done() && waiting.looks_published <= std::min(made, checkpoint.published)) return waiting;
  return failure(Errc::state_unusable,
                 "the state is damaged: how many rows of experiments there are cannot be read; restore it, or move it away "
                 "and start again");
}

Result<void> Outbox::resume(const Checkpoint& from) {
  const auto waiting = waiting_in(store_, from);
  if (!waiting) return tl::unexpected(waiting.error());
  handed_ = published_ = from.published;
  kept_ = rows_ = from.rows;
  rows_to_ = from.rows_to;
  looks_ = waiting->looks;
  looks_published_ = waiting->looks_published;
  reach_ = waiting->reach;
  if (waiting->rows > 0) marks_ = {{.number = published_, .final_at = waiting->since}};
  return publisher_.go_on_from(from.publisher_position);
}

std::size_t Outbox::add(const RenderedRow& row, std::string kept_under) {
  reach_ = std::max(reach_, row.row.end + row.row.horizon - row.row.start);
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
  while (handed_ < kept_ && !publisher_.is_full()) {
    const auto some = some_in(store_, handed_, kept_);
    if (!some) return tl::unexpected(some.error());
    for (const Made& made : some->rows) {
      if (publisher_.is_full()) break;
      if (auto done = hand_over(made.row); !done) return done;
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

EventTime Outbox::needs_kept_from() const {
  const EventTime since = marks_.empty() ? first_final_at() : marks_.front().final_at;
  return since == plus_infinity ? since : since - reach_;
}

}  // namespace recmeter
