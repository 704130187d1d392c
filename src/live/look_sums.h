// LookSums of a state: of each experiment's looks one sum, under 'l' and the name, of the checkpoint that JournalDigest says.
// Pure functions of the store.
#pragma once

#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/live/record_sum.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// Sums all pieces that the store has. Errors: storage_failed, state_unusable.
[[nodiscard]] Result<RecordSum> looks_in(const StateStore& store, std::string_view name);
void put_look_sum(StateBatch& batch, std::string_view name, const RecordSum& sum);

}  // namespace recmeter
