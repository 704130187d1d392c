// BucketCounts: how many lists took how long, or weighed how much, by bucket (MetricPlan::add_buckets). Sparse: most cells
// have few.
//
// Counts form a group like those of PaneSums: added, merged and subtracted in any order with the same result. Thread safety:
// none. Invariant: ascending by bucket, no count is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/metric/bucket_count.h"

namespace recmeter {

class BucketCounts {
 public:
  // Another list.
  void add(std::uint32_t bucket) { add(BucketCount{bucket, 1}); }
  void add(BucketCount count);
  void merge(const BucketCounts& other) { apply(other, 1); }
  // Requires: what is subtracted was added.
  void subtract(const BucketCounts& other) { apply(other, ~std::uint64_t{0}); }

  [[nodiscard]] std::span<const BucketCount> counts() const { return counts_; }
  // Of buckets in [first, end).
  [[nodiscard]] std::span<const BucketCount> counts(std::uint32_t first, std::uint32_t end) const;
  [[nodiscard]] std::size_t memory_bytes() const { return counts_.capacity() * sizeof(BucketCount); }

 private:
  void apply(const BucketCounts& other, std::uint64_t sign);

  std::vector<BucketCount> counts_;
};

}  // namespace recmeter
