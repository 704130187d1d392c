#include "app/console/standard_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "app/console/messages.h"
#include "app/console/report_error.h"
#include "recmeter/base/read_number.h"

namespace recmeter {

Result<void> write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
  if (errno == EPIPE) return tl::unexpected(reader_gone());
  return failure(Errc::output_failed, "standard output cannot be written: " + std::generic_category().message(errno) +
                                          "; free some space, or write elsewhere");
}

ExitCode print(std::string_view text) {
  const auto written = write_out(text);
  return written ? ExitCode::ok : report_error(written.error());
}

std::size_t table_width(bool to_file) {
  constexpr std::size_t columns_max = 10'000;
  if (const char* text = std::getenv("COLUMNS")) {
    const auto columns = read_number<std::size_t>(text);
    if (columns && *columns > 0 && *columns <= columns_max) return *columns;
  }
  winsize size{};
  if (!to_file && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 0;
}

}  // namespace recmeter
