#include "app/run/pinned_ends.h"

#include <string_view>

#include "config/file_text.h"
#include "recmeter/base/read_number.h"
#include "recmeter/file/atomic_file.h"

namespace recmeter {

namespace {

constexpr std::size_t bytes_max = std::size_t{64} << 20;

}  // namespace

Result<std::size_t> write_ends(const ReplayInputs& inputs, const std::string& path) {
  std::string text;
  std::size_t partitions = 0;
  for (const PartitionInput& partition : inputs.partitions) {
    const auto end = partition.source->end_offset();
    if (!end) continue;
    text += std::string(partition.source->name()) + "\t" + std::to_string(partition.source->next_offset()) + "\t" +
            std::to_string(*end) + "\n";
    ++partitions;
  }
  if (partitions == 0) {
    return failure(Errc::config_invalid, "--pin: no topic is read, and files have the end that they have; run without --pin");
  }
  auto file = file::AtomicFile::create(path);
  if (!file) return tl::unexpected(std::move(file).error());
  auto written = (*file)->write(text);
  if (written) written = (*file)->commit();
  if (!written) return tl::unexpected(std::move(written).error());
  return partitions;
}

Result<PinnedEnds> read_ends(const std::string& path) {
  PinnedEnds ends;
  if (path.empty()) return ends;
  const auto text = config::read_file(path, bytes_max);
  if (!text)
    return failure(text.error().code, "--ends: " + path + ": " + text.error().context + "; write it by replay --pin");
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t second = std::min(line.rfind('\t'), line.size());
    const std::size_t first = std::min(line.substr(0, second).rfind('\t'), second);
    const auto begin =
        read_number<std::int64_t>(line.substr(std::min(first + 1, second), second - std::min(first + 1, second)));
    const auto end = read_number<std::int64_t>(line.substr(std::min(second + 1, line.size())));
    const bool is_line = first > 0 && begin && end && 0 <= *begin && *begin <= *end;
    if (is_line && ends.try_emplace(std::string(line.substr(0, first)), PinnedRange{*begin, *end}).second) continue;
    return failure(Errc::config_invalid, path + ": not a file of replay --pin; pin the ends again");
  }
  if (ends.empty()) return failure(Errc::config_invalid, path + ": pins nothing; pin the ends again");
  return ends;
}

}  // namespace recmeter
