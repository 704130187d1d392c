// A segment as a parameter: `variant:A,surface:home`, with `\` before each `,`, `:` and `\` of a key or value; "" is the
// whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recmeter {

using SegmentPairs = std::vector<std::pair<std::string, std::string>>;

// Nothing if `text` is no segment; keys in the order of the text, none empty.
[[nodiscard]] std::optional<SegmentPairs> parse_segment(std::string_view text);
[[nodiscard]] std::string segment_text(const SegmentPairs& segment);

}  // namespace recmeter
