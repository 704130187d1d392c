// Rows as a table for a person: blocks by window and horizon that share their columns, notes below.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "recmeter/metric/estimate.h"
#include "recmeter/result/render.h"
#include "recmeter/result/screen_cells.h"
#include "result/start_form.h"
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

class Table {
 public:
  // `screen`: null for all there is.
  Table(std::span<const Row> rows, std::size_t width, bool color, const FirstScreen* screen);
  [[nodiscard]] std::string render() const;
  [[nodiscard]] TableCells cells() const;

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
    double largest = 0;
    int fewer_of_widths = 0;
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
  void fill_metrics(IntervalStyle style, int fewer = 0);
  void choose_columns();
  [[nodiscard]] std::size_t metrics_width() const;

  [[nodiscard]] std::string painted(std::string_view text, std::string_view color) const;
  [[nodiscard]] std::string title(const Block& block) const;
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string line(std::size_t row) const;
  [[nodiscard]] std::string notes() const;
  [[nodiscard]] std::string places(std::string_view from, bool (*is_marked)(const Row&)) const;
  void append_note(std::string& out, std::string_view mark, std::string_view text) const;

  [[nodiscard]] bool is_whole(const Row& row) const { return screen_ != nullptr && row.window == screen_->whole; }
  [[nodiscard]] std::string whole_title(const Row& row) const;
  [[nodiscard]] std::string start_cell(const Block& block, const Row& row) const;
  [[nodiscard]] std::string hidden() const;
  [[nodiscard]] bool has_intervals() const;
  [[nodiscard]] bool lacks_interval(const Row& row) const;
  [[nodiscard]] bool has_lopsided() const;
  void append_reasons(std::string& out) const;
  [[nodiscard]] std::string notes_of_screen() const;

  std::span<const Row> rows_;
  std::size_t width_;
  bool color_;
  const FirstScreen* screen_;
  std::vector<Block> blocks_;  // in the order of their first rows
  bool evaluators_differ_ = false;
  bool shortened_ = false;
  std::vector<Column> columns_;
  std::vector<MetricColumn> metrics_;
  std::vector<bool> shown_;  // per metric column
  std::size_t fixed_width_ = 0;
  IntervalStyle style_ = IntervalStyle::bounds;
};

Table::Table(std::span<const Row> rows, std::size_t width, bool color, const FirstScreen* screen)
    : rows_(rows), width_(width), color_(color), screen_(screen) {
  find_blocks();
  std::vector<std::string> starts(rows.size());
  for (const Block& block : blocks_) {
    for (const std::size_t row : block.rows) starts[row] = start_cell(block, rows[row]);
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
  // Where all is of the whole log, the title says so.
  const bool has_whole = std::ranges::any_of(rows, [this](const Row& row) { return is_whole(row); });
  const bool is_whole_log = std::ranges::all_of(rows, [this](const Row& row) { return is_whole(row); });
  if (!is_whole_log) add_column(has_whole ? "window" : "start", false, starts);
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
    const bool is_under_whole = screen_ != nullptr && is_whole(rows_.front());
    const std::string_view window = is_under_whole ? "" : std::string_view(row.window);
    const auto [place, fresh] = places.try_emplace(Of{row.evaluator, window, row.horizon.ms}, blocks_.size());
    if (fresh) blocks_.emplace_back();
    blocks_[place->second].rows.push_back(r);
  }
  for (Block& block : blocks_) {
    std::vector<std::size_t> windows;
    std::ranges::copy_if(block.rows, std::back_inserter(windows), [this](std::size_t r) { return !is_whole(rows_[r]); });
    block.start_form = start_form(rows_, windows.empty() ? block.rows : windows);
    if (windows.size() < block.rows.size()) block.start_form.one_day = false;  // the title has the dates of the log
  }
}

std::string Table::start_cell(const Block& block, const Row& row) const {
  return is_whole(row) ? printable(row.window) : block.start_form.text(row.start);
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
      if (fresh) metrics_.push_back({metric.key, std::nullopt, 0, 0, 0, {}, 0, 0});
      MetricColumn& column = metrics_[place->second];
      column.largest = std::max(column.largest, std::abs(metric.value.value_or(0)));
      const int worth = decimals_worth(metric);
      if (metric.ci) {
        column.decimals_of_intervals = std::max(worth, column.decimals_of_intervals.value_or(0));
      } else {
        column.decimals_of_values = std::max(worth, column.decimals_of_values);
      }
    }
  }
}

