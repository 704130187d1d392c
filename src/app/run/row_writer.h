// RowWriter: rows as JSONL, CSV or a table, to a file that is there whole or not at all, or to standard output.
// Thread safety: none.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/run/first_table.h"
#include "recmeter/file/atomic_file.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/result/rendered_row.h"

namespace recmeter {

enum class RowFormat { jsonl, csv, table };

inline constexpr std::size_t windows_on_terminal = 24;  // of each size

class RowWriter : public RowSink {
 public:
  static constexpr std::size_t table_rows_max = 5000;

  // `path` empty or "-": standard output. `windows_shown`: of each size a table has the newest so many windows, and a
  // sentence on how many it leaves out; 0: all of them. A table is fitted to `width` columns (0: no bound) and written in
  // parts of table_rows_max rows, each with its header, so that memory is bounded.
  [[nodiscard]] static Result<std::unique_ptr<RowWriter>> create(const std::string& path, RowFormat format, std::size_t width,
                                                                 bool color, std::size_t windows_shown = 0);

  // As AtomicFile's.
  void drop_unread() { output_->drop_unread(); }
  [[nodiscard]] Result<void> hold_back() { return output_->hold_back(); }
  [[nodiscard]] Result<void> write(const Row& row) override;
  [[nodiscard]] Result<void> write(const RenderedRow& row);
  // A table becomes that of `first`, so wide. Other formats stay as they are.
  void begin_with(FirstTable first, std::size_t width) {
    first_ = std::move(first);
    width_ = width;
  }
  // As FirstTable's.
  void choose_columns(std::set<std::string> keys) {
    if (first_) first_->choose_columns(std::move(keys));
  }
  // As FirstTable's.
  void say_of_lists(std::string few, std::string ending) {
    if (first_) first_->say_of_lists(std::move(few), std::move(ending));
  }
  // A table has this, too, below its last row; other formats do not.
  void end_table_with(std::string_view text) { ending_ += text; }
  // Writes what is left and waits for the disk, without giving the file its name.
  [[nodiscard]] Result<void> settle();
  // Settles and gives the file its name.
  [[nodiscard]] Result<void> finish();

 private:
  // The windows of one name that a table shows.
  struct Shown {
    std::set<EventTime> starts = {};
    std::set<EventTime> left_out = {};
  };
  RowWriter(std::unique_ptr<file::AtomicFile> output, RowFormat format, std::size_t width, bool color,
            std::size_t windows_shown)
      : output_(std::move(output)), format_(format), width_(width), color_(color), windows_shown_(windows_shown) {}
  void show_newest(const Row& row);
  [[nodiscard]] Result<void> write_part();

  std::unique_ptr<file::AtomicFile> output_;
  RowFormat format_;
  std::size_t width_;
  bool color_;
  std::size_t windows_shown_;
  std::map<std::string, Shown> shown_;  // by name of the window
  std::vector<Row> rows_;               // of the current part of a table
  bool has_parts_ = false;
  std::optional<FirstTable> first_;
  std::string ending_;
};

}  // namespace recmeter
