// Rows as a table for a person: blocks by window and horizon that share their columns, notes below.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "recmeter/result/render.h"
#include "result/table_cells.h"

namespace recmeter {
namespace {

constexpr std::size_t gap = 2;  // between columns
constexpr std::size_t segment_width_min = 20;
constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view dim = "\x1b[2m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

std::string padding(std::size_t width, std::string_view text) {
  const std::size_t used = text_width(text);
  return std::string(used < width ? width - used : 0, ' ');
}

// How starts are written: as much of date and time as tells the rows apart.
struct StartForm {
  bool one_day = true;   // the date stands in the title
  bool alone = true;     // no other start: parts of a second tell nothing
  bool midnight = true;  // dates alone will do
  bool seconds = false;
  bool milliseconds = false;

  [[nodiscard]] std::string text(EventTime start) const {
    const std::string utc = render_utc(start);
    const std::string date = utc.substr(0, 10);
    if (midnight) return date;
    std::string time = utc.substr(11, seconds || milliseconds ? 8 : 5);
    if (milliseconds) time += fmt::format(".{:03}", ((start.ms % 1000) + 1000) % 1000);
    return one_day ? time : date + " " + time;
  }
};

StartForm start_form(std::span<const Row> all, std::span<const std::size_t> rows) {
  StartForm form;
  const EventTime first_start = all[rows.front()].start;
  const std::string first = render_utc(first_start).substr(0, 10);
  for (const std::size_t row : rows) {
    const std::string utc = render_utc(all[row].start);
    form.alone = form.alone && all[row].start == first_start;
    form.one_day = form.one_day && utc.starts_with(first);
    form.midnight = form.midnight && utc.substr(11) == "00:00:00Z";
    form.seconds = form.seconds || utc.substr(17, 2) != "00";
    form.milliseconds = form.milliseconds || utc.size() > 20;
  }
  form.one_day = form.one_day && !form.midnight;
  form.milliseconds = form.milliseconds && !form.alone;
  return form;
}

class Table {
 public:
  Table(std::span<const Row> rows, std::size_t width, bool color);
  [[nodiscard]] std::string render() const;

 private:
  struct Column {
    std::string header;
    std::vector<std::string> cells;  // one per row
    std::size_t width = 0;
    bool right = false;
  };
  struct MetricColumn {
    std::string key;
    std::optional<int> decimals_of_intervals;
    int decimals_of_values = 0;
    std::vector<MetricCell> cells;
    std::size_t value_width = 0;
    std::size_t interval_width = 0;

    [[nodiscard]] std::size_t width() const {
      const std::size_t cell = value_width + (interval_width > 0 ? 1 + interval_width : 0);
      return std::max(cell, text_width(printable(key)));
    }
  };

  // The rows of one window and horizon.
  struct Block {
    std::vector<std::size_t> rows;
    StartForm start_form = {};
  };

  void find_blocks();
  void add_column(std::string header, bool right, const std::vector<std::string>& cells);
  void find_metrics();
  void fill_metrics(IntervalStyle style);
  void choose_columns();
  [[nodiscard]] std::size_t metrics_width() const;

  [[nodiscard]] std::string painted(std::string_view text, std::string_view color) const;
  [[nodiscard]] std::string title(const Block& block) const;
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string line(std::size_t row) const;
  [[nodiscard]] std::string notes() const;
  [[nodiscard]] std::string places(std::string_view from, bool (*is_marked)(const Row&)) const;
  void append_note(std::string& out, std::string_view mark, std::string_view text) const;

  std::span<const Row> rows_;
  std::size_t width_;
  bool color_;
  std::vector<Block> blocks_;  // in the order of their first rows
  bool evaluators_differ_ = false;
  bool shortened_ = false;
  std::vector<Column> columns_;
  std::vector<MetricColumn> metrics_;
  std::vector<bool> shown_;  // per metric column
  std::size_t fixed_width_ = 0;
  IntervalStyle style_ = IntervalStyle::bounds;
};

Table::Table(std::span<const Row> rows, std::size_t width, bool color) : rows_(rows), width_(width), color_(color) {
  find_blocks();
  std::vector<std::string> starts(rows.size());
  for (const Block& block : blocks_) {
    for (const std::size_t row : block.rows) starts[row] = block.start_form.text(rows[row].start);
  }
  std::vector<std::string> segments;
  std::vector<std::string> notes;
  std::vector<std::string> lists;
  const std::size_t segment_width_max = std::max(segment_width_min, width_ / 3);
  for (const Row& row : rows_) {
    std::string segment = segment_cell(row);
    if (width_ > 0 && text_width(segment) > segment_width_max) {
      segment = shortened(std::move(segment), segment_width_max);
      shortened_ = true;
    }
    segments.push_back(std::move(segment));
    notes.push_back(note_cell(row));
    lists.push_back(std::to_string(row.lists));
    evaluators_differ_ = evaluators_differ_ || row.evaluator != rows_.front().evaluator;
  }
  add_column("start", false, starts);
  if (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.segment.empty(); })) {
    add_column("segment", false, segments);
  }
  if (std::any_of(notes.begin(), notes.end(), [](const std::string& note) { return !note.empty(); })) {
    add_column("note", false, notes);
  }
  add_column("lists", true, lists);
  find_metrics();
  choose_columns();
}

