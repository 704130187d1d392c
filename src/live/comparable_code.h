// The bytes of a Comparable in a state (state/FORMAT.md, `u`).
//
// A number says how: 0 without a value. Else the value, the number of groups with evidence, the groups, a bit each, and for
// each of them how far the value without it lies from the value, as the bits of a 32-bit float (a NaN: undefined): 1 one
// after the other; 2 the number of those that differ, these, and as a text the place of each among them, in so many bits as
// the last place needs, lowest first. Pure functions; any thread.
#pragma once

#include <optional>

#include "recmeter/base/byte_code.h"
#include "recmeter/live/row_archive.h"

namespace recmeter {

void add_comparable(const Comparable& of, ByteWriter& to);
// All that is left. nullopt: damaged.
[[nodiscard]] std::optional<Comparable> read_comparable_from(ByteReader& from);

}  // namespace recmeter
