// Base64 of RFC 4648 with padding: bytes as text of one line. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace recmeter {

// Appends to `to`.
void add_base64(std::string& to, std::string_view bytes);
// Appends to `to` and returns true; false, with any of it there, where the text is not what add_base64() writes.
[[nodiscard]] bool read_base64(std::string_view text, std::string& to);

}  // namespace recmeter
