// compile_schema: the Node of a schema in JSON and of what is wanted of it.
#pragma once

#include <span>
#include <string>

#include "avro/node.h"
#include "recmeter/base/result.h"
#include "recmeter/event/wanted_fields.h"

namespace recmeter::avro {

// As Program::compile.
[[nodiscard]] Result<const Node*> compile_schema(std::span<const std::string> schemas, const WantedFields* wanted,
                                                 NodePool& pool);

}  // namespace recmeter::avro
