#include "live/journal_reader.h"

#include <memory>
#include <numeric>
#include <utility>

#include "live/state_keys.h"
#include "recmeter/event/event_code.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

tl::unexpected<Error> damaged(EventTime bucket) {
  return failure(Errc::state_unusable, "the state is damaged: its journal of events cannot be read in the minute of " +
                                           render_utc(bucket) + "; restore it, or move it away and start again");
}

}  // namespace

JournalReader::JournalReader(const StateStore& store, const JoinKey& key, const EventKinds& kinds, Journal::Range range,
                             std::size_t events)
    : store_(store),
      key_(key),
      kinds_(kinds),
      events_(events),
      noted_by_(range.noted_by),
      partitions_(range.partitions),
      digest_(JournalDigest::kept_in(store, range.noted_by)),
      next_(Journal::bucket_key(range.from)),
      end_(range.to == plus_infinity ? state_key::after(state_key::journal) : Journal::bucket_key(range.to)) {}

// Places tell events of one partition and time apart in their order, so they have to rise within a range only.
Result<JournalReader::Piece> JournalReader::fetch() {
  if (!digest_) return tl::unexpected(digest_.error());
  Piece piece;
  JournalDigest::Minutes found;
  std::size_t events = 0;
  std::optional<EventTime> wrong;
  EventTime last = minus_infinity;
  std::string next = end_;
  auto scanned = store_.scan(next_, end_, [&](std::string_view at, std::string_view value) {
    const EventTime bucket = Journal::bucket_of(at);
    if (!Journal::is_key(at)) wrong = bucket;
    if (wrong) return false;
    if (Journal::checkpoint_of(at) > noted_by_) return true;
    if (events >= events_ && bucket > last) {
      next = Journal::bucket_key(bucket);
      return false;
    }
    last = bucket;
    found[bucket].add(at, value);
    if (piece.first == plus_infinity) piece.first = bucket;
    ByteReader block(value);
    while (!block.is_done()) {
      Part part{.bucket = bucket, .bytes = {}};
      part.partition = static_cast<std::uint32_t>(block.number());
      part.count = block.number();
      part.bytes = block.text();
      if (block.has_failed() || part.partition >= partitions_) {
        wrong = bucket;
        return false;
      }
      part.first_place = std::exchange(places_[part.partition], places_[part.partition] + part.count);
      events += part.count;
      piece.parts.push_back(std::move(part));
    }
    return true;
  });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (!wrong) wrong = changed(found, Journal::bucket_of_bound(next_), Journal::bucket_of_bound(next));
  if (wrong) return damaged(*wrong);
  next_ = std::move(next);
  return piece;
}

std::optional<EventTime> JournalReader::changed(const JournalDigest::Minutes& found, EventTime from, EventTime to) const {
  if (!*digest_) return std::nullopt;
  const JournalDigest::Minutes& known = **digest_;
  for (const auto& [minute, blocks] : found) {
    const auto at = known.find(minute);
    if (at == known.end() || at->second != blocks) return minute;
  }
  for (auto at = known.lower_bound(from); at != known.end() && at->first < to; ++at) {
    if (!found.contains(at->first)) return at->first;
  }
  return std::nullopt;
}

Result<RoutedBatch> JournalReader::decode(const Part& part) const {
  ByteReader bytes(part.bytes);
  auto events = read_events(bytes, part.count, key_, kinds_);
  if (!events || !bytes.is_done()) return damaged(part.bucket);
  RoutedBatch routed{.batch = std::make_shared<const EventBatch>(std::move(*events)),
                     .partition = part.partition,
                     .first_place = part.first_place,
                     .events = std::vector<std::uint32_t>(part.count)};
  std::iota(routed.events.begin(), routed.events.end(), 0U);
  return routed;
}

Result<std::vector<std::optional<RoutedBatch>>> JournalReader::decode(const Part& part, std::size_t shards) const {
  auto whole = decode(part);
  if (!whole) return tl::unexpected(std::move(whole).error());
  std::vector<std::optional<RoutedBatch>> routed(shards);
  for (const std::uint32_t index : whole->events) {
    std::optional<RoutedBatch>& to = routed[shard_of(whole->batch->events()[index].key_hash, shards)];
    if (!to)
      to = RoutedBatch{.batch = whole->batch, .partition = part.partition, .first_place = part.first_place, .events = {}};
    to->events.push_back(index);
  }
  return routed;
}

}  // namespace recmeter
