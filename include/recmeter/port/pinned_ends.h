// PinnedEnds: how far topics are read, pinned once for several runs, so that all read the same. [I2.33].
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace recmeter {

struct PinnedRange {
  std::int64_t begin = 0;  // the first offset there was
  std::int64_t end = 0;    // behind the last record that is read
};

// Of partitions, by their names. Empty: none is pinned.
using PinnedEnds = std::map<std::string, PinnedRange>;

}  // namespace recmeter
