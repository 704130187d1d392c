// Law: a property that a metric claims and tests/laws checks over random lists, for whoever claims it. What holds for every
// metric of a family (ranges, sums that merge, lists that only count) is not listed: it is checked for all. Laws hold for the
// definition with its default options.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace recmeter {

enum class Law : std::uint8_t {
  swap_up_never_lowers,    // moving a relevant item towards the top never lowers the value
  swap_up_never_raises,    // the same for metrics where smaller is better
  order_within_k_is_free,  // which of the first k ranks are relevant does not matter
  one_when_ideal,          // 1 for the list's relevant items first, best first, and all of them shown within k
  zero_without_hits,       // 0 for every list without relevant items in the top k
  shift_of_scores,         // unchanged when all ratings and predictions move by the same amount
  none_beyond_family,      // nothing more to claim: say why at the definition
};

class LawSet {
 public:
  LawSet() = delete;
  constexpr LawSet(std::initializer_list<Law> laws) {
    for (const Law law : laws) bits_ |= bit(law);
  }
  [[nodiscard]] constexpr bool has(Law law) const { return (bits_ & bit(law)) != 0; }

 private:
  static constexpr std::uint32_t bit(Law law) { return 1U << static_cast<unsigned>(law); }
  std::uint32_t bits_ = 0;
};

}  // namespace recmeter