void Table::fill_metrics(IntervalStyle style, int fewer) {
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
      MetricCell cell = metric_cell(metric, decimals, style, std::max(fewer, column.fewer_of_widths));
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

// Both bounds where there is room for all, else half widths; on a first screen a digit less of these, and of values that keep
// three, where there is no room. Then in their order as many columns as fit.
void Table::choose_columns() {
  fill_metrics(IntervalStyle::bounds);
  shown_.assign(metrics_.size(), true);
  const auto fits = [this] { return width_ == 0 || fixed_width_ + metrics_width() <= width_; };
  if (fits()) return;
  fill_metrics(IntervalStyle::half_width);
  if (screen_ != nullptr && !fits()) fill_metrics(IntervalStyle::half_width, 1);
  if (screen_ != nullptr && !fits()) {
    for (MetricColumn& column : metrics_) {
      if (!column.decimals_of_intervals) continue;
      const int fewer = std::max(*column.decimals_of_intervals - 1, decimals_least(column.largest));
      column.fewer_of_widths = fewer < *column.decimals_of_intervals ? 0 : 1;
      column.decimals_of_intervals = std::min(*column.decimals_of_intervals, fewer);
    }
    fill_metrics(IntervalStyle::half_width);
  }
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
  if (is_whole(row)) return painted(text + whole_title(row), bold) + "\n";
  text += "window " + printable(row.window) + ", horizon " + render_duration(row.horizon);
  text += block.start_form.one_day ? ", " + render_utc(row.start).substr(0, 10) + " UTC" : ", starts in UTC";
  return painted(text, bold) + "\n";
}

// "Lists of 2026-03-02 09:00 to 14:59 UTC, horizon 30m".
std::string Table::whole_title(const Row& row) const {
  const std::string from = render_utc(row.start);
  const std::string to = render_utc(row.end - Duration{1});
  const std::size_t digits = row.end - row.start < one_hour ? 8 : 5;  // of the time: seconds tell short logs apart
  std::string text = "Lists of " + from.substr(0, 10) + " " + from.substr(11, digits) + " to ";
  if (!to.starts_with(from.substr(0, 10))) text += to.substr(0, 10) + " ";
  return text + to.substr(11, digits) + " UTC, horizon " + render_duration(row.horizon);
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

std::string Table::hidden() const {
  std::string out;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (!shown_[i]) out += (out.empty() ? "" : ", ") + printable(metrics_[i].key);
  }
  return out;
}

bool Table::has_intervals() const {
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (shown_[i] && metrics_[i].interval_width > 0) return true;
  }
  return false;
}

// Somebody acted on its lists, and no column has an interval.
bool Table::lacks_interval(const Row& row) const {
  bool has_mean = false;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (!shown_[i]) continue;
    const auto of = std::ranges::find(row.metrics, metrics_[i].key, &MetricValue::key);
    if (of == row.metrics.end() || !of->has_evidence) continue;
    if (of->ci) return false;
    has_mean = has_mean || of->value;
  }
  return has_mean && std::ranges::any_of(row.feedback, [](const ActionCount& action) { return action.credited > 0; });
}

// An interval shown reaches twice as far to one side of its value as to the other.
bool Table::has_lopsided() const {
  constexpr double far = 2;
  const auto is_lopsided = [](const MetricValue& metric) {
    if (!metric.value || !metric.ci) return false;
    const double below = *metric.value - metric.ci->first, above = metric.ci->second - *metric.value;
    return std::max(above, below) >= far * std::min(above, below);
  };
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (!shown_[i]) continue;
    for (const Row& row : rows_) {
      const auto of = std::ranges::find(row.metrics, metrics_[i].key, &MetricValue::key);
      if (of != row.metrics.end() && is_lopsided(*of)) return true;
    }
  }
  return false;
}

