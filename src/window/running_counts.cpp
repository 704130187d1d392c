#include "recmeter/window/running_counts.h"

#include <algorithm>

namespace recmeter {

// visit(item, lists, the item's row). Rows have long left the caches: they are fetched ahead.
template <class Visit>
void RunningCounts::for_each_row(const ShowCounts& band, Visit&& visit) {
  band.for_each([&](std::uint32_t item, std::uint32_t lists) { visit(item, lists, counts_.row(item)); },
                [&](std::uint32_t item, int step) { counts_.prefetch(item, step); });
}

// What is shown in a band is in the top of its cutoff and of every larger one.
void RunningCounts::apply(std::span<const ShowCounts> bands, const ItemSet* catalog, bool entering) {
  for (std::size_t band = 0; band < bands.size(); ++band) {
    for_each_row(bands[band], [&](std::uint32_t item, std::uint32_t shown, std::uint32_t* row) {
      const bool is_in_catalog = catalog != nullptr && catalog->contains(item);
      for (std::size_t c = band; c < levels_.size(); ++c) {
        const std::uint32_t before = row[c];
        row[c] += entering ? shown : -shown;
        levels_[c].move(before, row[c]);
        if (is_in_catalog) levels_in_catalog_[c].move(before, row[c]);
      }
    });
  }
}

void RunningCounts::enter_alone(std::span<const ShowCounts> bands, const ItemSet* catalog) {
  ShowCounts top;
  for (std::size_t c = 0; c < bands.size(); ++c) {
    top.merge(bands[c]);
    top.add_up();
    top.for_each([&](std::uint32_t item, std::uint32_t lists) {
      levels_[c].move(0, lists);
      if (catalog != nullptr && catalog->contains(item)) levels_in_catalog_[c].move(0, lists);
    });
  }
}

std::vector<CountLevel> RunningCounts::Levels::sorted() const {
  std::vector<CountLevel> out;
  for (std::size_t count = 1; count < low_.size(); ++count) {
    if (low_[count] > 0) out.push_back({.lists = count, .items = low_[count]});
  }
  for (const auto& [lists, items] : high_) out.push_back({.lists = lists, .items = items});
  return out;
}

std::size_t RunningCounts::memory_bytes() const {
  std::size_t bytes = counts_.memory_bytes();
  for (const Levels& levels : levels_) bytes += levels.memory_bytes();
  for (const Levels& levels : levels_in_catalog_) bytes += levels.memory_bytes();
  return bytes;
}

}  // namespace recmeter