void Table::find_blocks() {
  using Of = std::tuple<std::string_view, std::string_view, std::int64_t>;
  std::map<Of, std::size_t> places;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    const auto [place, fresh] = places.try_emplace(Of{row.evaluator, row.window, row.horizon.ms}, blocks_.size());
    if (fresh) blocks_.emplace_back();
    blocks_[place->second].rows.push_back(r);
  }
  for (Block& block : blocks_) block.start_form = start_form(rows_, block.rows);
}

void Table::add_column(std::string header, bool right, const std::vector<std::string>& cells) {
  Column column{std::move(header), cells, 0, right};
  column.width = text_width(column.header);
  for (const std::string& cell : cells) column.width = std::max(column.width, text_width(cell));
  fixed_width_ += column.width + (columns_.empty() ? 0 : gap);
  columns_.push_back(std::move(column));
}

void Table::find_metrics() {
  std::map<std::string_view, std::size_t> places;
  for (const Row& row : rows_) {
    for (const MetricValue& metric : row.metrics) {
      const auto [place, fresh] = places.try_emplace(metric.key, metrics_.size());
      if (fresh) metrics_.push_back({metric.key, std::nullopt, 0, {}, 0, 0});
      MetricColumn& column = metrics_[place->second];
      const int worth = decimals_worth(metric);
      if (metric.ci) {
        column.decimals_of_intervals = std::max(worth, column.decimals_of_intervals.value_or(0));
      } else {
        column.decimals_of_values = std::max(worth, column.decimals_of_values);
      }
    }
  }
}

void Table::fill_metrics(IntervalStyle style) {
  style_ = style;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    MetricColumn& column = metrics_[i];
    column.cells.assign(rows_.size(), {});
    column.value_width = column.interval_width = 0;
    places.emplace(column.key, i);
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const MetricValue& metric : rows_[r].metrics) {
      MetricColumn& column = metrics_[places.at(metric.key)];
      const int decimals = column.decimals_of_intervals.value_or(column.decimals_of_values);
      MetricCell cell = metric_cell(metric, decimals, style);
      column.value_width = std::max(column.value_width, text_width(cell.value));
      column.interval_width = std::max(column.interval_width, text_width(cell.interval));
      column.cells[r] = std::move(cell);
    }
  }
}

std::size_t Table::metrics_width() const {
  std::size_t width = 0;
  for (const MetricColumn& column : metrics_) width += gap + column.width();
  return width;
}

// Both bounds where there is room for all, else half widths; then in their order as many columns as fit.
void Table::choose_columns() {
  fill_metrics(IntervalStyle::bounds);
  shown_.assign(metrics_.size(), true);
  if (width_ == 0 || fixed_width_ + metrics_width() <= width_) return;
  fill_metrics(IntervalStyle::half_width);
  std::size_t used = fixed_width_;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    shown_[i] = used + gap + metrics_[i].width() <= width_;
    if (shown_[i]) used += gap + metrics_[i].width();
  }
}

std::string Table::painted(std::string_view text, std::string_view color) const {
  if (!color_ || text.empty()) return std::string(text);
  return std::string(color) + std::string(text) + std::string(plain);
}

std::string Table::title(const Block& block) const {
  const Row& row = rows_[block.rows.front()];
  std::string text;
  if (evaluators_differ_) text += printable(row.evaluator) + ": ";
  text += "window " + printable(row.window) + ", horizon " + render_duration(row.horizon);
  text += block.start_form.one_day ? ", " + render_utc(row.start).substr(0, 10) + " UTC" : ", starts in UTC";
  return painted(text, bold) + "\n";
}

std::string Table::header() const {
  std::string text;
  const auto append = [&text](std::string_view cell, std::size_t width, bool right) {
    if (!text.empty()) text.append(gap, ' ');
    text += right ? padding(width, cell) + std::string(cell) : std::string(cell) + padding(width, cell);
  };
  for (const Column& column : columns_) append(column.header, column.width, column.right);
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (shown_[i]) append(printable(metrics_[i].key), metrics_[i].width(), true);
  }
  return painted(text, dim) + "\n";
}

