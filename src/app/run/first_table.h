// FirstTable: the rows of a replay that answer in one screen: those of the whole log, and of days where there are several.
// Without a window over the whole log, the newest of the longest window. Thread safety: none. Memory: those rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/row.h"
#include "recmeter/result/screen_cells.h"

namespace recmeter {

class FirstTable {
 public:
  static constexpr std::size_t segments_max = 12;  // rows of the whole log, of each horizon
  static constexpr std::size_t days_max = 7;
  static constexpr std::size_t windows_max = 24;  // where no window is over the whole log

  enum class Segments : std::uint8_t { all, of_arms };

  // `arm_keys`: segment keys whose values come before those of others, or that alone have rows.
  FirstTable(const EvaluatorSpec& spec, std::set<std::string> arm_keys, Segments segments = Segments::all);

  void add(const Row& row);
  // The metrics of its columns, by key; all where it is not called.
  void choose_columns(std::set<std::string> keys) { keys_ = std::move(keys); }
  // Said by the lists themselves, as FirstScreen's; where it is not called, the rows speak for them.
  void say_of_lists(std::string few, std::string ending) {
    few_ = std::move(few);
    ending_ = std::move(ending);
  }
  [[nodiscard]] std::string text(std::size_t width, bool color) const;
  // The same in cells.
  [[nodiscard]] TableCells cells(std::size_t width) const;
  // The rows that it shows, with the metrics of its columns alone.
  [[nodiscard]] std::vector<Row> rows() const { return chosen().rows; }

 private:
  struct Chosen {
    std::vector<Row> rows;
    std::size_t segments_left_out = 0;
    std::size_t days = 0;
  };
  [[nodiscard]] Chosen chosen() const;
  [[nodiscard]] FirstScreen screen(const Chosen& chosen) const;
  void keep_newest(const Row& row);
  void add_whole(Chosen& chosen) const;
  void add_days(Chosen& chosen) const;
  [[nodiscard]] bool is_of_arm(const Row& row) const;
  [[nodiscard]] std::vector<std::string> left_out(const Chosen& chosen) const;

  std::string whole_;                // names of windows; "": there is none
  std::string day_;                  // the shortest of a day or more
  std::string longest_;              // of those that are not whole
  std::vector<std::string> others_;  // all names
  Duration horizon_;                 // the longest
  double confidence_;
  std::set<std::string> arm_keys_;
  Segments segments_;
  std::set<std::string> keys_;
  std::string few_;
  std::optional<std::string> ending_;
  std::set<EventTime> days_;                                             // of day_, all there are
  bool is_of_days_ = false;                                              // day_ is of one day
  std::size_t metrics_ = 0;                                              // of a row
  std::vector<Row> whole_rows_;                                          // in the order in which they came
  std::map<std::string, std::map<EventTime, std::vector<Row>>> newest_;  // of day_ and longest_, by window and start
};

}  // namespace recmeter
