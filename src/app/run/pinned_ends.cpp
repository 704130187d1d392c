#include "app/run/pinned_ends.h"

#include <string_view>

#include "config/file_text.h"
#include "recmeter/base/read_number.h"
#include "recmeter/file/atomic_file.h"

namespace recmeter {

namespace {

constexpr std::size_t bytes_max = std::size_t{64} << 20;

}  // namespace

Result<void> write_ends(const ReplayInputs& inputs, const std::string& path) {
  std::string text;
  for (const PartitionInput& partition : inputs.partitions) {
    const auto end = partition.source->end_offset();
    if (end) text += std::string(partition.source->name()) + "\t" + std::to_string(*end) + "\n";
  }
  if (text.empty()) return failure(Errc::config_invalid, "--pin: no topic is read; files have the end that they have");
  auto file = file::AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file).error());
  if (auto written = (*file)->write(text); !written) return written;
  return (*file)->commit();
}

Result<PinnedEnds> read_ends(const std::string& path) {
  PinnedEnds ends;
  if (path.empty()) return ends;
  const auto text = config::read_file(path, bytes_max);
  if (!text) return failure(text.error().code, path + ": " + text.error().context);
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t tab = std::min(line.find('\t'), line.size());
    const std::string_view digits = line.substr(std::min(tab + 1, line.size()));
    const auto end = read_number<std::int64_t>(digits);
    const bool is_line = tab > 0 && end && *end >= 0;
    if (is_line && ends.try_emplace(std::string(line.substr(0, tab)), *end).second) continue;
    return failure(Errc::config_invalid, path + ": not a file of replay --pin; pin the ends again");
  }
  if (ends.empty()) return failure(Errc::config_invalid, path + ": pins nothing; pin the ends again");
  return ends;
}

}  // namespace recmeter
