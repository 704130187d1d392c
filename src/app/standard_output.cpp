#include "app/standard_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

#include "app/messages.h"

namespace recmeter {

ExitCode print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written)
    complain({Errc::output_failed, "standard output cannot be written: the disk is full, or what reads it has ended"});
  return written ? ExitCode::ok : ExitCode::failed;
}

std::size_t table_width(bool to_file) {
  constexpr std::size_t columns_max = 10'000;
  if (const char* text = std::getenv("COLUMNS")) {
    const std::string_view digits(text);
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    if (error == std::errc{} && end == digits.data() + digits.size() && columns > 0 && columns <= columns_max) return columns;
  }
  winsize size{};
  if (!to_file && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 0;
}

}  // namespace recmeter
