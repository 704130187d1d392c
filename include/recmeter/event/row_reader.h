// row_reader: records that are rows of delimited text (CSV by RFC 4180, TSV without quotes), as objects of their columns.
// Where the layout has an escape, the character behind it is meant itself; behind a backslash `n`, `r` and `t` are a line
// end, a carriage return and a tab, and a cell that is `\N` stays so.
//
// Names come from the batch's layout: its header, or `columns`; `$3` is the third column whatever its name. Cells are texts.
// A row that is wanted whole has all its columns, those without a name as `$3`. A row of another number of columns than there
// are names, with a quote that does not close or something behind a quote, or that is no UTF-8, is not_a_row.
#pragma once

#include <string>
#include <vector>

#include "recmeter/event/record_reader.h"

namespace recmeter {

// `columns`: the names of rows without a header; may be empty. The default layout is for rows that come without one.
[[nodiscard]] MakeRecordReader row_reader(std::vector<std::string> columns, RecordLayout usual);

// The cells of a row as they are meant, quotes taken off. Nothing where it is broken.
[[nodiscard]] std::optional<std::vector<std::string>> cells_of(std::string_view row, const RecordLayout& layout);

}  // namespace recmeter
