#include "recmeter/experiment/slot_sums.h"

namespace recmeter {

SlotSums& SlotSums::operator+=(const SlotSums& other) {
  for (std::size_t g = 0; g < experiment_slots; ++g) {
    s[g] += other.s[g];
    n[g] += other.n[g];
    x[g] += other.x[g];
    p[g] += other.p[g];
    m[g] += other.m[g];
  }
  return *this;
}

Int128 total_of(const SlotColumn& column) {
  Int128 total = 0;
  for (const Int128 sum : column) total += sum;
  return total;
}

double from_q32(Int128 sum) {
  return static_cast<double>(sum) * 0x1p-32;  // the conversion rounds; the factor is exact
}

}  // namespace recmeter
