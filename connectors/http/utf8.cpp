#include "http/utf8.h"

#include <cstddef>
#include <cstdint>

namespace recmeter::http {

namespace {

// Bytes of the sequence that `text` begins with; 0: none that is well-formed.
std::size_t sequence_at(std::string_view text) noexcept {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const auto follows = [&](std::size_t at, unsigned low, unsigned high) {
    return at < text.size() && byte(at) >= low && byte(at) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return follows(1, 0x80, 0xbf) ? 2 : 0;
  // The second byte excludes overlong forms, surrogates and what is beyond the last code point.
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (!follows(1, low, high) || !follows(2, 0x80, 0xbf)) return 0;
  if (first < 0xf0) return 3;
  return follows(3, 0x80, 0xbf) ? 4 : 0;
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t bytes = sequence_at(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace recmeter::http
