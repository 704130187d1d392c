// SegmentValues: the values of one combination of segment keys, as rows show them, in the order of its keys. Compared key by
// key as bytes, which is the order of rows. The whole has no keys and so no values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recmeter {

using SegmentValues = std::vector<std::string>;

// One string that holds the values, different for different values; and back. Values are appended in their order.
void append_segment_value(std::string& packed, std::string_view value);
[[nodiscard]] SegmentValues unpack_segment_values(std::string_view packed);

}  // namespace recmeter
