#include "recmeter/window/bucket_counts.h"

#include <algorithm>

namespace recmeter {

void BucketCounts::add(BucketCount count) {
  const auto at = std::ranges::lower_bound(counts_, count.bucket, {}, &BucketCount::bucket);
  if (at == counts_.end() || at->bucket != count.bucket) {
    counts_.insert(at, count);
  } else {
    at->lists += count.lists;
  }
}

// `sign`: 1, or its negative, since counts wrap.
void BucketCounts::apply(const BucketCounts& other, std::uint64_t sign) {
  if (other.counts_.empty()) return;
  std::vector<BucketCount> both;
  both.reserve(counts_.size() + other.counts_.size());
  auto own = counts_.begin();
  for (const BucketCount& count : other.counts_) {
    for (; own != counts_.end() && own->bucket < count.bucket; ++own) both.push_back(*own);
    BucketCount sum{count.bucket, sign * count.lists};
    if (own != counts_.end() && own->bucket == count.bucket) sum.lists += (own++)->lists;
    if (sum.lists > 0) both.push_back(sum);
  }
  both.insert(both.end(), own, counts_.end());
  counts_ = std::move(both);
}

std::span<const BucketCount> BucketCounts::counts(std::uint32_t first, std::uint32_t end) const {
  const auto from = std::ranges::lower_bound(counts_, first, {}, &BucketCount::bucket);
  const auto to = std::ranges::lower_bound(counts_, end, {}, &BucketCount::bucket);
  return {from, to};
}

}  // namespace recmeter
