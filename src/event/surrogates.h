// Lone surrogates: `\ud800` without its other half names no character, so a record that holds one anywhere is unreadable.
// JSON parsers differ here, even two versions of ours (one rejects them, one makes up bytes), so we look ourselves.
#pragma once

#include <string_view>

namespace recmeter {

// Whether a \u escape of `json` is half a surrogate pair. Requires: `json` is otherwise valid JSON.
[[nodiscard]] bool has_lone_surrogate(std::string_view json) noexcept;

}  // namespace recmeter
