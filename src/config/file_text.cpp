#include "config/file_text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace recmeter::config {

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
  constexpr std::size_t step_bytes = std::size_t{1} << 16;
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) {
    const Errc code = errno == ENOENT ? Errc::input_missing : Errc::input_unreadable;
    return failure(code, std::strerror(errno));
  }
  std::string text;
  while (text.size() < bytes_max) {
    const std::size_t before = text.size();
    const std::size_t wanted = std::min(step_bytes, bytes_max - before);
    text.resize(before + wanted);
    const std::size_t bytes = std::fread(text.data() + before, 1, wanted, file.get());
    text.resize(before + bytes);
    if (std::ferror(file.get()) != 0) return failure(Errc::input_unreadable, std::strerror(errno));
    if (bytes < wanted) break;
  }
  return text;
}

}  // namespace recmeter::config
