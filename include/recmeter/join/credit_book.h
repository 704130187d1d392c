// CreditBook: which feedback was assigned to which list, and at which horizons. SEMANTICS §4.
//
// A list's credits are a chain of small records. A (list, item, action) has at most one record of what counts (its first
// feedback at each horizon) and one of what was repeated. Thread safety: none.
#pragma once

#include <cstdint>
#include <vector>

#include "recmeter/base/interner.h"

namespace recmeter {

// One bit a horizon, in configured order.
using HorizonMask = std::uint32_t;

struct Assignment {
  std::uint32_t next = 0;  // index + 1; 0: the last
  Interner::Id item = Interner::none;
  HorizonMask mask = 0;       // where it counts; for repeats: where it was repeated
  std::uint32_t repeats = 0;  // 0: this record counts; else how many further feedbacks had exactly this mask
  std::uint8_t action = 0;
};

class CreditBook {
 public:
  // The horizons at which (item, action) is credited in the chain `head`.
  [[nodiscard]] HorizonMask credited(std::uint32_t head, Interner::Id item, std::uint8_t action) const;
  // Assigns a feedback at `mask`: it counts where the triple is new, and is repeated elsewhere. Returns where it counts.
  HorizonMask assign(std::uint32_t& head, Interner::Id item, std::uint8_t action, HorizonMask mask);
  [[nodiscard]] const Assignment& at(std::uint32_t index_plus_one) const { return credits_[index_plus_one - 1]; }
  void forget(std::uint32_t head);

 private:
  std::uint32_t make(const Assignment& credit);

  std::vector<Assignment> credits_;
  std::vector<std::uint32_t> free_;
};

}  // namespace recmeter
