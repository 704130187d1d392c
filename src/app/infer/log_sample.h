// LogSample: records of a log as columns: what stands at each path, record by record, whatever the format. Of a large plain
// file they are of ten places; of others the first.
//
// A path is as a configuration writes it (event/field_path.h), at most 4 names deep, through objects, embedded JSON and the
// entries of lists. Thread safety: none; immutable once read.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/infer/row_form.h"
#include "recmeter/base/result.h"
#include "recmeter/event/record_arena.h"
#include "recmeter/event/value_kind.h"

namespace recmeter {

// How much of a source is read at once.
inline constexpr std::size_t block_bytes = std::size_t{1} << 20;

// A scalar's text in one record. What is absent, empty, null or no finite number has no data.
using Cell = std::string_view;

struct Column {
  std::string path;
  std::vector<Cell> cells;    // by record
  std::size_t present = 0;    // how many there are
  std::size_t as_number = 0;  // of these, numbers and times of the format itself, no texts
  std::size_t as_double = 0;  // of numbers, those with a fraction or an exponent: 1772445600000.0
  std::size_t as_boolean = 0;
  std::size_t not_finite = 0;  // NaN and infinities, which have no cell
  bool has_commas = false;     // numbers whose decimal marks are commas in the log, and points in `cells`
};

struct ListColumn {
  std::string path;                      // of the list
  std::string entry;                     // where in each entry; "": the entries themselves
  std::string separator;                 // of a list within a text; "": it is none
  bool is_written = false;               // of such a one: as programs write lists, in brackets or with quotes
  std::string part;                      // which cuts its entries in two, `entry` is $1 or $2; "": nothing does
  std::vector<std::vector<Cell>> cells;  // by record, by entry
  std::size_t present = 0;               // records that have the list
};

struct LogSample {
  std::string file;
  std::string format;       // what was recognised: "JSON lines", "a JSON array", "CSV", ...
  std::string read_as;      // its format_sentence()
  bool is_rows = false;     // of delimited text
  bool has_header = true;   // of rows
  RowForm form;             // of rows
  bool has_places = false;  // half of it is of the beginning, half of nine places behind that
  std::size_t records = 0;
  std::size_t unreadable = 0;   // records that are none of the format; not among `records`
  std::size_t bulk_lines = 0;   // of a bulk export, that say where the next record belongs; not among `records`
  std::vector<Column> columns;  // by path
  std::vector<ListColumn> lists;
  RecordArena texts;  // what cells refer to
};

inline constexpr std::size_t sample_records_max = 20480;

// Errors: those of open_log().
[[nodiscard]] Result<LogSample> read_log_sample(const std::string& path, const std::atomic<bool>& stop);

}  // namespace recmeter
