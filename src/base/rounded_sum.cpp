#include "recmeter/base/rounded_sum.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace recmeter {

void RoundedSum::add(double number) {
  std::size_t kept = 0;
  for (double part : parts_) {
    if (std::abs(number) < std::abs(part)) std::swap(number, part);
    const double sum = number + part;
    const double rest = part - (sum - number);
    if (rest != 0) parts_[kept++] = rest;
    number = sum;
  }
  parts_.resize(kept);
  if (number != 0) parts_.push_back(number);
}

double RoundedSum::value() const {
  double sum = 0;
  std::size_t left = parts_.size();
  while (left > 0) {
    const double before = sum;
    const double part = parts_[--left];
    sum = before + part;
    const double rest = part - (sum - before);
    if (rest == 0) continue;
    // Halfway between two doubles what is left decides.
    const bool has_more = left > 0 && (parts_[left - 1] > 0) == (rest > 0);
    const double twice = rest * 2;
    if (has_more && (sum + twice) - sum == twice) sum += twice;
    break;
  }
  return sum;
}

}  // namespace recmeter
