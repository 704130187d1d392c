// Balance: what an action came to for one item: what was paid and what was taken back, in the order in which it was done.
// [S4.24].
//
// Values beyond `value_max` in magnitude count as that. What was taken back beyond what was paid is kept: 5 paid, 10 taken
// back and 8 paid leave 3. A value; thread safety: none.
#pragma once

#include <algorithm>
#include <optional>

namespace recmeter {

class Balance {
 public:
  static constexpr double value_max = 0x1p58;

  // Without a value an action is worth nothing.
  void pay(std::optional<double> value) { paid_ += bounded(value.value_or(0)); }
  // Without a value it takes all that is left of what was paid until then.
  void take_back(std::optional<double> value) {
    taken_back_ = true;
    paid_ -= value ? bounded(*value) : net();
  }

  [[nodiscard]] double net() const { return std::max(0.0, paid_); }
  // Then the action did not happen.
  [[nodiscard]] bool is_undone() const { return taken_back_ && net() == 0; }

 private:
  [[nodiscard]] static double bounded(double value) { return std::clamp(value, -value_max, value_max); }

  double paid_ = 0;          // may be below 0
  bool taken_back_ = false;  // once at least, wholly or in part
};

}  // namespace recmeter
