// TopCounts: the count that the n-th of the most counted items has, kept up to date while counts move by small steps.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace recmeter {

class TopCounts {
 public:
  // Requires: top >= 1.
  explicit TopCounts(std::uint64_t top) : top_(top) {}

  // An item's count was `from` and is `to`.
  void move(std::uint64_t from, std::uint64_t to) {
    if (items_.size() <= to) items_.resize(2 * to + 1, 0);
    if (from > 0) --items_[from];
    if (from >= threshold_) --at_least_;
    if (to > 0) ++items_[to];
    if (to >= threshold_) ++at_least_;
  }
  // The `top`-th largest count; 1 when fewer items have one, 0 when none has.
  [[nodiscard]] std::uint64_t threshold() {
    while (threshold_ > 1 && at_least_ < top_) at_least_ += items_[--threshold_];
    while (threshold_ < items_.size() && at_least_ - items_[threshold_] >= top_) at_least_ -= items_[threshold_++];
    return at_least_ > 0 ? threshold_ : 0;
  }
  [[nodiscard]] std::size_t memory_bytes() const { return items_.capacity() * sizeof(std::uint64_t); }

 private:
  std::uint64_t top_;
  std::vector<std::uint64_t> items_;  // by count > 0: items that have it
  std::uint64_t threshold_ = 1;
  std::uint64_t at_least_ = 0;  // items with a count of at least threshold_
};

}  // namespace recmeter
