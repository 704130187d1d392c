#include "recmeter/live/dead_letter_queue.h"

#include <algorithm>
#include <charconv>

#include "live/state_keys.h"
#include "recmeter/base/check.h"

namespace recmeter {

namespace {

constexpr std::size_t bytes_under_way_max = std::size_t{16} << 20;
constexpr std::size_t letters_under_way_max = 10'000;

}  // namespace

Result<void> DeadLetterQueue::resume(StateStore& store) {
  if (!is_used()) return {};
  store_ = &store;
  const auto kept = store.get(state_key::dead_letters);
  if (!kept) return tl::unexpected(kept.error());
  if (auto done = to_->go_on_from(kept->value_or("")); !done) return done;
  if (*kept == to_->position()) return {};
  StateBatch batch;
  save(batch);
  return store.write(batch, StateStore::Durability::machine);
}

void DeadLetterQueue::save(StateBatch& batch) const {
  if (is_used()) batch.put(std::string(state_key::dead_letters), to_->position());
}

void DeadLetterQueue::fate(const EventBatch& batch, const Event& event, PartitionIndex /*partition*/, Fate fate,
                           std::optional<DuplicateReason> /*why*/) {
  const bool is_asked_for = (fate == Fate::invalid && fates_.invalid) || (fate == Fate::future && fates_.future) ||
                            (fate == Fate::late && fates_.late);
  if (!is_asked_for) return;
  decided_.push_back({.event = static_cast<std::uint32_t>(&event - batch.events().data()), .fate = fate});
}

Result<void> DeadLetterQueue::send(std::string_view name, const Intake::Block& block) {
  if (decided_.empty()) return {};
  std::vector<Decided> decided = std::exchange(decided_, {});
  RECMETER_CHECK(block.records && block.records->envelopes.size() == block.records->records.size(),
                 "dead letters are made of records that came with their envelopes");
  const std::span<const Event> events = block.events->events();
  std::size_t record = 0;  // of event `at`, counted from 1
  std::uint32_t at = 0;
  std::size_t sent = 0;
  for (const Decided& one : decided) {
    RECMETER_CHECK(one.event < events.size() && one.event + 1 >= at, "fates are of the block's events, in their order");
    for (; at <= one.event; ++at) record += events[at].first_of_record ? 1U : 0U;
    if (std::exchange(sent, record) == record) continue;  // of a record that had a letter
    DeadLetter letter = letter_of(name, *block.records, record - 1, one, events[one.event]);
    const std::size_t bytes = bytes_of(letter);
    if (auto done = to_->send(std::move(letter)); !done) return done;
    under_way_.push_back(bytes);
    bytes_under_way_ += bytes;
  }
  return {};
}

DeadLetter DeadLetterQueue::letter_of(std::string_view name, const RecordBatch& records, std::size_t record,
                                      const Decided& decided, const Event& event) {
  const Record& read = records.records[record];
  const RecordEnvelope& envelope = records.envelopes[record];
  const std::size_t slash = name.rfind('/');
  DeadLetter letter;
  letter.topic = std::string(name.substr(0, slash));
  if (slash != std::string_view::npos) std::from_chars(name.data() + slash + 1, name.data() + name.size(), letter.partition);
  letter.offset = envelope.offset;
  letter.fate = decided.fate;
  letter.reason = to_string(decided.fate);
  if (decided.fate == Fate::invalid) letter.reason = to_string(event.reason);
  letter.timestamp = read.broker_time;
  letter.key = envelope.key;
  if (!read.tombstone) letter.value = std::string(records.record(record)) + envelope.rest;
  letter.headers = envelope.headers;
  return letter;
}

bool DeadLetterQueue::is_full() const {
  return under_way_.size() >= letters_under_way_max || bytes_under_way_ >= bytes_under_way_max;
}

Result<bool> DeadLetterQueue::deliver(bool all) {
  if (!is_used()) return true;
  auto delivery = to_->deliver(all);
  if (!delivery) return tl::unexpected(std::move(delivery).error());
  if (to_->awaits_state() && store_ != nullptr) {
    StateBatch batch;
    save(batch);
    if (auto written = store_->write(batch, StateStore::Durability::process); !written) {
      return tl::unexpected(std::move(written).error());
    }
  }
  for (; delivered_ < delivery->delivered; ++delivered_) {
    RECMETER_CHECK(!under_way_.empty(), "no more is delivered than was sent");
    bytes_under_way_ -= under_way_.front();
    under_way_.pop_front();
  }
  // Nothing waits while there is no letter, though a topic may be missing already.
  if (!delivery->trouble.empty() && !under_way_.empty() && !std::exchange(is_in_trouble_, true)) {
    tell(Notice::dead_letters_waiting, "dead letters cannot be delivered, so nothing more is read: " + delivery->trouble);
  }
  if (under_way_.empty() && std::exchange(is_in_trouble_, false))
    tell(Notice::dead_letters_delivered, "dead letters are delivered again; continuing");
  return under_way_.empty();
}

Result<bool> DeadLetterQueue::may_sequence(bool checkpoint_waits, EventTime now) {
  auto delivered = deliver(checkpoint_waits);
  if (!delivered) return delivered;
  const bool goes_on = *delivered || (!checkpoint_waits && !is_full());
  if (goes_on) waits_since_.reset();
  if (!goes_on && !waits_since_) waits_since_ = now;
  return goes_on;
}

Result<bool> DeadLetterQueue::drain(RunHost& host, Duration patience) {
  const EventTime begun = host.now();
  while (true) {
    auto delivered = deliver(true);
    if (!delivered || *delivered) return delivered;
    if (host.now() - begun >= patience) break;
    host.alive(RunMode::hold);
    host.wait();
  }
  tell(Notice::dead_letters_left,
       std::to_string(under_way()) +
           " dead letters are not delivered; the next run reads again what was read since the last checkpoint");
  return false;
}

}  // namespace recmeter
