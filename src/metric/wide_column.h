// WideColumn: an integer that 64 bits cannot sum, spread over several columns of 32 bits. The columns are added up, merged
// and subtracted like any others; only who reads them puts them together again. The highest column carries the sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "recmeter/base/exact_sum.h"

namespace recmeter {

// Adds `value` to columns.size() columns. Requires: |value| < 2^(32 * columns - 1).
inline void add_wide(std::span<std::int64_t> columns, Int128 value) {
  for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
    columns[c] += static_cast<std::int64_t>(static_cast<std::uint32_t>(value));
    value >>= 32;
  }
  columns.back() += static_cast<std::int64_t>(value);
}

// The sum that columns filled by add_wide hold. Integer: wide enough for it.
template <class Integer>
[[nodiscard]] Integer wide_sum(std::span<const Int128> columns) {
  Integer sum = 0;
  for (std::size_t c = columns.size(); c-- > 0;) {
    sum *= std::uint64_t{1} << 32;
    sum += Integer(columns[c]);
  }
  return sum;
}

}  // namespace recmeter
