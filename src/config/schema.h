// The keys as a JSON Schema (draft 2020-12), for editors. It knows each value alone: what it accepts, `validate` may refuse.
#pragma once

#include <string>

namespace recmeter {

[[nodiscard]] std::string config_schema();

}  // namespace recmeter
