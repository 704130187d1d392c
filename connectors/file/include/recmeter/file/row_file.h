// row_file: final rows appended to files, one a line, each once; a file for each period of event time.
//
// Rows go to `path`. A row that became final in a later period than those before it begins a new file there, and the old one
// is closed: it is named after its period (windows.2023-11-14.jsonl of windows.jsonl) as soon as no run will write to it any
// more. Periods are multiples of `rotate` since the epoch; which one a row belongs to is a function of the row
// (NumberedRow::final_at), so files hold the same bytes however often runs were killed (docs/decisions/0014).
//
// The state keeps which period it was and how long the file was; a run that goes on cuts it back to there and writes again
// what came after, so that a crash leaves neither a gap nor a row twice, nor half of one. Until the state knows of a new
// period the closed file is called ...jsonl.open, and what a killed run has made after the state's position is removed; no
// other file is overwritten or removed.
//
// A file that others move, delete or cut is noticed at the next call ([I2.39]): the file that is there then goes on with the
// next row, as soon as the state knows it. The run after that goes on likewise from a file that was lost between runs; what
// had been written behind the state's position it finds in the moved file or copy, if that is beside. Of provisional rows a
// file has what was written since the state's position before the run, and so much of those before as no run has cut off.
// Errors: state_unusable, where there is a file that the state did not write; output_failed.
#pragma once

#include <memory>
#include <string>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/file/lost_file.h"
#include "recmeter/port/row_publisher.h"

namespace recmeter::file {

inline constexpr Duration never_rotated{1'000'000 * one_day.ms};  // all event times are in one period

struct RowFileOptions {
  Duration rotate = one_day;                  // a minute or more
  bool provisional = false;                   // rows that may still change, too, between the final ones
  std::string setting = "publish.file.path";  // what errors name
  TellLost lost = {};                         // told of a file that others took away
};
// Nothing is opened before go_on_from().
[[nodiscard]] std::unique_ptr<RowPublisher> row_file(const std::string& path, RowFileOptions options = {});

}  // namespace recmeter::file
