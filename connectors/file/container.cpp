#include "recmeter/file/container.h"

#include <fmt/format.h>

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
std::size_t columns_of(std::string_view row, char delimiter, const ContainerForm& said) {
  const char quote = delimiter == '\t' ? '\0' : said.quote.value_or('"');
  std::size_t columns = 1;
  bool is_quoted = false, is_escaped = false;
  for (const char c : row) {
    if (std::exchange(is_escaped, false)) continue;
    is_escaped = said.escape != '\0' && c == said.escape;
    if (c == quote && quote != '\0') is_quoted = !is_quoted;
    if (c == delimiter && !is_quoted) ++columns;
  }
  return columns;
}

bool is_most(std::size_t part, std::size_t whole) {
  return 2 * part > whole;
}

bool is_comment(std::string_view line, const ContainerForm& said) {
  return said.comment != '\0' && line.starts_with(said.comment);
}

// Without what is said to stand before the first record.
std::string_view without_head(std::string_view start, const ContainerForm& said) {
  if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
  for (std::size_t passed = 0; passed < said.skip || is_comment(start, said); ++passed) {
    const std::size_t end = start.find('\n');
    if (end == std::string_view::npos) return {};
    start.remove_prefix(end + 1);
  }
  return start;
}

// Where the first line ends, past line ends that are literal; npos: it has no end.
std::size_t line_end(std::string_view start, const ContainerForm& said) {
  std::size_t end = start.find('\n');
  const auto is_literal = [&](std::size_t at) {
    std::size_t escapes = 0;
    while (escapes < at && start[at - 1 - escapes] == said.escape) ++escapes;
    return escapes % 2 == 1;
  };
  while (said.escape != '\0' && end != std::string_view::npos && is_literal(end)) end = start.find('\n', end + 1);
  return end;
}

// Lines that are not blank and no comments, up to 100.
struct FirstLines {
  std::vector<std::string_view> lines;
  bool is_cut = false;  // the only one, which is longer than what is looked at
};

FirstLines first_lines(std::string_view start, bool is_whole, const ContainerForm& said) {
  FirstLines first;
  while (!start.empty() && first.lines.size() < lines_looked_at) {
    const std::size_t end = line_end(start, said);
    first.is_cut = end == std::string_view::npos && !is_whole;
    if (first.is_cut && !first.lines.empty()) break;
    const std::string_view line = start.substr(0, end);
    const bool is_record = line.find_first_not_of(blanks) != std::string_view::npos && !is_comment(line, said);
    if (is_record) first.lines.push_back(line);
    start.remove_prefix(end == std::string_view::npos ? start.size() : end + 1);
  }
  first.is_cut = first.is_cut && first.lines.size() == 1;
  return first;
}

char first_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(blanks);
  return at == std::string_view::npos ? '\0' : line[at];
}
char last_of(std::string_view line) {
  const std::size_t at = line.find_last_not_of(blanks);
  return at == std::string_view::npos ? '\0' : line[at];
}

// The beginning of an object, and of none of the texts in braces that databases write: {a,b}.
bool begins_object(std::string_view line) {
  if (first_of(line) != '{') return false;
  const char next = first_of(line.substr(line.find('{') + 1));
  return next == '\0' || next == '"' || next == '\'' || next == '}';
}
bool is_object(std::string_view line) {
  return begins_object(line) && last_of(line) == '}';
}
bool is_array(std::string_view line) {
  return first_of(line) == '[' && last_of(line) == ']';
}

// One that goes on in the next line. A line that is cut is followed by a record, a document by what is in it.
bool begins_document(std::string_view start) {
  const std::size_t first = start.find_first_not_of(blanks);
  if (first == std::string_view::npos) return false;
  start.remove_prefix(first);
  const std::size_t end = start.find('\n');
  if (end == std::string_view::npos || end + 1 == start.size()) return false;
  const std::string_view line = start.substr(0, end);
  return begins_object(line) && last_of(line) != '}' &&
         std::string_view(" \t\r\n\"").find(start[end + 1]) != std::string_view::npos;
}

// An array of objects or arrays, an empty one, or one whose bracket stands alone; `[time],[user]` may be names of columns.
bool begins_array(std::string_view start) {
  if (first_of(start) != '[') return false;
  const std::string_view rest = start.substr(start.find('[') + 1);
  const std::string_view line = rest.substr(0, rest.find('\n'));
  const char next = first_of(rest);
  return next == '{' || next == '[' || next == ']' || line.find_first_not_of(blanks) == std::string_view::npos;
}

// Tells whether another object begins behind the first one; false where the text is no object.
bool has_several_objects(std::string_view text) {
  std::size_t depth = 0;
  bool is_string = false, is_escaped = false, has_ended = false;
  for (const char c : text) {
    if (std::exchange(is_escaped, false)) continue;
    if (is_string) {
      is_escaped = c == '\\';
      is_string = c != '"';
    } else if (has_ended && depth == 0) {
      if (c == '{') return true;
      if (c != ',' && blanks.find(c) == std::string_view::npos) return false;
    } else if (c == '"') {
      is_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      depth -= depth > 0 ? 1U : 0U;
      has_ended = depth == 0;
    }
  }
  return false;
}

struct RowsFit {
  char delimiter = ',';
  std::size_t columns = 0;
  std::size_t lines = 0;  // with so many
};

