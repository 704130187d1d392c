#include "app/commands/row_output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "app/console/messages.h"
#include "app/console/standard_output.h"

namespace recmeter {

RowFormat row_format(const std::string& output, const std::string& format) {
  if (format == "csv") return RowFormat::csv;
  if (format == "jsonl") return RowFormat::jsonl;
  const bool to_terminal = is_standard_output(output) && isatty(STDOUT_FILENO) == 1;
  return format == "table" || to_terminal ? RowFormat::table : RowFormat::jsonl;
}

bool is_dumb_terminal() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

// https://no-color.org: set and not empty.
bool colors_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && !is_dumb_terminal();
}

void tell_form(const std::string& output, const std::string& format) {
  struct stat facts{};
  const bool is_pipe = is_standard_output(output) && fstat(STDOUT_FILENO, &facts) == 0 && S_ISFIFO(facts.st_mode);
  if (!is_pipe || !format.empty()) return;
  say(Notice::rows_are_json,
      "rows are JSON lines, since they go into a pipe; --format table makes a table, --format jsonl says nothing");
}

std::size_t first_table_width(const std::string& output) {
  constexpr std::size_t width_of_page = 100;
  const std::size_t width = table_width(!is_standard_output(output));
  return width > 0 ? width : width_of_page;
}

Result<std::unique_ptr<RowWriter>> open_rows(const std::string& output, const std::string& format, bool all) {
  const bool to_file = !is_standard_output(output);
  const bool to_terminal = !to_file && isatty(STDOUT_FILENO) == 1;
  return RowWriter::create(output, row_format(output, format), table_width(to_file), to_terminal && colors_wanted(),
                           to_terminal && !all ? windows_on_terminal : 0);
}

}  // namespace recmeter
