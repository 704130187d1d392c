// DraftCounts: of lists that two teams drafted, whose items people acted on more. [S10.37].
#pragma once

#include <cstdint>

namespace recmeter {

struct DraftCounts {
  std::uint64_t wins = 0;    // of the arm
  std::uint64_t losses = 0;  // the control's
  std::uint64_t ties = 0;    // as many items of both, and some

  friend bool operator==(const DraftCounts&, const DraftCounts&) = default;
};

}  // namespace recmeter
