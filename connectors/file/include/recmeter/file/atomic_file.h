// AtomicFile: an output that is there whole or not at all.
//
// Written beside its name and renamed over it by commit(). Where the file system can, what is written has no name until
// then, so that not even a killed process leaves anything; elsewhere a hidden file beside it, which the destructor removes.
//
// Thread safety: none. Invariants:
//   (1) before commit() succeeds, what stood under the name is untouched; afterwards the name holds all that was written;
//   (2) a destroyed AtomicFile that was not committed leaves nothing.
// Devices, pipes and descriptors (/dev/null, /dev/stdout, /dev/fd/N, a FIFO) cannot be replaced: they are written as it goes.
// Permissions are 0666 less the umask. A symbolic link is followed: its target is replaced.
//
// Errors are Errc::output_failed with place, cause and remedy; after one, only destroying it makes sense. The process is
// expected to ignore SIGXFSZ and SIGPIPE; the errors say it then.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "recmeter/base/result.h"

namespace recmeter::file {

class ScratchFile;

class AtomicFile {
 public:
  // Finds out early what would make commit() fail: no such directory, a directory under the name, no permission.
  [[nodiscard]] static Result<std::unique_ptr<AtomicFile>> create(const std::string& path);

  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Of standard output: what nobody reads any more is dropped, and is no error.
  void drop_unread() { drops_unread_ = true; }

  // What cannot be replaced is written to a temporary file in $TMPDIR first, and goes out in settle(). Requires: nothing
  // has gone out yet.
  [[nodiscard]] Result<void> hold_back();

  // Errors, of whatever writes: output_failed; interrupted, without a sentence, where standard output is a pipe whose reader
  // has gone. Requires: not committed.
  [[nodiscard]] Result<void> write(std::string_view bytes);

  // Writes out what is buffered or held back and waits for the disk, so that of several files none gets its name before all
  // are known to hold. May be called again. Requires: not committed.
  [[nodiscard]] Result<void> settle();

  // Settles what is not settled and gives it its name. Requires: not committed.
  [[nodiscard]] Result<void> commit();

 private:
  explicit AtomicFile(const std::string& path) : path_(path), target_(path) {}
  [[nodiscard]] Result<bool> open_existing();
  [[nodiscard]] Result<void> open_beside();
  [[nodiscard]] Result<void> open_named();
  [[nodiscard]] Result<void> flush();
  [[nodiscard]] Result<void> write_to(int descriptor, std::string_view bytes);
  [[nodiscard]] Result<void> release();
  [[nodiscard]] Result<void> give_name();
  [[nodiscard]] std::string beside_name();

  std::string path_;       // as the user gave it
  std::string target_;     // with symbolic links followed
  std::string directory_;  // of target_
  std::string beside_;     // name of the file being written; empty while it has none
  std::string buffer_;
  int descriptor_ = -1;
  std::shared_ptr<ScratchFile> held_;  // what goes to the descriptor in the end
  bool direct_ = false;                // written as it goes, never renamed
  bool drops_unread_ = false;
  bool settled_ = false;
  bool committed_ = false;
};

}  // namespace recmeter::file
