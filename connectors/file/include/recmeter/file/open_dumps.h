// open_dumps: what `kcat -J` wrote of topics, as the partitions that it was read from.
//
// Each line of a dump names its topic, partition, offset and broker time, and partitions follow one another as they were
// fetched. So dumps are gone through once, and the records of each partition are put together in a temporary file without a
// name, in $TMPDIR; it takes about the room of the dumps unpacked. A partition may be continued in the next dump.
//
// Records are the payloads, byte for byte, those that are no UTF-8 too. A payload that kcat's `-s` made a JSON value of is
// that value's text. Lines may be packed, and standard input, as in open_file.
//
// Errors: those of open_file, and input_corrupt where a line is none of `kcat -J`, or a partition's offsets do not rise;
// output_failed where the temporary file cannot be written.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/file/open_file.h"
#include "recmeter/port/record_source.h"

namespace recmeter::file {

struct Dump {
  std::string path;       // "-" is standard input
  std::size_t input = 0;  // whose: a topic belongs to one
};

struct OpenedDumps {
  std::vector<std::unique_ptr<RecordSource>> sources;  // by input, topic and partition; named "topic/partition"
  std::vector<std::size_t> input_of;                   // for each source
};

[[nodiscard]] Result<OpenedDumps> open_dumps(std::span<const Dump> dumps, const FileOptions& options);

}  // namespace recmeter::file
