// OutcomeCounts: what became of accepted feedback; SEMANTICS §4 and §9.
#pragma once

#include <cstdint>

namespace recmeter {

// Invariant: their sum is the number of accepted feedback events.
struct OutcomeCounts {
  std::uint64_t credited = 0;
  std::uint64_t repeated = 0;
  std::uint64_t organic = 0;
  std::uint64_t not_in_list = 0;
  std::uint64_t unmatched = 0;
  std::uint64_t pending = 0;

  OutcomeCounts& operator+=(const OutcomeCounts& other) {
    credited += other.credited;
    repeated += other.repeated;
    organic += other.organic;
    not_in_list += other.not_in_list;
    unmatched += other.unmatched;
    pending += other.pending;
    return *this;
  }
  friend bool operator==(const OutcomeCounts&, const OutcomeCounts&) = default;
};

}  // namespace recmeter
