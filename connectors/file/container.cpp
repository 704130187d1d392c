#include "recmeter/file/container.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "file/record_cutter.h"

namespace recmeter::file {
namespace {

constexpr std::size_t lines_looked_at = 100;
constexpr std::string_view avro_magic("Obj\x01", 4);
constexpr std::string_view blanks = " \t\r\n";

// The columns of a row; TSV has no quotes. Line ends within quotes are rare enough at the beginning of a file to be left out
// of account.
std::size_t columns_of(std::string_view row, char delimiter, char quote) {
  std::size_t columns = 1;
  bool is_quoted = false;
  for (const char c : row) {
    if (c == quote && quote != '\0' && delimiter != '\t') is_quoted = !is_quoted;
    if (c == delimiter && !is_quoted) ++columns;
  }
  return columns;
}

// The first lines, without the last where it may be cut.
std::vector<std::string_view> first_lines(std::string_view start) {
  std::vector<std::string_view> lines;
  while (!start.empty() && lines.size() < lines_looked_at) {
    const std::size_t end = start.find('\n');
    if (end == std::string_view::npos && !lines.empty()) break;
    const std::string_view line = start.substr(0, end);
    if (line.find_first_not_of(blanks) != std::string_view::npos) lines.push_back(line);
    start.remove_prefix(end == std::string_view::npos ? start.size() : end + 1);
  }
  return lines;
}

}  // namespace

std::optional<char> recognise_delimiter(std::string_view start, char quote) {
  const auto lines = first_lines(start);
  std::optional<char> best;
  std::pair<bool, std::size_t> best_fit{false, 1};  // whether it cuts the first line, too, which may be a header; columns
  for (const char delimiter : {'\t', ',', ';', '|'}) {
    std::map<std::size_t, std::size_t> counts;
    for (const std::string_view line : lines) ++counts[columns_of(line, delimiter, quote)];
    const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    if (most == counts.end() || most->first < 2 || most->second * 2 <= lines.size()) continue;
    const std::pair fit(columns_of(lines.front(), delimiter, quote) == most->first, most->first);
    if (fit <= best_fit) continue;
    best = delimiter;
    best_fit = fit;
  }
  return best;
}

Container recognise_container(std::string_view start) {
  if (start.starts_with(avro_magic)) return Container::avro;
  if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  const std::size_t first = start.find_first_not_of(blanks);
  if (first == std::string_view::npos) return Container::lines;
  start.remove_prefix(first);
  if (start.front() == '[') return Container::array;
  if (start.front() == '{') {
    const std::size_t end = start.find('\n');
    const std::size_t last = start.substr(0, end).find_last_not_of(" \t\r");
    const bool is_open = end != std::string_view::npos && start[last] != '}' && end + 1 < start.size();
    // A line that is cut is followed by a record, a document by what is in it.
    return is_open && std::string_view(" \t\r\n\"").find(start[end + 1]) != std::string_view::npos ? Container::array
                                                                                                   : Container::lines;
  }
  return recognise_delimiter(start, '"') ? Container::rows : Container::lines;
}

}  // namespace recmeter::file
