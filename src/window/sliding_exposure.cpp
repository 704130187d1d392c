#include "recmeter/window/sliding_exposure.h"

#include <algorithm>

namespace recmeter {

std::uint32_t& SlidingExposure::LastSeen::at(std::uint32_t item) {
  const std::size_t page = item / page_items;
  if (page >= pages.size()) pages.resize(page + 1);
  if (!pages[page]) pages[page] = std::make_unique<std::uint32_t[]>(page_items);
  return pages[page][item % page_items];
}

void SlidingExposure::enter(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog) {
  const std::size_t cutoffs = exposure.sets().size();
  if (last_seen_.size() < cutoffs) {
    last_seen_.resize(cutoffs);
    facts_.resize(cutoffs);
  }
  for (std::size_t set = 0; set < cutoffs; ++set) {
    exposure.sets()[set].for_each([&](std::uint32_t item) {
      // Seen at this rank, so in the top of every larger cutoff too.
      for (std::size_t c = set; c < cutoffs; ++c) {
        std::uint32_t& last = last_seen_[c].at(item);
        if (last == 0) {
          ++facts_[c].distinct;
          facts_[c].distinct_in_catalog += catalog == nullptr || catalog->contains(item) ? 1U : 0U;
        }
        last = pane + 1;
      }
    });
  }
}

void SlidingExposure::leave(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog) {
  const std::size_t cutoffs = exposure.sets().size();
  for (std::size_t set = 0; set < cutoffs; ++set) {
    exposure.sets()[set].for_each([&](std::uint32_t item) {
      for (std::size_t c = set; c < cutoffs; ++c) {
        std::uint32_t& last = last_seen_[c].at(item);
        if (last != pane + 1) continue;
        last = 0;
        --facts_[c].distinct;
        facts_[c].distinct_in_catalog -= catalog == nullptr || catalog->contains(item) ? 1U : 0U;
      }
    });
  }
}

}  // namespace recmeter
