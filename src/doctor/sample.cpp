#include "doctor/sample.h"

namespace recmeter::doctor {
namespace {
constexpr std::size_t map_entry_bytes = 48;  // of a node, its bucket and what the allocator adds
}

std::uint32_t Sample::number_of(SeenId item) {
  if (item.raw == 0) return no_item;
  const auto [at, is_new] = item_numbers_.try_emplace(item.raw, static_cast<std::uint32_t>(items_.size()));
  if (is_new) items_.push_back(item);
  return at->second;
}

std::size_t Sample::bytes() const {
  return lists_.size() * sizeof(SeenList) + actions_.size() * sizeof(SeenAction) +
         list_items_.size() * sizeof(std::uint32_t) + items_.size() * (sizeof(SeenId) + map_entry_bytes) +
         users_.size() * map_entry_bytes;
}

void Sample::add(SeenList list, std::span<const SeenId> items) {
  list.first_item = static_cast<std::uint32_t>(list_items_.size());
  list.item_count = static_cast<std::uint32_t>(items.size());
  for (const SeenId item : items) list_items_.push_back(number_of(item));
  ++users_[list.user.raw];
  lists_.push_back(list);
  halve_while_full();
}

void Sample::add(SeenAction action, SeenId item) {
  action.item = number_of(item);
  ++users_[action.user.raw];
  actions_.push_back(action);
  halve_while_full();
}

void Sample::halve_while_full() {
  if (bytes() <= bytes_max_ && users_.size() <= users_max) return;
  Sample half(bytes_max_);
  half.mask_ = 2 * mask_ + 1;
  std::vector<SeenId> ids;
  for (const SeenList& list : lists_) {
    if (!half.takes(list.user, list.id)) continue;
    ids.clear();
    for (const std::uint32_t item : items(list)) ids.push_back(items_[item]);
    half.add(list, ids);
  }
  for (const SeenAction& action : actions_) {
    if (half.takes(action.user, action.list)) half.add(action, items_[action.item]);
  }
  *this = std::move(half);
}

}  // namespace recmeter::doctor
