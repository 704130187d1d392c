#include "live/position_index.h"

#include <utility>

#include "live/state_keys.h"
#include "recmeter/base/byte_code.h"

namespace recmeter {

namespace {

constexpr std::size_t name_at = 1 + sizeof(std::uint64_t);

// Event times are positive.
std::int64_t minute_of(EventTime time) {
  return time.ms / one_minute.ms;
}

std::string minute_key(std::int64_t minute) {
  return state_key::numbered(state_key::position, static_cast<std::uint64_t>(minute));
}

}  // namespace

void PositionIndex::begin(const std::string& partition, std::optional<EventTime> max_time, std::int64_t next_offset) {
  noted_[partition] = {.next_offset = next_offset, .max_time = max_time.value_or(minus_infinity)};
}

void PositionIndex::note(StateBatch& batch, const std::string& partition, std::optional<EventTime> max_time,
                         std::int64_t next_offset) {
  const Position before = noted_.at(partition);
  begin(partition, max_time, next_offset);
  if (!max_time) return;
  if (before.max_time != minus_infinity && minute_of(before.max_time) == minute_of(*max_time)) return;
  ByteWriter to;
  to.add_signed(before.max_time.ms);
  to.add_signed(before.next_offset);
  batch.put(minute_key(minute_of(*max_time)) + partition, to.take());
}

void PositionIndex::drop(StateBatch& batch, EventTime keep_from) {
  if (keep_from.ms >= one_minute.ms) batch.erase_range(minute_key(0), minute_key(minute_of(keep_from)));
}

void PositionIndex::drop_all(StateBatch& batch) {
  batch.erase_range(state_key::first(state_key::position), state_key::after(state_key::position));
}

Result<std::map<std::string, PositionIndex::Position>> PositionIndex::positions_for(const StateStore& store, EventTime from) {
  std::map<std::string, Position> positions;
  bool is_sound = true;
  auto scanned = store.scan(state_key::first(state_key::position), state_key::after(state_key::position),
                            [&](std::string_view key, std::string_view value) {
                              ByteReader bytes(value);
                              Position position;
                              position.max_time = EventTime{bytes.signed_number()};
                              position.next_offset = bytes.signed_number();
                              is_sound = bytes.is_done() && key.size() > name_at;
                              if (!is_sound) return false;
                              const auto [at, is_first] = positions.try_emplace(std::string(key.substr(name_at)), position);
                              if (!is_first && position.max_time < from) at->second = position;
                              return true;
                            });
  if (!scanned) return tl::unexpected(std::move(scanned).error());
  if (!is_sound) return failure(Errc::state_unusable, "the index of positions is damaged");
  return positions;
}

}  // namespace recmeter
