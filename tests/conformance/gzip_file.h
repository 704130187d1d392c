// A whole file, plain or gzip, in memory: zlib reads a file that is not gzip as it is.
#pragma once

#include <optional>
#include <string>

namespace recmeter::conformance {

[[nodiscard]] std::optional<std::string> whole_file(const std::string& path);

}  // namespace recmeter::conformance
