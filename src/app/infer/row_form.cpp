#include "app/infer/row_form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/infer/yaml_text.h"
#include "recmeter/event/row_reader.h"

namespace recmeter {
namespace {

constexpr char comment_mark = '#';
constexpr char escape_mark = '\\';
constexpr std::size_t head_lines_max = 20;

struct Line {
  std::size_t number;  // from 1
  std::string_view text;
};

// Those that are not blank.
std::vector<Line> lines_of(std::string_view start, std::size_t first_line) {
  std::vector<Line> lines;
  for (std::size_t number = first_line; !start.empty(); ++number) {
    const std::size_t end = std::min(start.find('\n'), start.size());
    std::string_view text = start.substr(0, end);
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.find_first_not_of(" \t") != std::string_view::npos) lines.push_back({number, text});
    start.remove_prefix(std::min(end + 1, start.size()));
  }
  return lines;
}

bool is_comment(const Line& line) {
  return line.text.starts_with(comment_mark);
}

// Excel's first line, `sep=;`.
char separator_in(std::string_view line) {
  if (line.size() > 2 && line.starts_with('"') && line.ends_with('"')) line = line.substr(1, line.size() - 2);
  const bool is_it = line.size() == 5 && std::ranges::equal(line.substr(0, 4), std::string_view("sep="), [](char c, char of) {
                       return std::tolower(static_cast<unsigned char>(c)) == of;
                     });
  return is_it ? line.back() : '\0';
}

std::vector<std::string> cells_by(const Line& line, char delimiter) {
  return cells_of(line.text, {.text = {}, .delimiter = delimiter}).value_or(std::vector<std::string>());
}

bool has_number(const std::vector<std::string>& cells) {
  return std::ranges::any_of(cells, [](const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789.-") == std::string::npos;
  });
}

// Tells whether a line has names for the values of another, as many. `rows`: from the line on.
bool names_columns(const Line& line, const Line& row, std::string_view rows) {
  const char delimiter = file::recognise_delimiter(rows, {}).value_or(',');
  const auto names = cells_by(line, delimiter), values = cells_by(row, delimiter);
  return names.size() > 1 && names.size() == values.size() && has_number(values) && !has_number(names);
}

std::string_view from_line(const Line& line, std::string_view start) {
  return start.substr(static_cast<std::size_t>(line.text.data() - start.data()));
}

// A line of names behind others that are none; nothing where the first has names.
std::optional<std::size_t> lines_before_header(const std::vector<Line>& lines, std::string_view start) {
  for (std::size_t i = 0; i + 1 < lines.size() && i < head_lines_max; ++i) {
    if (!names_columns(lines[i], lines.back(), from_line(lines[i], start))) continue;
    return i == 0 ? std::nullopt : std::optional(lines[i].number - 1);
  }
  return std::nullopt;
}

}  // namespace

file::ContainerForm container_form(const RowForm& form) {
  file::ContainerForm container;
  if (form.delimiter != '\0') container.delimiter = form.delimiter;
  container.escape = form.escape;
  container.comment = form.comment;
  container.skip = form.skip;
  return container;
}

RowForm form_of_head(std::string_view start, std::size_t first_line) {
  const std::vector<Line> lines = lines_of(start, first_line);
  RowForm form;
  if (lines.empty()) return form;
  if (const char separator = separator_in(lines.front().text); separator != '\0') {
    form.skip = lines.front().number;
    form.delimiter = separator;
    return form;
  }
  const auto row = std::ranges::find_if_not(lines, is_comment);
  if (row == lines.begin() || row == lines.end()) return form;
  const Line& last = *(row - 1);
  if (names_columns(last, *row, from_line(last, start))) {
    form.skip = row - lines.begin() > 1 ? last.number - 1 : 0;
  } else {
    form.comment = comment_mark;
  }
  return form;
}

std::vector<RowForm> other_forms(const RowForm& form, std::string_view start, std::size_t first_line) {
  std::vector<RowForm> forms;
  const auto add = [&](auto RowForm::* what, auto value) {
    RowForm other = form;
    other.*what = value;
    forms.push_back(other);
  };
  const auto delimiter = file::recognise_delimiter(start, container_form(form));
  const auto is_escaped = [&](char c) { return start.find(std::string{escape_mark, c}) != std::string_view::npos; };
  if (is_escaped('"') || is_escaped('\n') || (delimiter && is_escaped(*delimiter))) add(&RowForm::escape, escape_mark);
  if (form.comment == '\0' && start.find("\n#") != std::string_view::npos) add(&RowForm::comment, comment_mark);
  if (form.skip > 0 || form.comment != '\0') return forms;
  if (const auto skip = lines_before_header(lines_of(start, first_line), start)) add(&RowForm::skip, *skip);
  return forms;
}

std::string csv_text(const RowForm& form, bool has_header, bool has_commas) {
  std::vector<std::string> keys;
  const auto add = [&keys](std::string_view key, const std::string& value) {
    keys.push_back(fmt::format("{}: {}", key, value));
  };
  const auto add_mark = [&add](std::string_view key, char mark) {
    if (mark != '\0') add(key, mark == '\t' ? "tab" : yaml_text({&mark, 1}));
  };
  if (form.skip > 0) add("skip", std::to_string(form.skip));
  add_mark("delimiter", form.delimiter);
  add_mark("comment", form.comment);
  add_mark("escape", form.escape);
  if (has_commas) add_mark("decimal", ',');
  if (!has_header) add("header", "false");
  return keys.empty() ? "" : fmt::format("csv: {{{}}}", fmt::join(keys, ", "));
}

}  // namespace recmeter
