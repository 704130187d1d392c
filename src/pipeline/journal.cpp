#include "recmeter/pipeline/journal.h"

#include <memory>
#include <numeric>
#include <utility>

#include "recmeter/event/event_code.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::int64_t bucket_ms = 60'000;

// Event times are positive.
std::string bucket_key(std::int64_t bucket) {
  std::string key = "j";
  append_big_endian(key, static_cast<std::uint64_t>(bucket));
  return key;
}

constexpr std::size_t key_bytes = 1 + 3 * sizeof(std::uint64_t);
constexpr std::uint64_t bucket_max = 130'000'000;  // beyond the times of events

// Of what is no key of ours, a time that no event has.
EventTime bucket_of(std::string_view key) {
  const std::uint64_t bucket = big_endian(key.substr(1, 8));
  return EventTime{key.size() != key_bytes || bucket > bucket_max ? 0 : static_cast<std::int64_t>(bucket) * bucket_ms};
}

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
      run = &noted_[bucket][routed.partition];
    }
    write_event(run->bytes, *routed.batch, event);
    ++run->events;
  }
}

void Journal::save(StateBatch& batch, std::uint64_t checkpoint) {
  for (auto& [bucket, runs] : std::exchange(noted_, {})) {
    ByteWriter block;
    for (auto& [partition, run] : runs) {
      block.add(partition);
      block.add(run.events);
      block.add_text(run.bytes.bytes());
    }
    std::string key = bucket_key(bucket);
    append_big_endian(key, checkpoint);
    append_big_endian(key, part_);
    batch.put(std::move(key), block.take());
  }
}

void Journal::drop(StateBatch& batch, EventTime keep_from) {
  if (keep_from.ms >= bucket_ms) batch.erase_range(bucket_key(0), bucket_key(keep_from.ms / bucket_ms));
}

void Journal::drop_all(StateBatch& batch) {
  batch.erase_range("j", "k");
}

EventTime Journal::bucket_start(EventTime t) noexcept {
  return EventTime{t.ms / bucket_ms * bucket_ms};
}

// Places tell events of one partition and time apart in their order, so they have to rise within a range only.
Result<void> Journal::read(const StateStore& store, const JoinKey& key, std::size_t actions, const Range& range,
                           const Visit& visit) {
  std::map<std::uint32_t, std::uint64_t> places;  // by partition, of the next event
  std::string damaged;                            // key of the block
  const std::string to = range.to == plus_infinity ? "k" : bucket_key(range.to.ms / bucket_ms);
  auto scanned = store.scan(bucket_key(range.from.ms / bucket_ms), to, [&](std::string_view at, std::string_view value) {
    ByteReader block(value);
    bool goes_on = true;
    while (goes_on && !block.is_done()) {
      RoutedBatch routed;
      routed.partition = static_cast<std::uint32_t>(block.number());
      const std::uint64_t count = block.number();
      ByteReader bytes(block.text());
      auto events = read_events(bytes, count, key, actions);
      if (!events || !bytes.is_done() || block.has_failed()) {
        damaged = at;
        return false;
      }
      routed.first_place = std::exchange(places[routed.partition], places[routed.partition] + count);
      routed.batch = std::make_shared<const EventBatch>(std::move(*events));
      routed.events.resize(count);
      std::iota(routed.events.begin(), routed.events.end(), 0U);
      goes_on = visit(bucket_of(at), routed);
    }
    return goes_on;
  });
  if (!scanned) return scanned;
  if (damaged.empty()) return {};
  return failure(Errc::state_unusable, "the state is damaged: its journal of events cannot be read in the minute of " +
                                           render_utc(bucket_of(damaged)) + "; restore it, or move it away and start anew");
}

}  // namespace recmeter
