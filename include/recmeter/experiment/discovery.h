// Which of many secondary comparisons are discoveries: e-BH (Wang, Ramdas 2022: False discovery rate control with e-values).
// Pure; any thread. [S10.29]
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace recmeter {

// By comparison: whether it is one. Those without a value are none, and count among the tested. Equal values in their order.
[[nodiscard]] std::vector<bool> discoveries(std::span<const std::optional<double>> log_e, double fdr);

}  // namespace recmeter
