// PaidItems: what an action was worth for each of some items, and what was taken back of it. [S4.24].
//
// Thread safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recmeter/join/balance.h"

namespace recmeter {

struct PaidItem {
  std::uint32_t item = 0;  // as the caller numbers them: by rank in a list, or by id
  std::uint8_t action = 0;
  Balance balance;

  [[nodiscard]] double net() const { return balance.net(); }
};

class PaidItems {
 public:
  void clear() { items_.clear(); }
  // In the order in which it was done.
  void pay(std::uint32_t item, std::uint8_t action, std::optional<double> value);
  void take_back(std::uint32_t item, std::uint8_t action, std::optional<double> value);

  // One for each (item, action), in no order.
  [[nodiscard]] std::span<const PaidItem> items() const { return items_; }
  [[nodiscard]] bool is_undone(std::uint32_t item, std::uint8_t action) const;

 private:
  Balance& of(std::uint32_t item, std::uint8_t action);

  std::vector<PaidItem> items_;
};

}  // namespace recmeter
