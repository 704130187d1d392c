// Standard output: what a command answers at once, and how wide it may be.
#pragma once

#include <cstddef>
#include <string_view>

#include "app/console/exit_code.h"
#include "recmeter/base/result.h"

namespace recmeter {

// Writes all of it. Errors: output_failed; reader_gone().
[[nodiscard]] Result<void> write_out(std::string_view text);
// The same, with what is to be told.
[[nodiscard]] ExitCode print(std::string_view text);

// Whether an option for a file's path means it: nothing, or "-".
[[nodiscard]] inline bool is_standard_output(std::string_view path) {
  return path.empty() || path == "-";
}

// Of a table, in columns: COLUMNS where it is set, else the terminal's; 0 without either.
[[nodiscard]] std::size_t table_width(bool to_file);

}  // namespace recmeter
