// Malformed records: one for every reason for which recmeter calls a record unreadable or invalid, under its default limits
// and the native field names. Each is bad for that reason and for none that comes earlier in InvalidReason.
//
// Thread safety: pure function. No line contains CR or LF, none is blank.
#pragma once

#include <cstdint>
#include <string>

#include "recmeter/base/event_time.h"
#include "recmeter/event/fate.h"

namespace recmeter::generate {

// `form` chooses among several forms of one mistake; any number. `ts` is what the record says where its time is not the
// mistake. Sizes: too_long 1 MiB + 1, too_many_items 9 kB, the others under 1 kB.
[[nodiscard]] std::string malformed_record(InvalidReason reason, EventTime ts, std::uint64_t form);

}  // namespace recmeter::generate
