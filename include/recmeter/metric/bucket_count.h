// BucketCount: so many lists fall into a bucket: of latencies (metric/latency_buckets.h) or of weights
// (metric/weight_facts.h). A value.
#pragma once

#include <cstdint>

namespace recmeter {

struct BucketCount {
  std::uint32_t bucket;
  std::uint64_t lists;
  friend bool operator==(const BucketCount&, const BucketCount&) = default;
};

}  // namespace recmeter
