#include "app/run/stamped_lines.h"

#include <cstddef>
#include <utility>

#include "recmeter/file/open_file.h"
#include "recmeter/file/record_sorter.h"

namespace recmeter {

namespace {

constexpr std::size_t line_bytes_max = std::size_t{256} << 20;  // a summary holds the configuration
constexpr std::size_t block_bytes = std::size_t{1} << 20;

// Of the block the lines of the part, with their times.
Result<void> add_block(RecordBatch& block, StampedLog& log, file::RecordSorter& sorter) {
  std::vector<Record> kept;
  std::vector<EventTime> times;
  for (std::size_t i = 0; i < block.records.size(); ++i) {
    const auto time = log.read(block.record(i));
    if (!time) return tl::unexpected(time.error());
    if (!*time) continue;
    kept.push_back(block.records[i]);
    times.push_back(**time);
  }
  block.records = std::move(kept);
  return sorter.add(block, times);
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
        return failure(added.error().code, added.error().context + ": " + path);
      }
    } while (!block.last);
  }
  if (auto finished = log.finish(); !finished) return tl::unexpected(std::move(finished).error());
  return (*sorter)->finish(*source);
}

}  // namespace recmeter
