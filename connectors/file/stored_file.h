// StoredFile: the bytes of an input as they are stored, behind a descriptor that can be given up in between.
//
// Thread safety: none. Plain files are its case of a ByteStream; the packed ones read through it.
// Never mapped into memory: a mapped file that is truncated meanwhile kills the reader.
#pragma once

#include <sys/types.h>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "file/byte_stream.h"

namespace recmeter::file {

class StoredFile final : public ByteStream {
 public:
  // Opens `path`, "-" being standard input. Fails as open_file does.
  [[nodiscard]] static Result<StoredFile> open(const std::string& path, const std::atomic<bool>* stop);

  StoredFile(StoredFile&& other) noexcept;
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(StoredFile&&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;
  ~StoredFile() override;

  [[nodiscard]] Result<std::size_t> read(char* into, std::size_t capacity) override;

  // The next bytes without taking them, fewer than `count` only at the end of the file.
  [[nodiscard]] Result<std::string_view> peek(std::size_t count);

  // Whether close() and open_at() are possible: a regular file that has a path.
  [[nodiscard]] bool is_reopenable() const { return is_regular_ && path_ != "-"; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  void close();
  // Goes on at `offset`. Fails if another file stands there now. Requires: is_reopenable().
  [[nodiscard]] Result<void> open_at(std::uint64_t offset);

  // The path, or "stdin".
  [[nodiscard]] const std::string& name() const { return name_; }
  // Bytes in the file when it was opened first, 0 if unknown.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  // How many bytes read() has given.
  [[nodiscard]] std::uint64_t offset() const { return offset_ - peeked_.size(); }

 private:
  StoredFile(std::string path, const std::atomic<bool>* stop);
  [[nodiscard]] Result<void> open_descriptor();
  [[nodiscard]] Result<void> identify();
  [[nodiscard]] Result<std::size_t> read_descriptor(char* into, std::size_t capacity);
  [[nodiscard]] Result<void> wait_readable() const;

  // Immutable after open().
  std::string path_;
  std::string name_;
  const std::atomic<bool>* stop_;
  bool is_regular_ = false;
  std::uint64_t size_ = 0;

  int descriptor_ = -1;
  std::optional<std::pair<dev_t, ino_t>> identity_;
  std::uint64_t offset_ = 0;  // of the next byte of the descriptor
  std::string peeked_;        // read from the descriptor, not yet given
};

}  // namespace recmeter::file
