// PaidItems: what an action was worth for each item of one list, and what was taken back of it. [S4.24].
//
// Values beyond `value_max` in magnitude count as that. Thread safety: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace recmeter {

struct PaidItem {
  std::uint32_t rank = 0;
  std::uint8_t action = 0;
  bool taken_back = false;  // once at least, wholly or in part
  double paid = 0;          // may be below 0

  [[nodiscard]] double net() const { return std::max(0.0, paid); }
  // Then the action did not happen.
  [[nodiscard]] bool is_undone() const { return taken_back && net() == 0; }
};

class PaidItems {
 public:
  static constexpr double value_max = 0x1p58;

  void clear() { items_.clear(); }
  // What was done first comes first. Without a value an action is worth nothing, and what undoes it takes back all that is
  // left of what was paid until then.
  void pay(std::uint32_t rank, std::uint8_t action, std::optional<double> value);
  void take_back(std::uint32_t rank, std::uint8_t action, std::optional<double> value);

  // One for each (rank, action), in no order.
  [[nodiscard]] std::span<const PaidItem> items() const { return items_; }
  [[nodiscard]] bool is_undone(std::uint32_t rank, std::uint8_t action) const;

 private:
  PaidItem& at(std::uint32_t rank, std::uint8_t action);

  std::vector<PaidItem> items_;
};

}  // namespace recmeter
