// RoundedSum: the sum of doubles, rounded once to a double, whatever their order.
//
// Shewchuk 1997, "Adaptive precision floating-point arithmetic": what is added up is kept as doubles that do not overlap,
// whose sum is exact. Requires: finite numbers whose sums are finite. Thread safety: none.
#pragma once

#include <vector>

namespace recmeter {

class RoundedSum {
 public:
  void clear() { parts_.clear(); }
  void add(double number);
  // To nearest, ties to even; never -0.
  [[nodiscard]] double value() const;

 private:
  std::vector<double> parts_;  // none of them 0, smallest first
};

}  // namespace recmeter
