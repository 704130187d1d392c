// Part: the share of the 256 slots that one of several runs over the same log keeps. [S11.1]. PartitionShare: the share of
// the partitions that one of several runs reads.
#pragma once

#include <cstdint>
#include <vector>

#include "recmeter/event/join_key.h"

namespace recmeter {

inline constexpr std::uint32_t parts_max = slot_count;

// Part `index` of `count`: the slots whose number leaves `index` when divided by `count`. A whole run is part 0 of 1.
struct Part {
  std::uint32_t index = 0;  // below count
  std::uint32_t count = 1;  // 1 to parts_max

  // `key_hash`: of the join key.
  [[nodiscard]] constexpr bool keeps(std::uint64_t key_hash) const { return slot_of(key_hash) % count == index; }
  friend bool operator==(const Part&, const Part&) = default;
};

// All of the log that one of several runs reads: some partitions of it, which hold all events of their users. [S11.8].
struct PartitionShare {
  std::uint32_t part = 0;             // number of the run
  std::vector<std::uint64_t> places;  // of its partitions among those of the whole log, from 1
};

}  // namespace recmeter
