#include "docs/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace recmeter::docs {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

bool is_fence(std::string_view line) {
  return line.starts_with("```");
}
bool is_heading(std::string_view line) {
  return line.starts_with("#");
}
std::string heading_text(std::string_view line) {
  return trimmed(line.substr(line.find_first_not_of('#')));
}

// Cells between the bars; `\|` does not divide.
std::vector<std::string> cells(std::string_view line) {
  std::vector<std::string> out;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '|' || line[i - 1] == '\\') {
      cell.push_back(line[i]);
      continue;
    }
    out.push_back(trimmed(cell));
    cell.clear();
  }
  return out;
}

}  // namespace

Page::Page(const std::string& path) {
  std::ifstream file(std::string(RECMETER_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file.is_open()) << path;
  for (std::string line; std::getline(file, line);) lines_.push_back(line);
}

std::vector<std::string> Page::headings() const {
  std::vector<std::string> out;
  bool fenced = false;
  for (const std::string& line : lines_) {
    fenced = fenced != is_fence(line);
    if (!fenced && is_heading(line)) out.push_back(heading_text(line));
  }
  return out;
}

std::vector<std::vector<std::string>> Page::table_rows(std::string_view section) const {
  std::vector<std::vector<std::string>> out;
  bool inside = false;
  int line_of_table = 0;
  for (const std::string& line : lines_) {
    if (is_heading(line)) inside = heading_text(line) == section;
    line_of_table = line.starts_with("|") ? line_of_table + 1 : 0;
    if (inside && line_of_table > 2) out.push_back(cells(line));
  }
  return out;
}

bool Page::has_line(std::string_view line) const {
  return std::find(lines_.begin(), lines_.end(), line) != lines_.end();
}

std::vector<std::string> Page::blocks(std::string_view language) const {
  std::vector<std::string> out;
  bool fenced = false;
  bool wanted = false;
  for (const std::string& line : lines_) {
    if (is_fence(line)) {
      fenced = !fenced;
      wanted = fenced && line.substr(3) == language;
      if (wanted) out.emplace_back();
    } else if (wanted) {
      out.back() += line + "\n";
    }
  }
  return out;
}

std::vector<std::string> code_spans(std::string_view cell) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t first = cell.find('`');
    const std::size_t last = first == std::string_view::npos ? first : cell.find('`', first + 1);
    if (last == std::string_view::npos) return out;
    out.emplace_back(cell.substr(first + 1, last - first - 1));
    cell.remove_prefix(last + 1);
  }
}

}  // namespace recmeter::docs
