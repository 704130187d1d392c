// FateWitness: told the fate of every event as soon as it is known. RunWitness: told what becomes of every event and list of
// a run, while it happens: how `recmeter explain` knows, so that it cannot disagree with the rows. A run without one pays a
// comparison with nullptr.
//
// A RunWitness needs a run with one shard; is then called from one thread at a time. Views live during the call.
#pragma once

#include <cstddef>
#include <span>

#include "recmeter/base/ids.h"
#include "recmeter/event/event_batch.h"
#include "recmeter/join/joiner.h"

namespace recmeter {

class FateWitness {
 public:
  virtual ~FateWitness() = default;
  // The final fate of an event of input number `partition`: never undecided. Events whose outcome is not `event` have no ids.
  virtual void fate(const EventBatch& batch, const Event& event, PartitionIndex partition, Fate fate) = 0;
};

class RunWitness : public FateWitness {
 public:
  // In the order of event time.
  virtual void decided(const DecidedFeedback& feedback) = 0;
  // `score` has every part that a planned metric asks for. Texts of items: `items`.
  virtual void scored(const ListView& list, HorizonIndex horizon, const ScoredList& score, const Interner& items) = 0;
};

}  // namespace recmeter
