// Standard output: what a command answers at once, and how wide it may be.
#pragma once

#include <cstddef>
#include <string_view>

#include "app/exit_code.h"

namespace recmeter {

// Writes all of it, or says why not.
[[nodiscard]] ExitCode print(std::string_view text);

// Of a table, in columns: COLUMNS where it is set, else the terminal's; 0 without either.
[[nodiscard]] std::size_t table_width(bool to_file);

}  // namespace recmeter
