// RowArchive: the rows that a live run keeps in its state for those who ask (state.keep_results): final ones, each window's
// provisional ones as they stood when the share of its matured lists had crossed a tenth, and of final rows what two
// of them are compared by.
//
// Keys of the store: 'r', the day of the window's start, its series, its start, 1 to 10 for the tenth or 255 for final;
// value: the row as JSON. 'q', day, series, start: what it is compared by. 's', day, series, 'f': the index of series: the
// start of the day's newest final row; with 'p' instead: it has a provisional one. "s" alone: the index is complete, as it is
// not in states of the first release. So what is over is dropped by range, and a series lies together within a day. Thread
// safety: a RowArchive is of one thread; the static functions only read the store and may run beside it where the store's
// scan() may.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/port/state_store.h"
#include "recmeter/result/row.h"

namespace recmeter {

// The rows of one window, horizon and segment.
struct RowSeries {
  std::string window;
  Duration horizon;
  std::vector<std::pair<std::string, std::string>> segment;  // as in Row
};

// A series of which rows are kept.
struct KeptSeries {
  RowSeries series;
  EventTime newest;  // no row of it begins on a later day
  std::optional<EventTime> newest_final;
};

// How many whole tenths of the row's lists are matured.
[[nodiscard]] int matured_tenths(const Row& row);

// A value and what it is compared by.
struct Comparable {
  std::string metric;  // its key
  std::optional<double> value;
  LeftOutValues left_out;  // to seven digits of how far each lies from the value
};
[[nodiscard]] std::vector<Comparable> comparable_of(const Row& row);

class RowArchive {
 public:
  // Rows are kept until their window began more than `keep` + `longest_window` before the watermark. `keep` 0: none are.
  RowArchive(Duration keep, Duration longest_window) : keep_(keep), longest_window_(longest_window) {}

  // Before the first row: notes the index of series that a state of the first release lacks.
  [[nodiscard]] Result<void> open(const StateStore& store);
  // Final rows, and provisional ones as they are given; the same again changes nothing. Truncated ones are not kept.
  void note(const Row& row);
  // Puts what was noted since the last call into `batch` and drops what is over.
  void save(StateBatch& batch, EventTime watermark);

  // Rows that start in [from, to), in their order.
  struct Query {
    RowSeries series;
    EventTime from = minus_infinity;
    EventTime to = plus_infinity;
    int tenth = 0;  // 0: final rows; 1 to 10: as they stood when at least so many tenths of their lists were matured
  };
  using Visit = std::function<bool(EventTime start, std::string_view row_json)>;
  [[nodiscard]] static Result<void> read(const StateStore& store, const Query& query, const Visit& visit);
  // Every series that has a row, each once, by their bytes; if they are more than `series_max`, those of the newest days.
  [[nodiscard]] static Result<std::vector<KeptSeries>> series(const StateStore& store, std::size_t series_max);
  using Compare = std::function<bool(EventTime start, const std::vector<Comparable>& values)>;
  [[nodiscard]] static Result<void> read_comparable(const StateStore& store, const Query& query, const Compare& visit);

 private:
  using Place = std::tuple<std::string, std::int64_t>;  // series as bytes, start

  Duration keep_;
  Duration longest_window_;
  std::map<Place, int> tenths_;  // stored last, of windows that are not final
  std::vector<std::pair<std::string, std::string>> noted_;
  std::int64_t dropped_to_ = 0;  // days
};

}  // namespace recmeter
