// OutputFiles: where the log goes. One file, standard output, or a directory of files by Split.
//
// Files are written beside their names (`.partial`) and renamed by finish(), all at the end; what is not finished is removed
// on destruction, so nothing half-written is left. Devices and pipes are written as they are.
// Thread safety: none. Errors: output_failed with path and remedy; interrupted when the flag is set.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "app/generate/log_output.h"

namespace recmeter::generate {

struct OutputPlace {
  std::string path;  // a file, or with a split a directory (made if missing); "" or "-": standard output
  Split split = Split::none;
  EventTime start;                                 // of the log: names the files of Split::hour
  const std::atomic<bool>* interrupted = nullptr;  // looked at once a buffer; may be null
};

class OutputFiles final : public LogOutput {
 public:
  explicit OutputFiles(OutputPlace place);
  ~OutputFiles() override;
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  [[nodiscard]] Result<void> write(std::uint32_t file, EventTime place, std::string_view record) override;
  // Flushes, closes and gives every file its name.
  [[nodiscard]] Result<void> finish() override;

 private:
  struct File {
    std::uint32_t index = 0;
    std::string path;     // as shown to the user
    bool renamed = true;  // written beside `path` first
    int descriptor = -1;
    std::vector<char> buffer;
    std::size_t used = 0;
  };
  [[nodiscard]] Result<File*> file(std::uint32_t index);
  [[nodiscard]] Result<void> open(File& file) const;
  [[nodiscard]] Result<void> flush(File& file) const;
  [[nodiscard]] Result<void> close(File& file);
  [[nodiscard]] bool is_interrupted() const;
  [[nodiscard]] std::string path_of(std::uint32_t index) const;

  OutputPlace place_;
  std::vector<File> open_;            // at most two
  std::vector<std::string> written_;  // paths still under their partial names
};

// Whole text to a path, replaced at once. For the truth.
[[nodiscard]] Result<void> write_whole_file(const std::string& path, std::string_view text);

}  // namespace recmeter::generate
