#include "recmeter/window/popularity_table.h"

#include "recmeter/base/check.h"

namespace recmeter {

void PopularityTable::advance(EventTime w, EventTime needed_from) {
  const std::int64_t oldest = step_of(needed_from);
  unknown_from_ = step_of(w) + 1;
  while (!coming_.empty() && coming_.begin()->first <= step_of(w)) {
    const std::int64_t step = coming_.begin()->first;
    std::uint64_t users = users_.newest();
    for (const ActingChange& change : coming_.begin()->second) {
      const auto by = static_cast<std::uint64_t>(static_cast<std::int64_t>(change.change));
      if (change.item == Interner::none) {
        users += by;
        continue;
      }
      if (items_.size() <= change.item) items_.resize(change.item + 1);
      StepHistory& item = items_[change.item];
      const std::uint64_t before = item.newest();
      RECMETER_CHECK(change.change > 0 || before > 0, "nobody leaves who did not act");
      set(item, step, before + by, oldest);
      top_.move(before, before + by);
    }
    if (users != users_.newest()) set(users_, step, users, oldest);
    const std::uint64_t threshold = top_.threshold();
    if (threshold != popular_from_.newest()) set(popular_from_, step, threshold, oldest);
    coming_.erase(coming_.begin());
  }
}

void PopularityTable::set(StepHistory& history, std::int64_t step, std::uint64_t value, std::int64_t needed_from) {
  history_bytes_ -= history.memory_bytes();
  history.set(step, value, needed_from);
  history_bytes_ += history.memory_bytes();
}

void PopularityTable::forget(Interner::Id item) {
  if (item >= items_.size()) return;
  RECMETER_CHECK(items_[item].newest() == 0, "an item is forgotten on which users acted");
  history_bytes_ -= items_[item].memory_bytes();
  items_[item] = {};
}

std::size_t PopularityTable::memory_bytes() const {
  return history_bytes_ + items_.capacity() * sizeof(StepHistory) + top_.memory_bytes();
}

}  // namespace recmeter
