// The keys of a state, each kind by its first byte, so that no two kinds meet. state/FORMAT.md says what is under them; the
// code of a kind's values stands with what writes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "recmeter/base/byte_code.h"

namespace recmeter::state_key {

inline constexpr std::string_view checkpoint = "c";
inline constexpr std::string_view dead_letters = "d";
inline constexpr std::string_view looks = "n";

// The first byte of kinds with many keys, which continue with numbers of 8 bytes.
inline constexpr char experiment = 'e';   // name
inline constexpr char generation = 'g';   // number
inline constexpr char position = 'i';     // minute, partition's name
inline constexpr char journal = 'j';      // minute, checkpoint, unit and part
inline constexpr char digest = 'k';       // minute; and alone
inline constexpr char look_sum = 'l';     // experiment's name
inline constexpr char kept_sums = 'm';    // end + horizon, metric, window, horizon, segment, start
inline constexpr char outbox = 'o';       // number
inline constexpr char pane = 'p';         // generation; and of a pane sealed, grid, horizon, start
inline constexpr char kept_series = 's';  // day, series, stage
inline constexpr char comparable = 'u';   // day, series, start
inline constexpr char kept_row = 'v';     // day, series, start, stage
inline constexpr char look = 'x';         // experiment's name, 0, look, piece

// All keys of a kind lie in [first, after).
[[nodiscard]] inline std::string first(char kind) {
  return {kind};
}
[[nodiscard]] inline std::string after(char kind) {
  return {static_cast<char>(kind + 1)};
}
[[nodiscard]] inline std::string numbered(char kind, std::uint64_t number) {
  std::string key{kind};
  append_big_endian(key, number);
  return key;
}
// Of a numbered key.
[[nodiscard]] inline std::uint64_t number_in(std::string_view key) {
  return key.empty() ? 0 : big_endian(key.substr(1));
}

// The series of a row, or a RowSeries: window, horizon and segment. None is the beginning of another.
template <class Series>
[[nodiscard]] std::string series_bytes(const Series& series) {
  ByteWriter to;
  to.add_text(series.window);
  to.add_signed(series.horizon.ms);
  to.add(series.segment.size());
  for (const auto& [key, value] : series.segment) {
    to.add_text(key);
    to.add_text(value);
  }
  return to.take();
}

}  // namespace recmeter::state_key
