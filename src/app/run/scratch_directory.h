// ScratchDirectory: a directory in $TMPDIR that is gone when this is. Thread safety: none.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>

#include "recmeter/base/result.h"

namespace recmeter {

class ScratchDirectory {
 public:
  // Errors: output_failed.
  [[nodiscard]] static Result<ScratchDirectory> make(const std::string& purpose) {
    std::error_code no_place;
    const std::filesystem::path base = std::filesystem::temp_directory_path(no_place);
    std::string pattern = (base / ("recmeter-" + purpose + "-XXXXXX")).string();
    if (no_place || ::mkdtemp(pattern.data()) == nullptr) {
      return failure(Errc::output_failed,
                     "no directory can be made in " + base.string() + "; make room there, or set TMPDIR");
    }
    return ScratchDirectory(std::move(pattern));
  }
  ScratchDirectory(ScratchDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace recmeter
