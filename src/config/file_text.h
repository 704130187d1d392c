// A whole file as text. Errors: input_missing, input_unreadable; the context is the cause, without the path.
#pragma once

#include <cstddef>
#include <string>

#include "recmeter/base/result.h"

namespace recmeter::config {

// At most `bytes_max` bytes of it; what is beyond is not read.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

}  // namespace recmeter::config
