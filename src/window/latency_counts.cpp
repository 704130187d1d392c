#include "recmeter/window/latency_counts.h"

#include <algorithm>
#include <numeric>

namespace recmeter {

void LatencyCounts::add(LatencyCount count) {
  const auto at = std::ranges::lower_bound(counts_, count.bucket, {}, &LatencyCount::bucket);
  if (at == counts_.end() || at->bucket != count.bucket) {
    counts_.insert(at, count);
  } else {
    at->lists += count.lists;
  }
}

// `sign`: 1, or its negative, since counts wrap.
void LatencyCounts::apply(const LatencyCounts& other, std::uint64_t sign) {
  if (other.counts_.empty()) return;
  std::vector<LatencyCount> both;
  both.reserve(counts_.size() + other.counts_.size());
  auto own = counts_.begin();
  for (const LatencyCount& count : other.counts_) {
    for (; own != counts_.end() && own->bucket < count.bucket; ++own) both.push_back(*own);
    LatencyCount sum{count.bucket, sign * count.lists};
    if (own != counts_.end() && own->bucket == count.bucket) sum.lists += (own++)->lists;
    if (sum.lists > 0) both.push_back(sum);
  }
  both.insert(both.end(), own, counts_.end());
  counts_ = std::move(both);
}

std::uint64_t LatencyCounts::lists() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const LatencyCount& count) { return sum + count.lists; });
}

}  // namespace recmeter
