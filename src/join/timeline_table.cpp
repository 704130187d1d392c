#include "recmeter/join/timeline_table.h"

#include "recmeter/base/check.h"

namespace recmeter {

namespace {
constexpr std::size_t table_slots_min = 1024;
}

TimelineTable::TimelineTable(std::pmr::memory_resource* memory)
    : timelines_(memory), slots_(table_slots_min, memory), free_(memory) {}

TimelineTable::Index TimelineTable::insert(std::uint64_t hash, Timeline timeline) {
  timeline.tag = tag_of(hash);
  if ((live_ + 1) * 2 > slots_.size()) rebuild(slots_.size() * 2);
  Index index;
  if (free_.empty()) {
    index = static_cast<Index>(timelines_.size());
    timelines_.push_back(timeline);
  } else {
    index = free_.back();
    free_.pop_back();
    timelines_[index] = timeline;
  }
  std::size_t at = timeline.tag & mask();
  while (slots_[at].index != none) at = (at + 1) & mask();
  slots_[at] = {timeline.tag, index};
  ++live_;
  return index;
}

void TimelineTable::erase(Index index) {
  std::size_t at = timelines_[index].tag & mask();
  while (slots_[at].index != index) {
    RECMETER_CHECK(slots_[at].index != none, "a timeline that is not in its table");
    at = (at + 1) & mask();
  }
  // Closes the gap: what was pushed past it by probing moves back, so that no look-up stops early.
  for (std::size_t next = (at + 1) & mask(); slots_[next].index != none; next = (next + 1) & mask()) {
    const std::size_t home = slots_[next].tag & mask();
    if (((next - home) & mask()) >= ((next - at) & mask())) {
      slots_[at] = slots_[next];
      at = next;
    }
  }
  slots_[at] = {};
  free_.push_back(index);
  --live_;
}

void TimelineTable::rebuild(std::size_t slots) {
  std::pmr::vector<Slot> old(slots, slots_.get_allocator());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.index == none) continue;
    std::size_t at = slot.tag & mask();
    while (slots_[at].index != none) at = (at + 1) & mask();
    slots_[at] = slot;
  }
}

}  // namespace recmeter
