// Where the rows of a command go, and in which form: what --output and --format mean to every command that makes rows.
#pragma once

#include <memory>
#include <string>

#include "app/run/row_writer.h"
#include "recmeter/base/result.h"

namespace recmeter {

// Whether the terminal shows escape sequences: not with NO_COLOR, and not a dumb one.
[[nodiscard]] bool colors_wanted();
[[nodiscard]] bool is_dumb_terminal();

// As --format says; without it a table on a terminal, else jsonl.
[[nodiscard]] RowFormat row_format(const std::string& output, const std::string& format);
// `format`: jsonl, csv or table; "": a table on a terminal, else jsonl. `all`: a table on a terminal has all windows.
[[nodiscard]] Result<std::unique_ptr<RowWriter>> open_rows(const std::string& output, const std::string& format, bool all);

}  // namespace recmeter
