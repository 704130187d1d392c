// What an id looks like: its form without case, prefix, braces and dashes; whether it stands for nobody; whether a column of
// numbers has spoilt it. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

namespace recmeter::doctor {

// "SKU-00a1" -> "00a1", "{6F9-..}" -> "6f9..", "user:17" -> "17", "17.0" -> "17". A number beyond 2^53 has the form of the
// double next to it: "1610521604143717497" and "1610521604143717400" -> "1.6105216041437174e+18". Never empty where `id` is
// not.
[[nodiscard]] std::string id_form(std::string_view id);

// "anonymous", "null", the hash of an empty text and their like, in any case.
[[nodiscard]] bool is_placeholder(std::string_view id);

// "17.0", "1.2e+18": a whole number that went through a column of fractions.
[[nodiscard]] bool is_spoilt_number(std::string_view id);

// A whole number beyond 2^53 as a program that holds it as a double prints it: with zeros, or all digits of the double.
[[nodiscard]] bool is_rounded_number(std::string_view id);

// Numbers by their value, after fewer digits more of them; all else by bytes.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b);

}  // namespace recmeter::doctor
