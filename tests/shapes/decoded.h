// What a log becomes by a configuration, read as a replay reads it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/run/replay_inputs.h"

namespace recmeter::test {

// The canonical bytes of each event in order; "ignored", "ignored@time" or "invalid:reason" of the others; where the log or
// the configuration is refused, the sentence alone. `block`: how many bytes are read at a time.
[[nodiscard]] std::vector<std::string> decoded(std::string_view yaml, std::string_view log, std::size_t block = 1 << 16,
                                               const InputEdges& edges = {});
// The same as `replay --sort always` reads them.
[[nodiscard]] std::vector<std::string> decoded_sorted(std::string_view yaml, std::string_view log);
// The one of a log of a single event; all of them, a line each.
[[nodiscard]] std::string told(std::string_view yaml, std::string_view log);

}  // namespace recmeter::test
