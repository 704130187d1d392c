#include "recmeter/join/paid_items.h"

#include <algorithm>

namespace recmeter {

void PaidItems::pay(std::uint32_t item, std::uint8_t action, std::optional<double> value) {
  of(item, action).pay(value);
}

void PaidItems::take_back(std::uint32_t item, std::uint8_t action, std::optional<double> value) {
  of(item, action).take_back(value);
}

bool PaidItems::is_undone(std::uint32_t item, std::uint8_t action) const {
  return std::ranges::any_of(
      items_, [&](const PaidItem& one) { return one.item == item && one.action == action && one.balance.is_undone(); });
}

Balance& PaidItems::of(std::uint32_t item, std::uint8_t action) {
  const auto found =
      std::ranges::find_if(items_, [&](const PaidItem& one) { return one.item == item && one.action == action; });
  if (found != items_.end()) return found->balance;
  return items_.emplace_back(PaidItem{.item = item, .action = action, .balance = {}}).balance;
}

}  // namespace recmeter
