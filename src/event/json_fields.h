// json_fields: a parsed JSON value as a FieldValue, the wanted parts of it.
#pragma once

#include <simdjson.h>

#include "recmeter/event/field_value.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter {

enum class Texts : bool { parsed, copied };  // whether they live as long as the parser's document, or as the arena

[[nodiscard]] FieldValue field_value_of(const simdjson::dom::element& element, const WantedFields& wanted, RecordArena& arena,
                                        Texts texts = Texts::parsed);

}  // namespace recmeter
