// Which representation a client wants, by its Accept and Accept-Encoding (RFC 9110, 12.4 and 12.5).
//
// Pure functions; any thread. Any bytes are a field: what cannot be read of it counts as not said.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace recmeter::http {

// Index of the offered media type the client likes best, the first of equals; nothing if it wants none of them. Offered ones
// may have parameters ("text/plain; version=0.0.4"); a range that gives one of them another value does not mean that type,
// and parameters of the range that the offered type does not have do not matter. An empty field wants anything.
[[nodiscard]] std::optional<std::size_t> preferred(std::string_view accept, std::span<const std::string_view> offered);

// Whether a client takes `coding`. Only if it says so: an empty field takes nothing but the plain form.
[[nodiscard]] bool takes_coding(std::string_view accept_encoding, std::string_view coding);

}  // namespace recmeter::http