std::string Table::line(std::size_t row) const {
  std::string text;
  for (const Column& column : columns_) {
    if (&column != &columns_.front()) text.append(gap, ' ');
    const std::string& cell = column.cells[row];
    const std::string shown = column.header == "note" ? painted(cell, yellow) : cell;
    text += column.right ? padding(column.width, cell) + shown : shown + padding(column.width, cell);
  }
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (!shown_[i]) continue;
    const MetricColumn& column = metrics_[i];
    const MetricCell& cell = column.cells[row];
    const std::size_t interval = column.interval_width > 0 ? 1 + column.interval_width : 0;
    text.append(gap, ' ');
    text += padding(column.width() - interval, cell.value) + cell.value;
    if (interval > 0) text += " " + padding(column.interval_width, cell.interval) + cell.interval;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

// `mark`, then `text` beside it, broken between words at the width of the terminal.
void Table::append_note(std::string& out, std::string_view mark, std::string_view text) const {
  const std::size_t indent = mark.empty() ? 0 : text_width(mark) + gap;
  std::size_t used = indent;
  out += mark;
  if (indent > 0) out.append(gap, ' ');
  bool line_start = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line_start && width_ > 0 && used + 1 + text_width(word) > width_) {
      out += "\n";
      out.append(indent, ' ');
      used = indent;
      line_start = true;
    }
    if (!line_start) out.push_back(' ');
    used += text_width(word) + (line_start ? 0 : 1);
    out += word;
    line_start = false;
  }
  out += "\n";
}

// "hour from 23:00, all": in each block the first row of those.
std::string Table::places(std::string_view from, bool (*is_marked)(const Row&)) const {
  std::string text;
  for (const Block& block : blocks_) {
    const auto at = std::ranges::find_if(block.rows, [&](std::size_t r) { return is_marked(rows_[r]); });
    if (at == block.rows.end()) continue;
    const Row& row = rows_[*at];
    if (!text.empty()) text += ", ";
    text += printable(row.window);
    if (!block.start_form.alone) text += fmt::format(" {} ", from) + block.start_form.text(row.start);
  }
  return text;
}

std::string Table::notes() const {
  std::string out;
  bool intervals = false;
  std::string hidden;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    intervals = intervals || (shown_[i] && metrics_[i].interval_width > 0);
    if (!shown_[i]) hidden += (hidden.empty() ? "" : ", ") + printable(metrics_[i].key);
  }
  const auto any_stage = [this](Stage stage) {
    return std::any_of(rows_.begin(), rows_.end(), [stage](const Row& row) { return row.stage == stage; });
  };
  if (intervals && style_ == IntervalStyle::bounds) append_note(out, "[low high]", "confidence interval");
  if (intervals && style_ == IntervalStyle::half_width) append_note(out, "±", "half the width of the confidence interval");
  double matured = 1;
  for (const Row& row : rows_) {
    if (row.stage == Stage::truncated) matured = std::min(matured, row.matured);
  }
  const std::string cut = places("from", [](const Row& row) { return row.stage == Stage::truncated; });
  if (!cut.empty()) {
    const std::string rest =
        matured < 1 ? fmt::format("At least {} of the lists in each had their full horizon.", percent_cell(matured))
                    : "All lists had their full horizon.";
    const std::string_view why = matured < 1 ? "before all feedback could arrive" : "within it";
    append_note(out, {}, fmt::format("Truncated, since the log ends {}: {}. {}", why, cut, rest));
  }
  const std::string early = places("at", [](const Row& row) { return std::ranges::count(row.incomplete, "start") > 0; });
  if (!early.empty()) append_note(out, {}, "Begins before the first event that was read: " + early + ".");
  if (any_stage(Stage::provisional)) {
    append_note(out, "p N%", "provisional: will still change; N% of the lists had their full horizon");
  }
  std::map<std::string_view, std::string_view> reasons;
  for (const Row& row : rows_) {
    for (const std::string& reason : row.incomplete) {
      const ReasonMark mark = reason_mark(reason);
      if (!mark.meaning.empty()) reasons.emplace(mark.mark, mark.meaning);
    }
  }
  for (const auto& [mark, meaning] : reasons) append_note(out, mark, meaning);
  if (shortened_) append_note(out, "…", "segments too long for the table; --format jsonl shows them whole");
  if (!hidden.empty()) {
    append_note(out, {}, "Too wide to show: " + hidden + ". --format jsonl and --format csv hold every column.");
  }
  return out;
}

std::string Table::render() const {
  std::string out;
  for (const Block& block : blocks_) {
    out += title(block);
    out += header();
    for (const std::size_t r : block.rows) out += line(r);
    out += "\n";
  }
  const std::string below = notes();
  if (below.empty()) out.pop_back();
  return out + below;
}

}  // namespace

std::string render_table(std::span<const Row> rows, std::size_t width, bool color) {
  if (rows.empty()) return "No window holds a list.\n";
  return Table(rows, width, color).render();
}

}  // namespace recmeter
