// Sources: where a record, or the entry of a list, has a value, and how values are made of others. [I3.17], [I3.20].
#pragma once

#include <optional>
#include <string_view>

#include "config/faults.h"
#include "config/section.h"
#include "recmeter/event/shape.h"

namespace recmeter::config {

// A value without a path is at fault, and nothing is read.
[[nodiscard]] std::optional<FieldPath> read_path(ValueReader& reader, const Value& value);
// `field`: what stands there, as `fields` calls it. Likewise.
[[nodiscard]] std::optional<FieldSource> read_source(Faults& faults, const Value& value, std::string_view field);

}  // namespace recmeter::config
