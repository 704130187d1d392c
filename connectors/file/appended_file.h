// AppendedFile: a file that lines are appended to over many runs, and that others may move, delete or cut meanwhile. [I2.39].
//
// Nothing holds a file in its place: logrotate moves or truncates it, somebody removes it. What stands at the path is told by
// its content, not by its inode alone, which a new file gets again from the one that was deleted. A file with lines that
// nobody wrote here is never cut and never written to. Thread safety: none.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "recmeter/base/byte_code.h"
#include "recmeter/base/result.h"

namespace recmeter::file {

class AppendedFile {
 public:
  // `setting` and `content` ("rows") are for sentences; `mode`: of a file that is created.
  AppendedFile(std::string path, std::string setting, std::string content, mode_t mode);
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;
  ~AppendedFile();

  // How a state knows the file again.
  struct Mark {
    std::uint64_t length = 0;
    std::uint64_t inode = 0;           // 0: older programs did not say what follows
    std::uint64_t first_line = 0;      // hash of it
    std::uint64_t end = 0;             // hash of the last bytes before `length`
    void write(ByteWriter& to) const;  // all but the length
    void read(ByteReader& from);
  };
  enum class Found : std::uint8_t {
    same,
    cut,   // it is shorter than what was written; lines go on behind what is left
    gone,  // it was moved or deleted; there is a new file
  };
  // Opens the file as it was at `mark`, and cuts off what came after; none: nothing was written yet. Errors: state_unusable
  // where the path has what was not written here; output_failed.
  [[nodiscard]] Result<Found> go_on_from(const std::optional<Mark>& mark);
  // Says whether the path still has the file; if not, lines go to what it has now. Errors: as above.
  [[nodiscard]] Result<Found> look();
  // Appends whole lines. errno, or 0; `cut`: it was cut while this was called, and has none of them.
  struct Appended {
    int error = 0;
    bool was_cut = false;
  };
  [[nodiscard]] Appended append(std::string_view lines);
  // errno, or 0.
  [[nodiscard]] int sync() const;
  // Takes back what was appended behind `length` by this class, after a sync that failed with `error`, which is returned.
  int take_back(std::uint64_t length, int error);
  // A new file, after the one at the path was renamed. errno, or 0.
  [[nodiscard]] int begin_another();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t length() const { return length_; }
  [[nodiscard]] Mark mark() const;
  // Lines behind the mark in files beside it, to which the one of go_on_from() was moved or copied: they are written.
  [[nodiscard]] std::set<std::string, std::less<>>& behind() { return behind_; }

  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what, int error) const;

 private:
  [[nodiscard]] int open_at_path(int flags);
  void close();
  [[nodiscard]] std::optional<std::string> bytes(int descriptor, std::uint64_t from, std::uint64_t to) const;
  [[nodiscard]] bool is_as_marked(const Mark& mark, std::uint64_t size) const;
  [[nodiscard]] bool begins_as_marked(const Mark& mark, std::uint64_t size) const;
  void read_behind(const Mark& mark);
  [[nodiscard]] Result<void> cut_to(std::uint64_t length);
  [[nodiscard]] Result<Found> cut_to_lines(std::uint64_t size);
  [[nodiscard]] Result<Found> begin_empty();
  [[nodiscard]] tl::unexpected<Error> foreign() const;

  std::string path_;
  std::string setting_;
  std::string content_;
  mode_t mode_;
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t length_ = 0;
  std::uint64_t first_line_ = 0;
  std::string end_;  // the last bytes written
  std::set<std::string, std::less<>> behind_;
};

}  // namespace recmeter::file
