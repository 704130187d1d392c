// LatencyCounts: how many lists took how long, by bucket. Sparse: most cells have few buckets.
//
// Counts form a group like those of PaneSums: added, merged and subtracted in any order with the same result. Thread safety:
// none. Invariant: ascending by bucket, no count is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recmeter/metric/latency_buckets.h"

namespace recmeter {

class LatencyCounts {
 public:
  // Another list. Requires: bucket < latency_buckets.
  void add(std::uint32_t bucket) { add(LatencyCount{bucket, 1}); }
  void add(LatencyCount count);
  void merge(const LatencyCounts& other) { apply(other, 1); }
  // Requires: what is subtracted was added.
  void subtract(const LatencyCounts& other) { apply(other, ~std::uint64_t{0}); }

  [[nodiscard]] std::span<const LatencyCount> counts() const { return counts_; }
  [[nodiscard]] std::uint64_t lists() const;
  [[nodiscard]] std::size_t memory_bytes() const { return counts_.capacity() * sizeof(LatencyCount); }

 private:
  void apply(const LatencyCounts& other, std::uint64_t sign);

  std::vector<LatencyCount> counts_;
};

}  // namespace recmeter
