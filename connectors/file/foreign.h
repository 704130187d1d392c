// Foreign: formats and encodings that are known and not read, told by the first bytes, with the command that makes a log.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "recmeter/base/error.h"

namespace recmeter::file {

struct Foreign {
  std::string_view name;    // "a zip archive"
  std::string_view remedy;  // a sentence; FILE stands for the input
};

// How many first bytes tell them all; fewer tell most.
inline constexpr std::size_t foreign_bytes = 512;

// By the first bytes, as they are stored or unpacked. Nothing: none that is known.
[[nodiscard]] std::optional<Foreign> foreign_of(std::string_view start);

// The encoding of a text whose first lines are mostly no UTF-8. Nothing: they are.
[[nodiscard]] std::optional<Foreign> encoding_of(std::string_view start);

// `unpacker`: what unpacks the input first, "gzip -dc"; "": nothing.
[[nodiscard]] Error foreign_error(const Foreign& foreign, std::string_view unpacker, std::string_view name);

}  // namespace recmeter::file
