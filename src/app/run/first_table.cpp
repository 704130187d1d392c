#include "app/run/first_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

std::string count_text(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

FirstTable::FirstTable(const EvaluatorSpec& spec, std::set<std::string> arm_keys, Segments segments)
    : horizon_(spec.join.longest_horizon()),
      confidence_(spec.metrics.confidence),
      arm_keys_(std::move(arm_keys)),
      segments_(segments) {
  const WindowSpec* day = nullptr;
  const WindowSpec* longest = nullptr;
  for (const WindowSpec& window : spec.windows) {
    others_.push_back(window.name);
    if (window.is_whole()) {
      whole_ = window.name;
      continue;
    }
    if (longest == nullptr || window.size > longest->size) longest = &window;
    const bool is_day = window.size >= one_day && window.slide == window.size;
    if (is_day && (day == nullptr || window.size < day->size)) day = &window;
  }
  if (day != nullptr) {
    day_ = day->name;
    is_of_days_ = day->size == one_day;
  }
  if (longest != nullptr) longest_ = longest->name;
}

void FirstTable::add(const Row& row) {
  metrics_ = std::max(metrics_, row.metrics.size());
  if (row.window == day_) days_.insert(row.start);
  if (row.window == whole_) return whole_rows_.push_back(row);
  if (row.window == day_ || row.window == longest_) keep_newest(row);
}

void FirstTable::keep_newest(const Row& row) {
  std::map<EventTime, std::vector<Row>>& starts = newest_[row.window];
  starts[row.start].push_back(row);
  if (starts.size() > windows_max) starts.erase(starts.begin());
}

bool FirstTable::is_of_arm(const Row& row) const {
  return row.segment.size() == 1 && arm_keys_.contains(row.segment.front().first);
}

// All lists first, then arms, then what has the most lists; as they came.
void FirstTable::add_whole(Chosen& chosen) const {
  std::map<std::int64_t, std::vector<const Row*>> by_horizon;
  for (const Row& row : whole_rows_) by_horizon[row.horizon.ms].push_back(&row);
  for (auto& [horizon, rows] : by_horizon) {
    const auto before = [this](const Row* a, const Row* b) {
      const auto rank = [this](const Row* row) { return std::pair(!row->segment.empty(), !is_of_arm(*row)); };
      return std::pair(rank(a), b->lists) < std::pair(rank(b), a->lists);
    };
    std::vector<const Row*> kept = rows;
    if (segments_ == Segments::of_arms) std::erase_if(kept, [this](const Row* row) { return !is_of_arm(*row); });
    std::ranges::stable_sort(kept, before);
    if (kept.size() > segments_max) kept.resize(segments_max);
    chosen.segments_left_out = std::max(chosen.segments_left_out, rows.size() - kept.size());
    for (const Row* row : rows) {
      if (std::ranges::find(kept, row) != kept.end()) chosen.rows.push_back(*row);
    }
  }
}

// Rows of all lists, at the longest horizon.
void FirstTable::add_days(Chosen& chosen) const {
  const auto days = newest_.find(day_);
  if (days == newest_.end() || days->second.size() < 2) return;
  std::vector<Row> rows;
  for (const auto& [start, of_day] : days->second) {
    std::ranges::copy_if(of_day, std::back_inserter(rows),
                         [this](const Row& row) { return row.segment.empty() && row.horizon == horizon_; });
  }
  const std::size_t kept = std::min(rows.size(), days_max);
  chosen.rows.insert(chosen.rows.end(), rows.end() - static_cast<std::ptrdiff_t>(kept), rows.end());
  chosen.days = kept;
}

std::vector<std::string> FirstTable::left_out(const Chosen& chosen) const {
  std::vector<std::string> out;
  const std::string shown = chosen.days > 0 ? day_ : whole_rows_.empty() ? longest_ : "";
  std::vector<std::string> windows;
  std::ranges::copy_if(others_, std::back_inserter(windows),
                       [&](const std::string& name) { return name != shown && (name != whole_ || whole_rows_.empty()); });
  if (windows.size() == 1) out.push_back("the window " + windows.front());
  if (windows.size() > 1) out.push_back(fmt::format("the windows {}", fmt::join(windows, " and ")));
  if (chosen.days > 0 && days_.size() > chosen.days) {
    const std::size_t earlier = days_.size() - chosen.days;
    out.push_back(is_of_days_ ? count_text(earlier, "earlier day")
                              : fmt::format("{} earlier of the window {}", earlier, day_));
  }
  if (chosen.segments_left_out > 0) out.push_back(count_text(chosen.segments_left_out, "segment"));
  if (!keys_.empty() && keys_.size() < metrics_) out.push_back(count_text(metrics_ - keys_.size(), "metric"));
  return out;
}

FirstTable::Chosen FirstTable::chosen() const {
  Chosen chosen;
  if (!whole_rows_.empty()) {
    add_whole(chosen);
    add_days(chosen);
  } else if (const auto longest = newest_.find(longest_); longest != newest_.end()) {
    for (const auto& [start, rows] : longest->second) chosen.rows.insert(chosen.rows.end(), rows.begin(), rows.end());
  }
  for (Row& row : chosen.rows) {
    if (!keys_.empty()) std::erase_if(row.metrics, [this](const MetricValue& metric) { return !keys_.contains(metric.key); });
  }
  return chosen;
}

FirstScreen FirstTable::screen(const Chosen& chosen) const {
  return {.whole = whole_rows_.empty() ? "" : whole_,
          .confidence = confidence_,
          .left_out = left_out(chosen),
          .few = few_,
          .ending = ending_};
}

std::string FirstTable::text(std::size_t width, bool color) const {
  const Chosen shown = chosen();
  return render_table(shown.rows, width, color, screen(shown));
}

TableCells FirstTable::cells(std::size_t width) const {
  const Chosen shown = chosen();
  return table_cells(shown.rows, width, screen(shown));
}

}  // namespace recmeter
