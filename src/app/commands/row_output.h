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
// Says once that a reader of a pipe gets JSON lines, where nobody has named a form.
void tell_form(const std::string& output, const std::string& format);
// The width of a table that answers in one screen: the terminal's width, and 100 columns where there is none.
[[nodiscard]] std::size_t first_table_width(const std::string& output);
// `format`: jsonl, csv or table; "": a table on a terminal, else jsonl. `all`: a table on a terminal has all windows.
[[nodiscard]] Result<std::unique_ptr<RowWriter>> open_rows(const std::string& output, const std::string& format, bool all);

}  // namespace recmeter
