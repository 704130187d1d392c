// Numbers in texts whose decimal mark is a comma.
#pragma once

#include <array>
#include <string_view>

namespace recmeter {

using DecimalRoom = std::array<char, 64>;

// `text` with a point for each comma, in `room`; `text` itself where it has none or is longer than numbers and times are.
[[nodiscard]] inline std::string_view with_points(std::string_view text, DecimalRoom& room) {
  if (text.size() > room.size() || text.find(',') == std::string_view::npos) return text;
  for (std::size_t i = 0; i < text.size(); ++i) room[i] = text[i] == ',' ? '.' : text[i];
  return {room.data(), text.size()};
}

}  // namespace recmeter
