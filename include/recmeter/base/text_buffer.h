// TextBuffer: texts one after the other in one piece of memory. Appending a short one, which most are, costs no call.
//
// Thread safety: none. Offsets stay valid for life, addresses until the next append().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace recmeter {

class TextBuffer {
 public:
  TextBuffer() = default;
  TextBuffer(const TextBuffer& other) { append({other.data(), other.size()}); }
  TextBuffer(TextBuffer&& other) noexcept { swap(other); }
  TextBuffer& operator=(TextBuffer other) noexcept {
    swap(other);
    return *this;
  }

  void reserve(std::size_t bytes) {
    if (bytes > capacity_) grow(bytes);
  }
  // Returns the offset of the text.
  std::size_t append(std::string_view text) {
    const std::size_t offset = size_;
    if (text.size() > capacity_ - size_) grow(size_ + text.size());
    copy(bytes_.get() + size_, text.data(), text.size());
    size_ += text.size();
    return offset;
  }
  // Room for as many bytes, at the end, which the caller writes.
  [[nodiscard]] char* extend(std::size_t bytes) {
    if (bytes > capacity_ - size_) grow(size_ + bytes);
    return bytes_.get() + std::exchange(size_, size_ + bytes);
  }
  // Copies a text, short or not, to where there is room for it.
  static void copy(char* to, const char* from, std::size_t size) {
    if (size > 16) {
      std::memcpy(to, from, size);
    } else if (size >= 8) {
      copy_ends<std::uint64_t>(to, from, size);
    } else if (size >= 4) {
      copy_ends<std::uint32_t>(to, from, size);
    } else {
      for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }
  // Requires: size <= size().
  void shrink(std::size_t size) { size_ = size; }

  [[nodiscard]] const char* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  template <class Word>
  static void copy_ends(char* to, const char* from, std::size_t size) {
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
  }
  void grow(std::size_t bytes);
  void swap(TextBuffer& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace recmeter
