// Why two arms cannot be compared, in words, and what helps. [S10.26]. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "recmeter/experiment/comparison.h"

namespace recmeter {

// Empty: of rows that do not say why.
[[nodiscard]] inline std::string_view missing_text(std::optional<Missing> missing) {
  constexpr std::array<std::string_view, 4> texts{
      "an arm has lists of no or hardly any user",
      "nobody did it in either arm; test what happens, or give an absolute mde",
      "a few users make nearly all of it; test it with a cap, fixed before the start",
      "hardly anybody did it; it needs more users or more time",
  };
  return missing ? texts[static_cast<std::size_t>(*missing)] : "too little was seen";
}

}  // namespace recmeter