void Table::append_reasons(std::string& out) const {
  if (std::ranges::any_of(rows_, [](const Row& row) { return row.stage == Stage::provisional; })) {
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
}

std::string Table::notes() const {
  std::string out;
  if (has_intervals() && style_ == IntervalStyle::bounds) append_note(out, "[low high]", "confidence interval");
  if (has_intervals() && style_ == IntervalStyle::half_width) {
    append_note(out, "±", "half the width of the confidence interval");
  }
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
  append_reasons(out);
  if (!hidden().empty()) {
    append_note(out, {}, "Too wide to show: " + hidden() + ". --format jsonl and --format csv hold every column.");
  }
  return out;
}

// Sentences on why there is no interval, on where the log ends too early, and on what else there is.
std::string Table::notes_of_screen() const {
  std::string out;
  const bool lack_some = std::ranges::any_of(rows_, [this](const Row& row) { return lacks_interval(row); });
  const std::string none = fmt::format("; none where too few users acted ({} are needed)", evidence_users_needed);
  const std::string sure = fmt::format("{:g} % confidence{}", 100 * screen_->confidence, lack_some ? none : "");
  if (has_intervals() && style_ == IntervalStyle::bounds)
    append_note(out, "[low high]", "the range of the value, with " + sure);
  if (has_intervals() && style_ == IntervalStyle::half_width) {
    const std::string_view ends = has_lopsided() ? "; --format jsonl has both ends of intervals that are not symmetric" : "";
    append_note(out, "±", "margin of error, with " + sure + std::string(ends));
  }
  append_reasons(out);
  const auto is_bare = [this](const Row& row) { return is_whole(row) && row.segment.empty() && lacks_interval(row); };
  if (!has_intervals() && std::ranges::any_of(rows_, is_bare)) {
    const std::string few = fmt::format("too few users acted ({} are needed)", evidence_users_needed);
    append_note(out, {}, fmt::format("No margin of error: {}.", screen_->few.empty() ? few : screen_->few));
  }
  const auto cut =
      std::ranges::find_if(rows_, [](const Row& row) { return row.stage == Stage::truncated && row.matured < 1; });
  const std::string ending = screen_->ending      ? *screen_->ending
                             : cut != rows_.end() ? early_end_sentence(cut->horizon, 1 - cut->matured)
                                                  : "";
  if (!ending.empty()) append_note(out, {}, ending);
  std::vector<std::string> parts;
  if (!screen_->left_out.empty()) parts.push_back(fmt::format("{} (--all)", fmt::join(screen_->left_out, ", ")));
  if (!hidden().empty()) parts.push_back(hidden() + " (a wider table)");
  if (!parts.empty()) append_note(out, {}, fmt::format("Not shown: {}.", fmt::join(parts, "; ")));
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
  const std::string below = screen_ != nullptr ? notes_of_screen() : notes();
  if (below.empty()) out.pop_back();
  return out + below;
}

TableCells Table::cells() const {
  TableCells out;
  for (const Column& column : columns_) out.header.push_back(column.header);
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    if (shown_[i]) out.header.push_back(printable(metrics_[i].key));
  }
  for (const Block& block : blocks_) {
    TableCells::Block& to = out.blocks.emplace_back();
    to.title = title(block);
    to.title.pop_back();  // the end of its line
    for (const std::size_t r : block.rows) {
      std::vector<std::string>& row = to.rows.emplace_back();
      for (const Column& column : columns_) row.push_back(column.cells[r]);
      for (std::size_t i = 0; i < metrics_.size(); ++i) {
        const MetricCell& cell = metrics_[i].cells[r];
        if (shown_[i]) row.push_back(cell.interval.empty() ? cell.value : cell.value + " " + cell.interval);
      }
    }
  }
  out.notes = screen_ != nullptr ? notes_of_screen() : notes();
  return out;
}

}  // namespace

std::string early_end_sentence(Duration horizon, double share) {
  return fmt::format("The log ends less than {} after {} of these lists: they had less time for actions.",
                     render_duration(horizon), share_cell(share));
}

std::string render_table(std::span<const Row> rows, std::size_t width, bool color) {
  if (rows.empty()) return "No window holds a list.\n";
  return Table(rows, width, color, nullptr).render();
}

std::string render_table(std::span<const Row> rows, std::size_t width, bool color, const FirstScreen& screen) {
  if (rows.empty()) return "No window holds a list.\n";
  return Table(rows, width, color, &screen).render();
}

TableCells table_cells(std::span<const Row> rows, std::size_t width, const FirstScreen& screen) {
  if (rows.empty()) return {.notes = "No window holds a list.\n"};
  return Table(rows, width, false, &screen).cells();
}

}  // namespace recmeter
