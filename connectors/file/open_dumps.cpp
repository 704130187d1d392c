#include "recmeter/file/open_dumps.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

#include "file/dump_line.h"
#include "file/dump_partition.h"
#include "file/scratch_file.h"

namespace recmeter::file {

namespace {

constexpr std::size_t block_bytes = 512 << 10;

// A line that holds a message of this size, each byte of it escaped, and beside it a key and headers.
std::size_t line_bytes_max(std::size_t message_bytes_max) {
  return 6 * message_bytes_max + (std::size_t{16} << 20);
}

// What lines have said so far.
class Splitter {
 public:
  Splitter(std::shared_ptr<ScratchFile> scratch, const FileOptions& options)
      : scratch_(std::move(scratch)), options_(options) {}

  Result<void> read(const Dump& dump);
  Result<OpenedDumps> finish();

 private:
  using Key = std::tuple<std::size_t, std::string, std::int32_t>;  // input, topic, partition

  Result<void> add(const Dump& dump, std::uint64_t record, std::string_view line);

  std::shared_ptr<ScratchFile> scratch_;
  const FileOptions& options_;
  std::map<Key, DumpPartition> partitions_;
  std::map<std::string, std::size_t> input_of_;  // by topic
  DumpLine line_;
};

Result<void> Splitter::read(const Dump& dump) {
  FileOptions lines = options_;
  lines.message_bytes_max = line_bytes_max(options_.message_bytes_max);
  auto source = open_file(dump.path, lines);
  if (!source) return tl::unexpected(std::move(source).error());
  std::uint64_t record = 0;
  RecordBatch batch;
  do {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      return failure(Errc::interrupted, "interrupted while the dump was split: " + dump.path);
    }
    auto read = (*source)->read(block_bytes, std::move(batch));
    if (!read) return tl::unexpected(std::move(read).error());
    batch = std::move(*read);
    for (std::size_t i = 0; i < batch.records.size(); ++i) {
      if (auto added = add(dump, ++record, batch.record(i)); !added) return added;
    }
  } while (!batch.last);
  return {};
}

Result<void> Splitter::add(const Dump& dump, std::uint64_t record, std::string_view line) {
  const auto wrong = [&](std::string_view cause, std::string_view remedy) {
    return failure(Errc::input_corrupt, fmt::format("line {} of {}: {}; {}", record, dump.path, cause, remedy));
  };
  if (const std::string_view cause = read_dump_line(line, options_.message_bytes_max, line_); !cause.empty()) {
    return wrong(fmt::format("not what `kcat -J` writes: {}", cause),
                 "make the dump with kcat -C -J, remove a line that was cut off, or set `format: jsonl` for plain events");
  }
  const auto [owner, is_new] = input_of_.try_emplace(line_.topic, dump.input);
  if (owner->second != dump.input) {
    return wrong(fmt::format("topic {} stands in the dumps of two inputs", line_.topic), "name both dumps in one input");
  }
  DumpPartition& partition =
      partitions_.try_emplace(Key{dump.input, line_.topic, line_.partition}, line_.offset).first->second;
  if (line_.offset < partition.next_offset()) {
    return wrong(fmt::format("offset {} of {}/{} comes after offset {}", line_.offset, line_.topic, line_.partition,
                             partition.next_offset() - 1),
                 "name each dump once and in the order of their offsets");
  }
  return partition.add(line_, *scratch_);
}

Result<OpenedDumps> Splitter::finish() {
  OpenedDumps opened;
  for (auto& [key, partition] : partitions_) {
    if (auto done = partition.finish(*scratch_); !done) return tl::unexpected(std::move(done).error());
    const auto& [input, topic, number] = key;
    opened.sources.push_back(
        std::make_unique<DumpSource>(fmt::format("{}/{}", topic, number), std::move(partition), scratch_));
    opened.input_of.push_back(input);
  }
  return opened;
}

}  // namespace

Result<OpenedDumps> open_dumps(std::span<const Dump> dumps, const FileOptions& options) {
  if (dumps.empty()) return OpenedDumps{};
  auto scratch = ScratchFile::create("set TMPDIR to a directory with room for the unpacked dump");
  if (!scratch) return tl::unexpected(std::move(scratch).error());
  Splitter splitter(std::move(*scratch), options);
  for (const Dump& dump : dumps) {
    if (auto read = splitter.read(dump); !read) return tl::unexpected(std::move(read).error());
  }
  return splitter.finish();
}

}  // namespace recmeter::file
