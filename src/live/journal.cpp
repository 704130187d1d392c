#include "live/journal.h"

#include <utility>

#include "live/journal_reader.h"
#include "live/state_keys.h"
#include "recmeter/event/event_code.h"

namespace recmeter {

namespace {

constexpr std::int64_t bucket_ms = one_minute.ms;

constexpr std::size_t key_bytes = 1 + 3 * sizeof(std::uint64_t);
constexpr std::uint64_t bucket_max = 130'000'000;  // beyond the times of events

}  // namespace

void Journal::add(const RoutedBatch& routed) {
  const std::span<const Event> events = routed.batch->events();
  Run* run = nullptr;
  std::int64_t current = 0;
  for (const std::uint32_t index : routed.events) {
    const Event& event = events[index];
    const std::int64_t bucket = event.ts.ms / bucket_ms;
    if (run == nullptr || bucket != current) {
      current = bucket;
      run = &noted_[{bucket, unit_of(routed.partition)}][routed.partition];
    }
    const std::size_t before = run->bytes.bytes().size();
    write_event(run->bytes, *routed.batch, event);
    noted_bytes_ += run->bytes.bytes().size() - before;
    ++run->events;
  }
}

void Journal::save(StateBatch& batch, std::uint64_t checkpoint) {
  noted_bytes_ = 0;
  for (auto& [at, runs] : std::exchange(noted_, {})) {
    ByteWriter block;
    for (auto& [partition, run] : runs) {
      block.add(partition);
      block.add(run.events);
      block.add_text(run.bytes.bytes());
    }
    std::string key = bucket_key(EventTime{at.bucket * bucket_ms});
    append_big_endian(key, checkpoint);
    append_big_endian(key, std::uint64_t{static_cast<std::uint32_t>(at.unit)} << 32 | part_);
    batch.put(std::move(key), block.take());
  }
}

void Journal::drop(StateBatch& batch, EventTime keep_from) {
  if (keep_from.ms >= bucket_ms) batch.erase_range(bucket_key(EventTime{0}), bucket_key(keep_from));
}

void Journal::drop_all(StateBatch& batch) {
  batch.erase_range(state_key::first(state_key::journal), state_key::after(state_key::journal));
}

EventTime Journal::bucket_start(EventTime t) noexcept {
  return EventTime{t.ms / bucket_ms * bucket_ms};
}

// Event times are positive.
std::string Journal::bucket_key(EventTime start) {
  return state_key::numbered(state_key::journal, static_cast<std::uint64_t>(start.ms / bucket_ms));
}

bool Journal::is_key(std::string_view key) noexcept {
  return key.size() == key_bytes && big_endian(key.substr(1, 8)) <= bucket_max;
}

EventTime Journal::bucket_of(std::string_view key) noexcept {
  if (key.size() != key_bytes) return EventTime{0};
  const std::uint64_t bucket = big_endian(key.substr(1, 8));
  return EventTime{bucket > bucket_max ? 0 : static_cast<std::int64_t>(bucket) * bucket_ms};
}

EventTime Journal::bucket_of_bound(std::string_view key) noexcept {
  if (key.size() < 1 + sizeof(std::uint64_t)) return plus_infinity;
  return EventTime{static_cast<std::int64_t>(big_endian(key.substr(1))) * bucket_ms};
}

std::uint64_t Journal::checkpoint_of(std::string_view key) noexcept {
  return key.size() == key_bytes ? big_endian(key.substr(9, 8)) : 0;
}

Result<void> Journal::read(const StateStore& store, const JoinKey& key, const EventKinds& kinds, const Range& range,
                           const Visit& visit) {
  JournalReader reader(store, key, kinds, range, 1);
  while (true) {
    const auto piece = reader.fetch();
    if (!piece) return tl::unexpected(piece.error());
    if (piece->first == plus_infinity) return {};
    for (const JournalReader::Part& part : piece->parts) {
      const auto routed = reader.decode(part);
      if (!routed) return tl::unexpected(routed.error());
      if (!visit(part.bucket, *routed)) return {};
    }
  }
}

}  // namespace recmeter
