// open_file: a file, a pipe or standard input as a RecordSource, whatever it is packed in.
//
// Packing is told by the first bytes, never by the name: plain, gzip (several members), zstd (several frames, windows up to
// 128 MiB). Formats and encodings that are known and not read (xz, zip, Excel, tar, ORC, UTF-16,
// Latin-1 ...) are refused with the command that converts them.
//
// Records are lines, unless it is opened as a log in another container. Invariants, besides those of RecordBatch:
//   (1) the records do not depend on the sizes asked for, nor on suspensions;
//   (2) a line ends at LF or at the end of the file; a CR before that is no part of it;
//   (3) lines of spaces, tabs and CR only are blank; a UTF-8 byte-order mark at the very start is skipped;
//   (4) memory is bounded by the longest record, the size asked for and the packing, never by the file or its lines;
//   (5) bytes_read() never falls, short of an error, and what it counts is the stored form.
//
// A file by its path starts and ends closed: a thousand may be made, and only those between a read and a suspend hold a
// descriptor. After suspend() a plain file goes on at its place; a packed one is unpacked again from its start, which costs
// the time of all that went before. Pipes and standard input stay open.
//
// Errors (`read` and `open_file`): input_missing; input_unreadable (permission, a directory, an I/O error, a file that was
// replaced or became shorter meanwhile); input_corrupt (damaged, ends early, followed by something else; the records before
// the damage may or may not have been handed out); interrupted (`stop`). After an error the source is at its end.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/file/container.h"
#include "recmeter/port/record_source.h"

namespace recmeter::file {

struct FileOptions {
  std::size_t message_bytes_max = std::size_t{1} << 20;  // longer records are cut to one byte more
  // Watched while waiting for a pipe: once true, waiting ends with Errc::interrupted. Outlives the source.
  const std::atomic<bool>* stop = nullptr;
};

// `path` "-" is standard input, to be opened at most once in a process. Records are lines.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> open_file(const std::string& path, FileOptions options);

struct OpenedLog {
  std::unique_ptr<RecordSource> source;
  FoundContainer found;
};
// The same of a file in any container, by `form`. What is not said is recognised by the unpacked beginning and the name,
// for which standard input is waited for; a pipe by its path is lines, unless it is said.
[[nodiscard]] Result<OpenedLog> open_log(const std::string& path, const ContainerForm& form, FileOptions options);

// About `bytes` of records at each of so many places of it, in their order, from the beginning on; fewer or none of what
// cannot be read in its middle (packed, a pipe, an array) or is no larger than the sample. Where quotes may hold line ends, a
// place within quotes is cut wrongly. Errors: as open_log and read.
[[nodiscard]] Result<std::vector<RecordBatch>> sample_log(const std::string& path, const ContainerForm& form,
                                                          FileOptions options, std::size_t places, std::size_t bytes);

}  // namespace recmeter::file
