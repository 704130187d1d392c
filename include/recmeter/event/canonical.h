// Canonical bytes of an event: what decides "first" where times are equal. [S2.26], [S2.27].
//
// The known fields as JSON without spaces, in the order of the table of [S2]:
//   impression  type ts list_id user_id items scores propensities teams latency_ms segments
//   row         type ts list_id user_id item_id position score propensity team latency_ms segments
//               (a row's fields in the place of items)
//   candidate   type recommender ts list_id user_id items scores segments (the recommender by its number, from 0)
//   policy      type recommender ts list_id user_id propensities predicted expected
//   feedback    type ts user_id item_id list_id value event_id                       (a basket entry as if native)
// `type` is "impression" or the action's name, `ts` the milliseconds, `position` the native rank (from 1), ids are strings,
// numbers in shortest form, characters unescaped where JSON allows it, absent and empty fields left out, segment keys sorted.
#pragma once

#include <span>
#include <string>

#include "recmeter/event/event_batch.h"

namespace recmeter {

// `actions`: the configured action names, by which a feedback's type is written.
// Requires: event.outcome == Outcome::event.
[[nodiscard]] std::string canonical_bytes(const EventBatch& batch, const Event& event, std::span<const std::string> actions);

}  // namespace recmeter
