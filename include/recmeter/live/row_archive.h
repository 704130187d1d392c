// RowArchive: the rows that a live run keeps in its state for those who ask (state.keep_results): final ones, each window's
// provisional ones as they stood when the share of its matured lists had crossed a tenth, and of final rows what two
// of them are compared by.
//
// Keys of the store: 'v', the day of the window's start, its series, its start, 1 to 10 for the tenth or 255 for final;
// value: the pieces of the row's JSON, each with its length: the head, then the metrics. 'u', day, series, start: what it is
// compared by, each metric with its length. 's', day, series, 'f': the index of series: the start of the day's newest final
// row; with 'p' instead: it has a provisional one. So what is over is dropped by range, a series lies together within a day,
// and a query for one metric passes over the others. Thread safety: a RowArchive is of one thread; the static functions only
// read the store and may run beside it where the store's scan() may.
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
#include "recmeter/result/rendered_row.h"

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
  std::optional<double> value;
  LeftOutValues left_out;  // to seven digits of how far each lies from the value
};
// Of the metric with this key; none if the row has no such metric, or nothing to compare it by.
[[nodiscard]] std::optional<Comparable> comparable_of(const Row& row, std::string_view metric);

// Gives rows that a state of format 1 keeps ('q' and 'r' in place of 'u' and 'v', perhaps no 's') the form above, in batches
// that each leave the state sound. Without such rows it changes nothing. Errors: those of the store; state_unusable: damaged.
[[nodiscard]] Result<void> upgrade_row_archive(StateStore& store);

class RowArchive {
 public:
  // Rows are kept until their window began more than `keep` + `longest_window` before the watermark. `keep` 0: none are.
  RowArchive(Duration keep, Duration longest_window) : keep_(keep), longest_window_(longest_window) {}

  // Final rows, and provisional ones as they are given; the same again changes nothing. Truncated ones are not kept. Returns
  // the key under which a final row will be kept; "": it is no final one, or none is kept.
  std::string note(const RenderedRow& row);
  // Puts what was noted since the last call into `batch` and drops what is over.
  void save(StateBatch& batch, EventTime watermark);

  // The JSON of the row that is kept under a key of note(). Errors: those of the store; state_unusable: there is none.
  [[nodiscard]] static Result<std::string> json_under(const StateStore& store, std::string_view key);
  // The day in which its window starts; none: it is no key of note().
  [[nodiscard]] static std::optional<EventTime> day_under(std::string_view key);

  // Rows that start in [from, to), in their order.
  struct Query {
    RowSeries series;
    EventTime from = minus_infinity;
    EventTime to = plus_infinity;
    std::string metric = {};  // "": all
    int tenth = 0;  // 0: final rows; 1 to 10: as they stood when at least so many tenths of their lists were matured
  };
  using Visit = std::function<bool(EventTime start, std::string_view row_json)>;
  [[nodiscard]] static Result<void> read(const StateStore& store, const Query& query, const Visit& visit);
  // Every series that has a row, each once, by their bytes; if they are more than `series_max`, those of the newest days.
  [[nodiscard]] static Result<std::vector<KeptSeries>> series(const StateStore& store, std::size_t series_max);
  // Of final rows that have the query's metric.
  using Compare = std::function<bool(EventTime start, const Comparable& value)>;
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
