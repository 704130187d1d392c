// Generation: what one configuration makes of a state: the windows that start from some time on, up to where the next
// generation's begin. A run that goes on with more windows, segments or metrics begins a generation, and the ones before it
// finish their windows as they were (docs/decisions/0013).
//
// Keys of the store: 'g' and the number; values: `from` and the configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/live/checkpoint.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

struct Generation {
  std::uint64_t number = 0;         // rises from one to the next
  EventTime from = minus_infinity;  // no window of it starts before; rises, too
  std::string config;               // a text from which its plan can be made again
};

// Of the state, the oldest first. Errors: state_unusable, storage_failed.
[[nodiscard]] Result<std::vector<Generation>> generations_in(const StateStore& store);

// Makes `first` the only one. Sealed panes of those that go, go with them, here and below.
void put_only_generation(StateBatch& batch, const Generation& first);
// Makes the windows that start at `from` or later those of `config`. GenerationSet that have no windows left then make way,
// and the last one of the others takes them if it `is_same`. `generations`: those of the state, before and after.
void begin_generation(StateBatch& batch, std::vector<Generation>& generations, EventTime from, std::string config,
                      const std::function<bool(std::size_t generation)>& is_same);
void erase_generation(StateBatch& batch, std::uint64_t number);

// From which start on the windows of `plan` can be made by a run that goes on from `checkpoint`: none of them has been begun
// by another generation, and all events that they depend on are in the journal.
[[nodiscard]] EventTime first_start(const EvaluatorPlan& plan, const Checkpoint& checkpoint);

}  // namespace recmeter
