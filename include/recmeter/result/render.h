// Rows and reports as text: value -> string, no files, no sockets. [I4] and [I5].
//
// Pure functions; any thread. Doubles are written with the fewest digits that read back the same; NaN cannot occur.
// Requires: times within the years 0 to 9999.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/result/report.h"
#include "recmeter/result/row.h"

namespace recmeter {

// One line of JSON, without the newline, keys in the order of [I4].
[[nodiscard]] std::string render_json(const Row& row);

// What the row is about, whatever its stage: evaluator, window, start, horizon and segment as one line of JSON.
[[nodiscard]] std::string render_key(const Row& row);
// What the keys of an evaluator's rows, and of no other's, begin with.
[[nodiscard]] std::string render_key_start(std::string_view evaluator);

// The row's curve, a line of JSON for each of its points, each with its newline: the row's identity and stage, then the
// counts and shares of the point.
[[nodiscard]] std::string render_curve(const Row& row);

// Tidy CSV: a header, then one line per metric of a row, each with its newline (CRLF is not used).
[[nodiscard]] std::string render_csv_header();
[[nodiscard]] std::string render_csv(const Row& row);

// The report as indented JSON with a newline at the end.
[[nodiscard]] std::string render_json(const Report& report);

// A table for a person at a terminal of `width` columns, 0: without bound; `color`: with ANSI colours. One line per row and
// metric columns; what does not fit is left out and named below the table, never cut silently.
[[nodiscard]] std::string render_table(std::span<const Row> rows, std::size_t width, bool color);

// How a table answers in one screen: rows of the whole log first, then those of days, under one header.
struct FirstScreen {
  std::string whole;         // the window over the whole log, "": there is none, and windows have titles of their own
  double confidence = 0.95;  // of the intervals
  std::vector<std::string> left_out = {};  // what else there is: "11 metrics", "the windows hour and day"
  std::string few = {};                    // why the whole log has no interval: "too few users (12; 25 to 30 are needed)"
  // A sentence on where the log ends, "": there is nothing to say; empty: as the rows say.
  std::optional<std::string> ending = {};
};
// "The log ends less than 30m after 7.5 % of these lists: they had less time for actions."
[[nodiscard]] std::string early_end_sentence(Duration horizon, double share);
// Requires: rows of `whole` come first. What has no room is named together with what is left out, in one sentence.
[[nodiscard]] std::string render_table(std::span<const Row> rows, std::size_t width, bool color, const FirstScreen& screen);

// `text` as a JSON string with its quotes: escapes only what JSON demands, and puts U+FFFD for bytes that are no UTF-8 (a
// path may hold them). Appends to `out`.
void append_json_string(std::string& out, std::string_view text);
// Without exponent from 1e-6 up to 1e16. Requires: finite.
void append_json_number(std::string& out, double number);
// In the largest whole unit: 30m, 90s, 1h, 250ms.
[[nodiscard]] std::string render_duration(Duration duration);
// Of what render_duration() writes.
[[nodiscard]] std::optional<Duration> duration_from(std::string_view text);
// 2023-11-14T22:14:00Z, with milliseconds where there are any.
[[nodiscard]] std::string render_utc(EventTime time);

}  // namespace recmeter
