// LookSums of a state: of each experiment's looks one sum, under 'l' and the name, of the checkpoint that JournalDigest says.
// Pure functions of the store.
#pragma once

#include <cstdint>
#include <string_view>

#include "recmeter/base/result.h"
#include "recmeter/live/record_sum.h"
#include "recmeter/port/state_store.h"

namespace recmeter {

// As the store has it at checkpoint number `checkpoint`; where it has none of that, of all pieces that are there. Requires:
// check_looks() found them right. Errors: storage_failed.
[[nodiscard]] Result<RecordSum> look_sum_in(const StateStore& store, std::string_view name, std::uint64_t checkpoint);
void put_look_sum(StateBatch& batch, std::string_view name, const RecordSum& sum);

}  // namespace recmeter