// Nothing: it does not cut most of them into the same number of columns, two or more.
std::optional<RowsFit> rows_by(char delimiter, const std::vector<std::string_view>& lines, const ContainerForm& said) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::string_view line : lines) {
    // Commas stand in JSON, too; tabs hardly.
    if (delimiter == '\t' || !(begins_object(line) || is_array(line))) ++counts[columns_of(line, delimiter, said)];
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  if (most == counts.end() || most->first < 2 || !is_most(most->second, lines.size())) return std::nullopt;
  return RowsFit{.delimiter = delimiter, .columns = most->first, .lines = most->second};
}

std::optional<RowsFit> find_rows(const std::vector<std::string_view>& lines, const ContainerForm& said) {
  if (said.delimiter) return rows_by(*said.delimiter, lines, said);
  std::optional<RowsFit> best;
  std::pair<bool, std::size_t> best_fit{false, 1};  // whether it cuts the first line, too, which may be a header; columns
  for (const char delimiter : {'\t', ',', ';', '|'}) {
    const auto rows = rows_by(delimiter, lines, said);
    if (!rows) continue;
    const std::pair fit(columns_of(lines.front(), delimiter, said) == rows->columns, rows->columns);
    if (fit <= best_fit) continue;
    best = rows;
    best_fit = fit;
  }
  return best;
}

std::string delimiter_text(char delimiter) {
  return delimiter == '\t' ? "a tab" : fmt::format("`{}`", delimiter);
}

FoundContainer found_rows(const RowsFit& rows, std::size_t lines) {
  return {.container = Container::rows,
          .delimiter = rows.delimiter,
          .why = fmt::format("{} cuts {} of its first {} lines into {} columns", delimiter_text(rows.delimiter), rows.lines,
                             lines, rows.columns)};
}

// The format that the name says: log.csv.gz, shown.jsonl-20260302. The last word that is a format counts.
std::optional<FoundContainer> named(std::string_view name) {
  name = name.substr(name.find_last_of('/') + 1);
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos; dot = name.substr(0, dot).rfind('.')) {
    std::string word;
    for (char c : name.substr(dot + 1)) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      if (c < 'a' || c > 'z') break;
      word += c;
    }
    const std::string why = fmt::format("its name has .{}, and no format fits most of its first lines", word);
    if (word == "jsonl" || word == "ndjson") return FoundContainer{.container = Container::lines, .why = why};
    if (word == "csv") return FoundContainer{.container = Container::rows, .delimiter = ',', .why = why};
    if (word == "tsv" || word == "tab") return FoundContainer{.container = Container::rows, .delimiter = '\t', .why = why};
  }
  return std::nullopt;
}

}  // namespace

std::string_view header_of(std::string_view start, const ContainerForm& said) {
  const bool is_whole = start.size() < container_bytes;
  const auto [lines, is_cut] = first_lines(without_head(start, said), is_whole, said);
  if (lines.empty() || is_cut) return {};
  std::string_view line = lines.front();
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::optional<char> recognise_delimiter(std::string_view start, const ContainerForm& said) {
  const bool is_whole = start.size() < container_bytes;
  const auto rows = find_rows(first_lines(without_head(start, said), is_whole, said).lines, said);
  return rows ? std::optional(rows->delimiter) : std::nullopt;
}

FoundContainer recognise_container(std::string_view start, std::string_view name, const ContainerForm& said) {
  if (start.starts_with(avro_magic)) return {.container = Container::avro, .why = "it begins with the magic bytes of Avro"};
  if (!said.records.empty()) return {.container = Container::array, .why = "`records` names an array in it"};
  const bool is_whole = start.size() < container_bytes;
  start = without_head(start, said);
  const auto [lines, is_cut] = first_lines(start, is_whole, said);
  const auto by_name = named(name);
  if (by_name && by_name->delimiter == '\t') {
    if (const auto rows = rows_by('\t', lines, said)) return found_rows(*rows, lines.size());
  }
  const auto with_several = static_cast<std::size_t>(
      std::ranges::count_if(lines, [](std::string_view line) { return begins_object(line) && has_several_objects(line); }));
  if (is_most(with_several, lines.size())) {
    return {.container = Container::objects,
            .why = fmt::format("{} of its first {} lines are several JSON objects", with_several, lines.size())};
  }
  const auto objects = static_cast<std::size_t>(std::ranges::count_if(lines, is_cut ? begins_object : is_object));
  if (is_most(objects, lines.size())) {
    return {.container = Container::lines,
            .why = fmt::format("{} of its first {} lines are JSON objects", objects, lines.size())};
  }
  if (begins_array(start)) return {.container = Container::array, .why = "it begins with `[`"};
  if (begins_document(start) && has_several_objects(start)) {
    return {.container = Container::objects,
            .why = "it begins with an object that goes on in the next line, and another one follows"};
  }
  if (begins_document(start)) {
    return {.container = Container::array, .why = "it begins with an object that goes on in the next line"};
  }
  if (const auto rows = find_rows(lines, said)) return found_rows(*rows, lines.size());
  if (by_name) return *by_name;
  if (first_of(start) == '[') return {.container = Container::array, .why = "it begins with `[`"};
  return {.container = Container::lines, .why = "no format fits most of its first lines"};
}

std::string format_text(const FoundContainer& found) {
  switch (found.container) {
    case Container::lines: return "JSON lines";
    case Container::array: return "a JSON array";
    case Container::objects: return "JSON objects one behind the other";
    case Container::rows: {
      const char delimiter = found.delimiter.value_or(',');
      return delimiter == '\t' ? "TSV" : delimiter == ',' ? "CSV" : fmt::format("CSV with `{}`", delimiter);
    }
    case Container::avro: return "Avro";
  }
  return {};
}

}  // namespace recmeter::file
