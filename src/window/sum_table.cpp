#include "recmeter/window/sum_table.h"

#include <algorithm>
#include <utility>

namespace recmeter {

// The key's slot, or the free one where it would go. Requires: slots, and a free one among them.
std::size_t SumTable::find(std::uint32_t key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = home(key);
  while (slots_[at].sum != 0 && slots_[at].key != key) at = (at + 1) & mask;
  return at;
}

std::uint32_t SumTable::add(std::uint32_t key, std::uint32_t by) {
  if (by == 0) return at(key);
  if (used_ * 3 >= slots_.size() * 2) grow();
  const std::size_t at = find(key);
  Slot& slot = slots_[at];
  if (slot.sum == 0) ++used_;
  slot.key = key;
  slot.sum += by;
  if (slot.sum != 0) return slot.sum;
  erase(at);
  return 0;
}

std::uint32_t SumTable::at(std::uint32_t key) const {
  return slots_.empty() ? 0 : slots_[find(key)].sum;
}

// Moves up what probing would no more find behind the freed slot.
void SumTable::erase(std::size_t at) {
  --used_;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t next = (at + 1) & mask; slots_[next].sum != 0; next = (next + 1) & mask) {
    const std::size_t distance = (next - home(slots_[next].key)) & mask;
    if (distance < ((next - at) & mask)) continue;  // it stands between its home and here
    slots_[at] = slots_[next];
    slots_[next].sum = 0;
    at = next;
  }
}

void SumTable::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(8, slots_.size() * 2)));
  for (const Slot& slot : old) {
    if (slot.sum != 0) slots_[find(slot.key)] = slot;
  }
}

}  // namespace recmeter
