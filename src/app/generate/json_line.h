// JsonLine: one record being written, in a fixed buffer, without spaces. Only for bytes that need no escaping.
//
// Thread safety: one owner. Invariant: size() <= capacity; who writes keeps below it (the longest record, 100 items with
// scores, takes under 3 kB).
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace recmeter::generate {

class JsonLine {
 public:
  static constexpr std::size_t capacity = 8192;

  void clear() noexcept { size_ = 0; }
  [[nodiscard]] std::string_view text() const noexcept { return {bytes_.data(), size_}; }

  JsonLine& put(std::string_view text) noexcept {
    std::memcpy(bytes_.data() + size_, text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  JsonLine& put(char c) noexcept {
    bytes_[size_++] = c;
    return *this;
  }
  JsonLine& number(std::uint64_t value) noexcept {
    char* const from = bytes_.data() + size_;
    size_ += static_cast<std::size_t>(std::to_chars(from, bytes_.data() + capacity, value).ptr - from);
    return *this;
  }
  // With leading zeros up to `digits`.
  JsonLine& padded(std::uint64_t value, std::size_t digits) noexcept {
    for (std::uint64_t power = 10; digits > 1; --digits, power *= 10) {
      if (value < power) put('0');
    }
    return number(value);
  }
  // 37 -> 3.7
  JsonLine& tenths(std::uint32_t value) noexcept { return number(value / 10).put('.').number(value % 10); }

 private:
  std::array<char, capacity> bytes_;
  std::size_t size_ = 0;
};

}  // namespace recmeter::generate
