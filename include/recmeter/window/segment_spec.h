// SegmentSpec: one configured combination of segment keys. [S7], "Segments".
//
// Values are in the form in which rows show them: "(none)" for a missing key, and a leading `\` before a real value that is
// "(none)" or "(other)" or begins with `\`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

struct SegmentSpec {
  std::vector<std::string> keys;               // at least one, in configured order
  std::vector<std::vector<std::string>> keep;  // tuples that always have rows of their own; one value per key
};

inline constexpr std::string_view segment_none = "(none)";
inline constexpr std::string_view segment_other = "(other)";

// Whether a row shows a real segment value in another form than its own.
[[nodiscard]] bool must_escape(std::string_view value);
// The form in which a row shows a real segment value.
[[nodiscard]] std::string shown_segment_value(std::string_view value);

}  // namespace recmeter
