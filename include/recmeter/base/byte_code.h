// ByteWriter, ByteReader: numbers and texts as bytes that do not depend on the machine, for what is kept across runs.
//
// Unsigned numbers are LEB128 (7 bits a byte, least first), signed ones zigzag before that, doubles their 8 bytes
// little-endian, texts their length and bytes. A reader never looks beyond its bytes: what is missing or too large makes it
// fail, once and for all, and what it gives from then on is zeros. Thread safety: none.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace recmeter {

// The number as 8 bytes, most significant first: such bytes have the order of their numbers. For keys.
inline void append_big_endian(std::string& to, std::uint64_t number) {
  for (int byte = 7; byte >= 0; --byte) to.push_back(static_cast<char>(number >> (8 * byte)));
}
// Of the first 8 bytes, or as many as there are.
[[nodiscard]] inline std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes.substr(0, 8)) number = number << 8 | static_cast<std::uint8_t>(byte);
  return number;
}

class ByteWriter {
 public:
  void add(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_.push_back(static_cast<char>(number | 0x80));
    bytes_.push_back(static_cast<char>(number));
  }
  void add_signed(std::int64_t number) {
    add((static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63));
  }
  // In 8 bytes, little-endian.
  void add_fixed(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) bytes_.push_back(static_cast<char>(number >> (8 * byte)));
  }
  void add_double(double number) { add_fixed(std::bit_cast<std::uint64_t>(number)); }
  void add_text(std::string_view text) {
    add(text.size());
    bytes_.append(text);
  }
  // As they are, without their length.
  void add_bytes(std::string_view bytes) { bytes_.append(bytes); }

  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  void clear() { bytes_.clear(); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  // Views handed out live as long as `bytes`.
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number() {
    if (!rest_.empty() && static_cast<std::uint8_t>(rest_.front()) < 0x80) {  // as most are
      const auto number = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      return number;
    }
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return fail();
      const auto byte = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      const std::uint64_t bits = byte & 0x7FU;
      if (shift == 63 && bits > 1) return fail();
      number |= bits << shift;
      if (byte == 0 && shift > 0) return fail();  // there is one way to write a number
      if (byte < 0x80) return number;
    }
    return fail();
  }
  [[nodiscard]] std::int64_t signed_number() {
    const std::uint64_t zigzag = number();
    return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
  }
  [[nodiscard]] std::uint64_t fixed() {
    if (rest_.size() < 8) return fail();
    std::uint64_t bits = 0;
    for (int byte = 0; byte < 8; ++byte) {
      bits |= std::uint64_t{static_cast<std::uint8_t>(rest_[static_cast<std::size_t>(byte)])} << (8 * byte);
    }
    rest_.remove_prefix(8);
    return bits;
  }
  [[nodiscard]] double number_double() { return std::bit_cast<double>(fixed()); }
  [[nodiscard]] std::string_view text() {
    const std::uint64_t size = number();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }

  // Bytes that are not read yet: no count of things that take one each can be larger.
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] bool has_failed() const { return failed_; }
  // Everything has been read, and it was what was asked for.
  [[nodiscard]] bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::uint64_t fail() {
    failed_ = true;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace recmeter
