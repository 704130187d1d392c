#include "recmeter/window/segment_values.h"

#include <cstdint>
#include <cstring>

namespace recmeter {

void append_segment_value(std::string& packed, std::string_view value) {
  const auto size = static_cast<std::uint32_t>(value.size());
  packed.append(reinterpret_cast<const char*>(&size), sizeof size);  // NOLINT: bytes of an integer
  packed += value;
}

SegmentValues unpack_segment_values(std::string_view packed) {
  SegmentValues values;
  while (!packed.empty()) {
    std::uint32_t size = 0;
    std::memcpy(&size, packed.data(), sizeof size);
    values.emplace_back(packed.substr(sizeof size, size));
    packed.remove_prefix(sizeof size + size);
  }
  return values;
}

}  // namespace recmeter
