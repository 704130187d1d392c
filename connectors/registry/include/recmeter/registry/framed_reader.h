// framed_reader: records that name the schema they were written with, in the header `__value_schema_id` or in front of the
// value. One that does neither is no_frame; one whose schema the registry does not know, or that cannot be used, is
// unknown_schema; one that is no value of it not_avro or not_protobuf.
#pragma once

#include <memory>

#include "recmeter/base/notice.h"
#include "recmeter/event/record_reader.h"
#include "recmeter/registry/schema_registry.h"

namespace recmeter::registry {

// `tell`: of a schema that cannot be used, once, and why; from any thread; may be empty. Its readers together keep programs
// up to schema_programs_in_all_max, and each besides the one in hand.
[[nodiscard]] MakeRecordReader framed_reader(std::shared_ptr<const SchemaRegistry> registry, Tell tell = {});

}  // namespace recmeter::registry
