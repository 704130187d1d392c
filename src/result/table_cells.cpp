#include "result/table_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "recmeter/base/utf8.h"

namespace recmeter {
namespace {

constexpr double scientific_from = 1e12;
constexpr int significant_of_interval = 2;
constexpr int significant_of_value = 4;
constexpr int significant_at_least = 3;

std::string number_text(double number, int decimals) {
  const double magnitude = std::abs(number);
  const bool vanishes = magnitude > 0 && magnitude < 0.5 * std::pow(10.0, -decimals);
  if (vanishes || magnitude >= scientific_from) return fmt::format("{:.1e}", number);
  return fmt::format("{:.{}f}", number, decimals);
}

int decimals_for(double number, int significant) {
  const int leading = static_cast<int>(std::floor(std::log10(std::abs(number))));
  return std::clamp(significant - 1 - leading, 0, decimals_max);
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    width += point.valid ? display_width(point.value) : 1;
    at += point.bytes;
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  const auto into = std::back_inserter(out);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (!point.valid) {
      fmt::format_to(into, "\\x{:02x}", static_cast<unsigned char>(text[at]));
    } else if (!is_unprintable(point.value)) {
      out.append(text.substr(at, point.bytes));
    } else if (point.value == '\n') {
      out += "\\n";
    } else if (point.value == '\t') {
      out += "\\t";
    } else if (point.value == '\r') {
      out += "\\r";
    } else if (point.value < 0x80) {
      fmt::format_to(into, "\\x{:02x}", static_cast<unsigned>(point.value));
    } else {
      fmt::format_to(into, "\\u{{{:x}}}", static_cast<unsigned>(point.value));
    }
    at += point.bytes;
  }
  return out;
}

std::string shortened(std::string text, std::size_t width) {
  if (text_width(text) <= width) return text;
  std::size_t used = 1;  // the ellipsis
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = code_point_at(text, at);
    used += point.valid ? display_width(point.value) : 1;
    if (used > width) break;
    at += point.bytes;
  }
  text.resize(at);
  return text + "…";
}

std::string segment_cell(const Row& row) {
  if (row.segment.empty()) return "all";
  std::string cell;
  for (const auto& [key, value] : row.segment) {
    if (!cell.empty()) cell.push_back(' ');
    const bool misread = value.empty() || value.find_first_of(" =\"") != std::string::npos;
    cell += printable(key) + "=" + (misread ? "\"" + printable(value) + "\"" : printable(value));
  }
  return cell;
}

ReasonMark reason_mark(std::string_view reason) {
  if (reason == "gap") return {"g", "incomplete: records that touch the window were lost"};
  if (reason == "late_after_idle") return {"i", "incomplete: events of the window came when their partition counted as idle"};
  if (reason == "future_by_clock") return {"f", "incomplete: events of the window were ahead of the clock"};
  if (reason == "distinct_items")
    return {"d", "incomplete: more distinct items than limits.distinct_items; what counts them is missing"};
  if (reason == "recommender") return {"r", "incomplete: the recommender gave no answer to a request of the window"};
  return {reason, {}};
}

std::string percent_cell(double share) {
  return fmt::format("{}%", std::floor(share * 100 + 1e-9));
}

std::string share_cell(double share) {
  if (share < 1e-4) return "less than 0.01 %";
  return share < 0.1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", std::floor(100 * share));
}

std::string note_cell(const Row& row) {
  std::string cell;
  if (row.stage == Stage::provisional) cell = "p " + percent_cell(row.matured);
  for (const std::string& reason : row.incomplete) {
    if (reason == "start") continue;
    if (!cell.empty()) cell.push_back(' ');
    cell += printable(reason_mark(reason).mark);
  }
  return cell;
}

int decimals_worth(const MetricValue& metric) {
  if (metric.ci && metric.ci->second > metric.ci->first) {
    return decimals_for((metric.ci->second - metric.ci->first) / 2, significant_of_interval);
  }
  if (!metric.value || std::trunc(*metric.value) == *metric.value) return 0;
  return decimals_for(*metric.value, significant_of_value);
}

int decimals_least(double largest) {
  return largest > 0 ? decimals_for(largest, significant_at_least) : 0;
}

MetricCell metric_cell(const MetricValue& metric, int decimals, IntervalStyle style, int fewer) {
  if (!metric.value) return {"-", {}};
  MetricCell cell{number_text(*metric.value, decimals), {}};
  if (!metric.ci) return cell;
  const auto [low, high] = *metric.ci;
  cell.interval = style == IntervalStyle::half_width
                      ? "±" + number_text((high - low) / 2, std::max(decimals - fewer, 0))
                      : "[" + number_text(low, decimals) + " " + number_text(high, decimals) + "]";
  return cell;
}

}  // namespace recmeter
