// decimal_value: the number that an Avro decimal is: an integer of big-endian bytes in two's complement, over 10^scale.
#pragma once

#include <cstddef>
#include <string_view>

#include "recmeter/event/field_value.h"

namespace recmeter::avro {

// As JSON's of the same digits: an integer where `scale` is 0, else the double next to it. Beyond 64 bytes it is infinite,
// which is in no range.
[[nodiscard]] FieldValue decimal_value(std::string_view bytes, std::size_t scale);

}  // namespace recmeter::avro
