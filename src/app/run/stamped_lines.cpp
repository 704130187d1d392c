#include "app/run/stamped_lines.h"

#include <cstddef>
#include <string>
#include <utility>

#include "recmeter/file/open_file.h"
#include "recmeter/file/record_sorter.h"

namespace recmeter {

namespace {

constexpr std::size_t line_bytes_max = std::size_t{256} << 20;  // a summary holds the configuration
constexpr std::size_t block_bytes = std::size_t{1} << 20;

// Of the block's lines what those of the part hold.
Result<void> add_block(const RecordBatch& lines, StampedLog& log, file::RecordSorter& sorter) {
  std::string record;
  for (std::size_t i = 0; i < lines.records.size(); ++i) {
    const auto is_of_part = log.read(lines.record(i), record);
    if (!is_of_part) return tl::unexpected(is_of_part.error());
    if (!*is_of_part) continue;
    if (auto added = sorter.add(record, StampedLog::time_of(record)); !added) return added;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<RecordSource>> read_stamped(const std::vector<std::string>& paths, StampedLog& log,
                                                   const file::SortSpace& space, const std::atomic<bool>& stop) {
  auto sorter = file::RecordSorter::create(space, 1);
  if (!sorter) return tl::unexpected(std::move(sorter).error());
  std::unique_ptr<RecordSource> source;
  for (const std::string& path : paths) {
    auto opened = file::open_file(path, {.message_bytes_max = line_bytes_max, .stop = &stop});
    if (!opened) return tl::unexpected(std::move(opened).error());
    source = std::move(*opened);
    RecordBatch block;
    do {
      if (stop) return failure(Errc::interrupted, "interrupted while stamped lines were read: " + path);
      auto read = source->read(block_bytes, std::move(block));
      if (!read) return tl::unexpected(std::move(read).error());
      block = std::move(*read);
      if (auto added = add_block(block, log, **sorter); !added) {
        return failure(added.error().code, path + ": " + added.error().context);
      }
    } while (!block.last);
  }
  if (auto finished = log.finish(); !finished) return tl::unexpected(std::move(finished).error());
  return (*sorter)->finish(*source);
}

}  // namespace recmeter
