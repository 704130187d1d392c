#include "recmeter/join/paid_items.h"

namespace recmeter {

namespace {

double bounded(double value) {
  return std::clamp(value, -PaidItems::value_max, PaidItems::value_max);
}

}  // namespace

void PaidItems::pay(std::uint32_t rank, std::uint8_t action, std::optional<double> value) {
  at(rank, action).paid += bounded(value.value_or(0));
}

void PaidItems::take_back(std::uint32_t rank, std::uint8_t action, std::optional<double> value) {
  PaidItem& item = at(rank, action);
  item.taken_back = true;
  item.paid -= value ? bounded(*value) : item.net();
}

bool PaidItems::is_undone(std::uint32_t rank, std::uint8_t action) const {
  return std::ranges::any_of(
      items_, [&](const PaidItem& item) { return item.rank == rank && item.action == action && item.is_undone(); });
}

PaidItem& PaidItems::at(std::uint32_t rank, std::uint8_t action) {
  const auto found =
      std::ranges::find_if(items_, [&](const PaidItem& item) { return item.rank == rank && item.action == action; });
  return found != items_.end() ? *found : items_.emplace_back(PaidItem{.rank = rank, .action = action});
}

}  // namespace recmeter
