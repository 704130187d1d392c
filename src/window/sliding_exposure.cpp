#include "recmeter/window/sliding_exposure.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <type_traits>

#include "recmeter/base/check.h"

namespace recmeter {

namespace {

// A pane's number as an item's mark: never 0, and different from those of all panes that can be inside with it.
template <class Mark>
Mark mark_of(std::uint32_t pane) {
  return static_cast<Mark>(pane % std::numeric_limits<Mark>::max() + 1);
}

std::uint64_t items_of(const std::vector<CountLevel>& levels) {
  return std::accumulate(levels.begin(), levels.end(), std::uint64_t{0},
                         [](std::uint64_t items, const CountLevel& level) { return items + level.items; });
}

}  // namespace

SlidingExposure::SlidingExposure(std::size_t panes, std::size_t cutoffs) : distinct_(cutoffs) {
  RECMETER_CHECK(panes >= 1, "a window has a pane");
  if (panes == 1) return;
  if (panes <= std::numeric_limits<std::uint8_t>::max()) {
    last_seen_.emplace<1>(cutoffs);
  } else {
    last_seen_.emplace<2>(cutoffs);
  }
}

void SlidingExposure::enter(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog) {
  enter_parts(exposure, catalog);
  switch (last_seen_.index()) {
    case 0: return count_alone(exposure, catalog);
    case 1: return enter(std::get<1>(last_seen_), mark_of<std::uint8_t>(pane), exposure, catalog);
    default: return enter(std::get<2>(last_seen_), mark_of<std::uint32_t>(pane), exposure, catalog);
  }
}

void SlidingExposure::leave(std::uint32_t pane, const Exposure& exposure, const ItemSet* catalog) {
  leave_parts(exposure, catalog);
  switch (last_seen_.index()) {
    case 0: return std::fill(distinct_.begin(), distinct_.end(), Distinct{});
    case 1: return leave(std::get<1>(last_seen_), mark_of<std::uint8_t>(pane), exposure, catalog);
    default: return leave(std::get<2>(last_seen_), mark_of<std::uint32_t>(pane), exposure, catalog);
  }
}

void SlidingExposure::enter_parts(const Exposure& exposure, const ItemSet* catalog) {
  if (exposure.counts().empty()) return;
  if (!counts_) counts_.emplace(distinct_.size());
  if (std::holds_alternative<OnePane>(last_seen_)) {
    counts_->enter_alone(exposure.counts(), catalog);
  } else {
    counts_->enter(exposure.counts(), catalog);
  }
}

void SlidingExposure::leave_parts(const Exposure& exposure, const ItemSet* catalog) {
  if (exposure.counts().empty()) return;
  if (std::holds_alternative<OnePane>(last_seen_)) {
    counts_->leave_alone();
  } else {
    counts_->leave(exposure.counts(), catalog);
  }
}

ExposureSnapshot SlidingExposure::snapshot(std::size_t c, const ItemSet* catalog) const {
  ExposureSnapshot out;
  out.distinct = distinct_[c].items;
  out.distinct_in_catalog = distinct_[c].in_catalog;
  out.items_listed = catalog != nullptr;
  if (counts_) {
    out.levels = counts_->levels(c);
    out.levels_in_catalog = counts_->levels_in_catalog(c);
    out.distinct = items_of(out.levels);
    out.distinct_in_catalog = catalog == nullptr ? out.distinct : items_of(out.levels_in_catalog);
  }
  return out;
}

void SlidingExposure::count_alone(const Exposure& exposure, const ItemSet* catalog) {
  ItemSet shown;
  for (std::size_t c = 0; c < exposure.sets().size(); ++c) {
    shown.merge(exposure.sets()[c]);
    distinct_[c].items = shown.size();
    distinct_[c].in_catalog = catalog == nullptr ? distinct_[c].items : shown.size_of_common(*catalog);
  }
}

template <class Mark>
void SlidingExposure::enter(LastSeen<Mark>& last_seen, Mark mark, const Exposure& exposure, const ItemSet* catalog) {
  const std::size_t cutoffs = exposure.sets().size();
  for (std::size_t set = 0; set < cutoffs; ++set) {
    exposure.sets()[set].for_each([&](std::uint32_t item) {
      Mark* const row = last_seen.row(item);
      // Seen at this rank, so in the top of every larger cutoff too.
      for (std::size_t c = set; c < cutoffs; ++c) {
        if (row[c] == 0) {
          ++distinct_[c].items;
          distinct_[c].in_catalog += catalog == nullptr || catalog->contains(item) ? 1U : 0U;
        }
        row[c] = mark;
      }
    });
  }
}

template <class Mark>
void SlidingExposure::leave(LastSeen<Mark>& last_seen, Mark mark, const Exposure& exposure, const ItemSet* catalog) {
  const std::size_t cutoffs = exposure.sets().size();
  for (std::size_t set = 0; set < cutoffs; ++set) {
    exposure.sets()[set].for_each([&](std::uint32_t item) {
      Mark* const row = last_seen.row(item);
      for (std::size_t c = set; c < cutoffs; ++c) {
        if (row[c] != mark) continue;
        row[c] = 0;
        --distinct_[c].items;
        distinct_[c].in_catalog -= catalog == nullptr || catalog->contains(item) ? 1U : 0U;
      }
    });
  }
}

std::size_t SlidingExposure::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + distinct_.capacity() * sizeof(Distinct);
  const auto add = [&](const auto& last_seen) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(last_seen)>, OnePane>) bytes += last_seen.memory_bytes();
  };
  std::visit(add, last_seen_);
  if (counts_) bytes += counts_->memory_bytes();
  return bytes;
}

}  // namespace recmeter
