// Bytes packed as the tools pack them.
#pragma once

#include <string>
#include <string_view>

namespace recmeter::test {

[[nodiscard]] std::string gzip(std::string_view content);
[[nodiscard]] std::string zstd(std::string_view content);
// A frame that ends with its last block, without a checksum behind it.
[[nodiscard]] std::string zstd_unchecked(std::string_view content);
// A frame that asks its reader for a window of 2^window_log bytes.
[[nodiscard]] std::string zstd_with_window(std::string_view content, int window_log);

}  // namespace recmeter::test
