#include "app/top/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/console/messages.h"
#include "app/top/styled_line.h"
#include "config/metric_names.h"
#include "recmeter/result/render.h"

namespace recmeter::top {

namespace {

using Lines = std::vector<StyledLine>;

constexpr std::array<std::string_view, 8> blocks{"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
                                                 "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
constexpr std::string_view end_of_final = "\xe2\x94\x8a";
constexpr std::size_t columns_any = 100;  // where any number will do
constexpr std::size_t label_columns_max = 24;
constexpr std::size_t value_columns = 30;   // 0.05612 (0.05411 to 0.05813)
constexpr std::size_t newest_columns = 23;  // 0.05612, 62% matured
constexpr std::size_t slots_min = 8;
constexpr std::size_t slots_max = 60;
constexpr std::size_t waiting_shown = 3;
constexpr double seconds_behind_alarming = 60;

std::string label_of(const SegmentPairs& segment) {
  std::string text;
  for (const auto& [key, value] : segment) text += (text.empty() ? "" : ", ") + key + "=" + value;
  return text.empty() ? "all lists" : harmless(text);
}

// 14:05:10, of a day that the watermark tells.
std::string clock_of(EventTime time) {
  return render_utc(time).substr(11, 8);
}

std::string number_text(double value) {
  return fmt::format("{:.4g}", value);
}

std::string value_text(const Point& point) {
  if (!point.value) return "-";
  if (!point.low || !point.high) return number_text(*point.value);
  return number_text(*point.value) + " (" + number_text(*point.low) + " to " + number_text(*point.high) + ")";
}

std::string seconds_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

void add_heading(Lines& lines, const Model& model) {
  const Status& status = model.status;
  StyledLine& line = lines.emplace_back();
  line.add("recmeter ")
      .add(status.evaluator, Look::strong)
      .add(" at " + model.url + "  window ")
      .add(model.window.name, Look::strong);
  line.add(", horizon " + model.horizon + "  ");
  line.add(status.is_ready ? "ready" : "not ready", status.is_ready ? Look::plain : Look::alarm);
  if (!model.fault.empty()) {
    lines.emplace_back().add("as of " + clock_of(model.now) + ", for since then: ", Look::alarm).add(model.fault);
  }
  for (const std::string& reason : status.reasons) {
    lines.emplace_back().add(reason, status.is_ready ? Look::plain : Look::alarm);
  }
}

void add_watermark(Lines& lines, const Model& model) {
  const Status& status = model.status;
  StyledLine& line = lines.emplace_back();
  line.add("watermark ");
  if (!status.watermark) {
    line.add("not yet");
  } else {
    const double behind = static_cast<double>((model.now - *status.watermark).ms) / 1000;
    line.add(render_utc(*status.watermark)).add(", " + seconds_text(std::max(0.0, behind)) + " behind");
  }
  if (!status.held_back_by.empty()) line.add("; held back by " + status.held_back_by);
}

// The partitions that are furthest behind, first.
void add_lag(Lines& lines, const Status& status) {
  std::vector<const Partition*> behind;
  std::uint64_t records = 0;
  bool is_known = false;
  for (const Partition& partition : status.partitions) {
    is_known = is_known || partition.lag_records || partition.lag_seconds;
    records += partition.lag_records.value_or(0);
    if (partition.lag_seconds.value_or(0) >= 1 || partition.lag_records.value_or(0) > 0) behind.push_back(&partition);
  }
  std::stable_sort(behind.begin(), behind.end(), [](const Partition* a, const Partition* b) {
    return a->lag_seconds.value_or(0) > b->lag_seconds.value_or(0);
  });
  const auto idle = std::count_if(status.partitions.begin(), status.partitions.end(),
                                  [](const Partition& partition) { return partition.is_idle; });
  StyledLine& line = lines.emplace_back();
  line.add("lag ");
  line.add(!is_known ? "not known" : behind.empty() ? "none" : std::to_string(records) + " records");
  for (const Partition* partition : behind) {
    const double seconds = partition->lag_seconds.value_or(0);
    const std::string text = partition->lag_seconds ? seconds_text(seconds) : std::to_string(*partition->lag_records);
    line.add("; " + partition->name + " ").add(text, seconds > seconds_behind_alarming ? Look::alarm : Look::plain);
  }
  line.add(fmt::format("; {} {}, {} idle", status.partitions.size(),
                       status.partitions.size() == 1 ? "partition" : "partitions", idle));
}

// Fates that did not happen are left out, but for those that should be 0.
void add_events(Lines& lines, const Status& status) {
  constexpr std::array<std::string_view, 3> always{"read", "invalid", "late"};
  constexpr std::array<std::string_view, 6> usual{"read", "ignored", "impressions", "feedback", "candidates", "undecided"};
  StyledLine& line = lines.emplace_back();
  line.add("events ");
  bool is_first = true;
  for (const auto& [fate, count] : status.events) {
    if (count == 0 && std::find(always.begin(), always.end(), fate) == always.end()) continue;
    const bool is_alarm = count > 0 && std::find(usual.begin(), usual.end(), fate) == usual.end();
    line.add(is_first ? "" : ", ").add(fmt::format("{} {}", fate, count), is_alarm ? Look::strong : Look::plain);
    is_first = false;
  }
}

void add_waiting(Lines& lines, const Status& status) {
  if (status.waiting.empty()) return;
  const std::size_t count = status.waiting.size();
  lines.emplace_back().add(fmt::format("{} {} not final yet", count, count == 1 ? "window is" : "windows are"));
  for (std::size_t i = 0; i < std::min(waiting_shown, status.waiting.size()); ++i) {
    const Waiting& one = status.waiting[i];
    lines.emplace_back().add("  " + one.window + " from " + clock_of(one.start) + ": " + one.why, Look::faint);
  }
}

// Where the parts of a metric's lines stand.
struct Layout {
  std::size_t label = 0;
  std::size_t slots = 0;
  bool has_newest = true;
};

Layout layout_of(const Panel& panel, std::size_t columns) {
  Layout layout;
  for (const Course& course : panel.courses) layout.label = std::max(layout.label, columns_of(label_of(course.segment)));
  layout.label = std::min({layout.label, label_columns_max, std::max<std::size_t>(columns / 3, 4)});
  const auto room = [&](std::size_t wanted) {
    const std::size_t taken = 2 + layout.label + 1 + 2 + wanted;  // indent, and blanks between the parts
    return columns > taken ? columns - taken : 0;
  };
  layout.has_newest = room(value_columns + newest_columns) >= slots_min;
  const std::size_t free = room(value_columns + (layout.has_newest ? newest_columns : 0));
  layout.slots = std::clamp(free, slots_min, slots_max);
  return layout;
}

// The range that all lines of a metric share, so that they can be compared.
std::pair<double, double> range_of(const Panel& panel) {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Course& course : panel.courses) {
    for (const Point& point : course.points) {
      if (!point.value) continue;
      range = {std::min(range.first, *point.value), std::max(range.second, *point.value)};
    }
  }
  return range;
}

void add_course(Lines& lines, const Course& course, const Model& model, const Layout& layout,
                std::pair<double, double> range) {
  const std::string label = label_of(course.segment);
  const bool fits = columns_of(label) <= layout.label;
  if (!fits) lines.emplace_back().add("  " + label);  // whole, on a line of its own
  StyledLine& line = lines.emplace_back();
  line.add("  ").add(fits ? label : "").to_column(2 + layout.label + 1);
  const std::size_t values = line.columns() + layout.slots + 2;
  line.add(sparkline(course.points, model.window.slide, layout.slots, range.first, range.second)).to_column(values);
  const auto newest_final =
      std::find_if(course.points.rbegin(), course.points.rend(), [](const Point& point) { return point.is_final; });
  const bool has_final = newest_final != course.points.rend();
  const bool has_newer = !course.points.empty() && !course.points.back().is_final;
  if (has_final) line.add(value_text(*newest_final), Look::strong);
  if (course.points.empty()) line.add("no lists", Look::faint);
  if (!has_newer || (has_final && !layout.has_newest)) return;
  if (has_final) line.to_column(values + value_columns);
  const Point& newest = course.points.back();
  line.add(
      fmt::format("{}, {:.0f}% matured", newest.value ? number_text(*newest.value) : "-", std::floor(newest.matured * 100)),
      Look::faint);
}

void add_panel(Lines& lines, const Panel& panel, const Model& model, std::size_t columns) {
  const std::pair<double, double> range = range_of(panel);
  const Layout layout = layout_of(panel, columns);
  lines.emplace_back();
  StyledLine& line = lines.emplace_back();
  line.add(panel.metric, Look::strong);
  if (range.first <= range.second) {
    const std::string_view unit = config::unit_of_metric(panel.metric);
    line.add("  " + number_text(range.first) + " to " + number_text(range.second));
    if (!unit.empty()) line.add(" " + std::string(unit));
  }
  const Point* newest = nullptr;
  for (const Course& course : panel.courses) {
    for (const Point& point : course.points) {
      if (point.is_final && (newest == nullptr || newest->start < point.start)) newest = &point;
    }
  }
  line.add(newest == nullptr ? "  nothing is final yet" : "  final until the window of " + clock_of(newest->start),
           Look::faint);
  for (const Course& course : panel.courses) add_course(lines, course, model, layout, range);
  if (!panel.why.empty()) lines.emplace_back().add("  changed last: ", Look::faint).add(panel.why);
}

}  // namespace

std::string sparkline(const std::vector<Point>& points, Duration slide, std::size_t slots, double low, double high) {
  std::string out;
  if (points.empty() || slots == 0) return out;
  const auto border = std::find_if(points.begin(), points.end(), [](const Point& point) { return !point.is_final; });
  const std::size_t windows = slots - (border != points.end() && border != points.begin() && slots > 1 ? 1 : 0);
  const EventTime newest = points.back().start;
  std::size_t next = windows;  // slots still to be filled, counted from the end
  for (auto at = points.begin(); at != points.end(); ++at) {
    const std::int64_t ago = (newest - at->start).ms / slide.ms;
    if (ago >= static_cast<std::int64_t>(windows)) continue;
    const std::size_t place = static_cast<std::size_t>(ago) + 1;  // from the end
    if (place > next) continue;                                   // two in one slot: the first stays
    out.append(next - place, ' ');
    if (at == border && at != points.begin() && windows < slots) out += end_of_final;
    next = place - 1;
    if (!at->value) {
      out.push_back(' ');
      continue;
    }
    const double share = high > low ? std::clamp((*at->value - low) / (high - low), 0.0, 1.0) : 0.5;
    out += blocks[std::min(blocks.size() - 1, static_cast<std::size_t>(share * static_cast<double>(blocks.size())))];
  }
  return out;
}

std::vector<std::string> frame(const Model& model, FrameSize size, bool color) {
  Lines lines;
  add_heading(lines, model);
  add_watermark(lines, model);
  add_lag(lines, model.status);
  add_events(lines, model.status);
  add_waiting(lines, model.status);
  for (const Panel& panel : model.panels) add_panel(lines, panel, model, size.columns == 0 ? columns_any : size.columns);
  if (model.segments_left_out > 0) {
    lines.emplace_back();
    lines.emplace_back().add(fmt::format("{} more segments are on the page of the evaluator", model.segments_left_out));
  }
  if (size.rows > 0 && lines.size() > size.rows) {
    const std::size_t left_out = lines.size() - size.rows + 1;
    lines.resize(size.rows - 1);
    lines.emplace_back().add(fmt::format("{} more lines; make the terminal taller or choose with --metric", left_out),
                             Look::faint);
  }
  std::vector<std::string> out;
  for (const StyledLine& line : lines) out.push_back(line.render(size.columns, color));
  return out;
}

}  // namespace recmeter::top
