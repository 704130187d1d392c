// is_text: whether bytes are UTF-8, quickly where they are short and ASCII, as nearly all are. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "recmeter/base/byte_block.h"
#include "recmeter/base/utf8.h"

namespace recmeter {

// `readable`: how many bytes may be looked at from the text's beginning on, at least its own.
[[nodiscard]] inline bool is_text(std::string_view text, std::size_t readable) {
  constexpr std::uint64_t high_bits = 0x8080808080808080U;
  const auto has_high_bits = [](const char* at, std::uint64_t mask) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    return (word & mask) != 0;
  };
  if (text.empty()) return true;
  if (text.size() <= 8 && readable >= 8) {
    // Their sizes are what no branch can foresee.
    return !has_high_bits(text.data(), high_bits >> 8 * (8 - text.size())) || is_utf8(text);
  }
  if (text.size() < 8) return is_utf8(text);
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); end - at > 8; at += 8) {
    if (has_high_bits(at, high_bits)) return is_utf8(text);
  }
  return !has_high_bits(end - 8, high_bits) || is_utf8(text);
}

// Whether all bytes are ASCII. `readable` as above.
[[nodiscard]] inline bool is_ascii(std::string_view bytes, std::size_t readable) {
  if (bytes.size() >= ByteBlock::size) {
    const char* const last = bytes.data() + bytes.size() - ByteBlock::size;
    for (const char* at = bytes.data(); at < last; at += ByteBlock::size) {
      if (!ByteBlock(at).is_ascii()) return false;
    }
    return ByteBlock(last).is_ascii();
  }
  if (readable >= ByteBlock::size) {
    return (ByteBlock(bytes.data()).not_ascii() & ByteBlock::first(bytes.size())) == 0;
  }
  std::array<char, ByteBlock::size> copy{};
  bytes.copy(copy.data(), bytes.size());
  return ByteBlock(copy.data()).is_ascii();
}

}  // namespace recmeter
