// ListHalves: how many of the items acted on stand in the first half of their list, and how many would by chance. Where the
// order shown was lost, these are equal, and metrics of ranks say nothing. A plain value; sums of it do not depend on their
// order.
#pragma once

#include <cmath>
#include <cstdint>

namespace recmeter {

class ListHalves {
 public:
  static constexpr std::uint64_t actions_min = 300;  // fewer say nothing
  static constexpr std::uint64_t length_min = 4;     // of a list that counts
  static constexpr double lost_below = 0.05;         // where the shares differ by less, the order is lost

  // An item acted on, at a rank of a list of so many. Requires: 1 <= rank.
  void add(std::uint64_t rank, std::uint64_t length) {
    if (length < length_min) return;
    ++actions_;
    first_ += rank <= length / 2 ? 1U : 0U;
    by_chance_ += (length / 2 << fraction_bits) / length;
  }
  ListHalves& operator+=(const ListHalves& other) {
    actions_ += other.actions_;
    first_ += other.first_;
    by_chance_ += other.by_chance_;
    return *this;
  }

  [[nodiscard]] std::uint64_t actions() const { return actions_; }
  [[nodiscard]] std::uint64_t first() const { return first_; }
  // Shares; requires: actions() > 0.
  [[nodiscard]] double share() const { return static_cast<double>(first_) / static_cast<double>(actions_); }
  [[nodiscard]] double chance() const {
    return static_cast<double>(by_chance_) / static_cast<double>(actions_) / static_cast<double>(1ULL << fraction_bits);
  }
  [[nodiscard]] double over() const { return share() - chance(); }
  // With 99 % confidence.
  [[nodiscard]] double error() const { return 2.5758 * std::sqrt(share() * (1 - share()) / static_cast<double>(actions_)); }
  // True where the difference is surely below `threshold`, either way.
  [[nodiscard]] bool are_equal(double threshold) const {
    return actions_ >= actions_min && std::abs(over()) + error() < threshold;
  }

 private:
  static constexpr unsigned fraction_bits = 30;
  std::uint64_t actions_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t by_chance_ = 0;  // in 2^-30
};

}  // namespace recmeter
