// Where a program of this machine listens, and a connection to it.
#pragma once

#include <string>

#include "process/descriptor.h"
#include "recmeter/base/result.h"

namespace recmeter::process {

// Errors: config_invalid (no address of this machine), input_missing (nobody listens).
[[nodiscard]] Result<Descriptor> connect_to(const std::string& address);

}  // namespace recmeter::process
