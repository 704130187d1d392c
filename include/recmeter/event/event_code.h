// write_event, read_events: decoded events as bytes and back, for what is kept of them across runs.
//
// Everything of an event that the join and what follows may look at comes back; what only the clock of its partition needed
// (its broker time) and its record do not. Actions and recommenders are written by their index, so bytes belong to one list
// of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "recmeter/base/byte_code.h"
#include "recmeter/base/event_time.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/event/join_key.h"

namespace recmeter {

// Requires: event.outcome == Outcome::event.
void write_event(ByteWriter& to, const EventBatch& batch, const Event& event);

// How many actions and recommenders there were when events were written.
struct EventKinds {
  std::size_t actions = 0;
  std::size_t candidates = 0;
};

// `count` events from `from`, in their order, as a batch of as many records. Nothing when the bytes are not such events.
// `key` and `kinds`: those of the events when they were written.
[[nodiscard]] std::optional<EventBatch> read_events(ByteReader& from, std::size_t count, const JoinKey& key,
                                                    const EventKinds& kinds);
// Of each of `from`, whose events are in the order of time and all that is left of it, those before `before`; the first of
// `from` first. Nothing when the bytes are not such events, or one is before `begin`.
[[nodiscard]] std::optional<EventBatch> read_events_between(EventTime begin, EventTime before, std::span<ByteReader> from,
                                                            const JoinKey& key, const EventKinds& kinds);

}  // namespace recmeter
