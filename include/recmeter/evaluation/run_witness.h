// FateWitness: told the fate of every event as soon as it is known. RunWitness: told what becomes of every event and list of
// a run, while it happens: how `recmeter explain` knows, so that it cannot disagree with the rows. A run without one pays a
// comparison with nullptr.
//
// A RunWitness needs a run with one shard; is then called from one thread at a time. Views live during the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "recmeter/base/ids.h"
#include "recmeter/event/duplicate_reason.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

class FateWitness {
 public:
  virtual ~FateWitness() = default;
  // The final fate of an event of input number `partition`: never undecided. `why`: of a duplicate, and of no other. Events
  // whose outcome is not `event` have no ids.
  virtual void fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate,
                    std::optional<DuplicateReason> why) = 0;
  // An event of a lane, a candidate or a policy, that is neither late nor in the future; before it may find no place.
  virtual void came_for_lane(const EventBatch& /*batch*/, const Event& /*event*/) {}
};

class RunWitness : public FateWitness {
 public:
  // In the order of event time.
  virtual void decided(const DecidedFeedback& feedback) = 0;
  // A list opens with this impression; ListView::labels is then `labels`, of which those of the configured segments come
  // first. A label means another value only after it has opened a list with it.
  virtual void opened(const EventBatch& /*batch*/, const Event& /*opening*/, std::span<const std::uint32_t> /*labels*/) {}
  // `score` has every part that a planned metric asks for. Texts of items: `items`. `is_matured`: the log covers the horizon.
  virtual void scored(const ListView& list, HorizonIndex horizon, const ScoredList& score, const Interner& items,
                      bool is_matured) = 0;
};

}  // namespace recmeter
