// What an id looks like: its form without case, prefix, braces and dashes; whether it stands for nobody; whether a column of
// numbers has spoilt it. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace recmeter::doctor {

// "SKU-00a1" -> "00a1", "{6F9-..}" -> "6f9..", "user:17" -> "17", "17.0" -> "17". Never empty where `id` is not.
[[nodiscard]] std::string id_form(std::string_view id);

// "anonymous", "null", the hash of an empty text and their like, in any case.
[[nodiscard]] bool is_placeholder(std::string_view id);

// "17.0", "1.2e+18": a whole number that went through a column of fractions.
[[nodiscard]] bool is_spoilt_number(std::string_view id);

// Numbers by their value, after fewer digits more of them; all else by bytes.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b);

}  // namespace recmeter::doctor
