// DisorderHistogram: how far events lie behind the newest before them, in buckets at most a 16th wide. Exact up to 15 ms,
// then upper bounds. Adding in any order gives the same counts. Thread safety: none.
#pragma once

#include <cstdint>
#include <vector>

#include "recmeter/base/byte_code.h"
#include "recmeter/result/report.h"

namespace recmeter {

class DisorderHistogram {
 public:
  // Requires: behind >= 0.
  void add(Duration behind);
  [[nodiscard]] Disorder summary() const;

  void write(ByteWriter& to) const;
  [[nodiscard]] static DisorderHistogram read(ByteReader& from);

 private:
  [[nodiscard]] Duration quantile(double share) const;

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  Duration max_{0};
};

}  // namespace recmeter
