// SegmentGuess: columns that divide lists into few kinds, such as variants, pages and devices.
#pragma once

#include <string>
#include <vector>

#include "app/infer/arm_guess.h"
#include "app/infer/log_sample.h"

namespace recmeter {

inline constexpr std::size_t segment_values_max = 12;
inline constexpr std::size_t segment_text_max = 40;  // bytes

struct SegmentGuess {
  std::string key;  // the last name of its path
  std::string path;
  ArmGuess arm;
};

// Records by list; of a list in rows, those of its rows.
using ListRecords = std::vector<std::vector<std::size_t>>;

// At most four, arms first. `user`: null where none is known. `used`: paths of other columns that have a role.
[[nodiscard]] std::vector<SegmentGuess> guess_segments(const LogSample& sample, const ListRecords& lists, const Column* user,
                                                       const std::vector<std::string>& used);

}  // namespace recmeter
