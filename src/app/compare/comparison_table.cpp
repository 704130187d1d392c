#include "app/compare/comparison_table.h"

#include <fmt/format.h>
#include <algorithm>

namespace recmeter {

namespace {

// Characters of UTF-8, not bytes.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::string with_minus(std::string number) {
  if (number.front() == '-') number.replace(0, 1, "−");
  return number;
}

}  // namespace

std::string ComparisonTable::text() const {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(i + 1 < row.size() ? widths[i] - width_of(row[i]) + 2 : 0, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string ComparisonTable::markdown() const {
  std::string out;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    for (const std::string& cell : rows[at]) {
      out += "| ";
      for (const char c : cell) out += c == '|' ? std::string("\\|") : std::string(1, c);
      out += ' ';
    }
    out += "|\n";
    for (std::size_t i = 0; at == 0 && i < rows[at].size(); ++i) out += "|---";
    if (at == 0) out += "|\n";
  }
  return out;
}

std::string signed_text(double value, bool is_share) {
  return with_minus(is_share ? fmt::format("{:+.1f} %", 100 * value) : fmt::format("{:+.3g}", value));
}

std::string rough_range_text(const Interval& range, std::string_view between) {
  return fmt::format("{} {} {}", with_minus(fmt::format("{:+.2g}", range.first)), between,
                     with_minus(fmt::format("{:+.2g}", range.second)));
}

std::string range_text(const std::optional<Interval>& range, bool is_share, std::string_view between) {
  if (!range) return "too wide to say";
  return fmt::format("{} {} {}", signed_text(range->first, is_share), between, signed_text(range->second, is_share));
}

std::string value_text(std::optional<double> value) {
  return value ? fmt::format("{:.4g}", *value) : "no list";
}

std::string p_text(double p) {
  constexpr double least = 0.001;
  return p < least ? "< 0.001" : fmt::format("{:.3f}", p);
}

std::string many_text(std::size_t differences) {
  if (differences < 2) return "";
  return fmt::format(
      "These are {} differences at once, each by itself: of 20 between equals one seems decided. Go by the one that you "
      "chose "
      "before you looked.\n",
      differences);
}

}  // namespace recmeter
