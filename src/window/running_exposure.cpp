#include "recmeter/window/running_exposure.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <utility>

#include "recmeter/base/check.h"
#include "window/overlap.h"

namespace recmeter {

namespace {

// A pane's number as an item's mark: never 0, and different from those of all panes that can be inside with it.
template <class Mark>
Mark mark_of(std::size_t pane) {
  return static_cast<Mark>(pane % std::numeric_limits<Mark>::max() + 1);
}

std::uint64_t items_of(const std::vector<CountLevel>& levels) {
  return std::accumulate(levels.begin(), levels.end(), std::uint64_t{0},
                         [](std::uint64_t items, const CountLevel& level) { return items + level.items; });
}

}  // namespace

RunningExposure::RunningExposure(std::size_t panes, const ExposurePlan* plan, const ItemSet* catalog)
    : plan_(plan), catalog_(catalog), distinct_(plan->cutoffs.size()) {
  if (!plan->cutoffs.empty() && plan->cutoffs.front() == scored_items) first_top_ = 1;
  RECMETER_CHECK(panes >= 1, "a window has a pane");
  if (panes == 1) return;
  if (panes <= std::numeric_limits<std::uint8_t>::max()) {
    last_seen_.emplace<1>(distinct_.size());
  } else {
    last_seen_.emplace<2>(distinct_.size());
  }
}

void RunningExposure::enter(const Exposure& pane) {
  panes_.push_back(&pane);
  const bool is_alone = std::holds_alternative<OnePane>(last_seen_);
  if (!pane.counts().empty()) {
    if (!counts_) counts_.emplace(distinct_.size());
    is_alone ? counts_->enter_alone(pane.counts(), catalog_) : counts_->enter(pane.counts(), catalog_);
  }
  switch (last_seen_.index()) {
    case 0: return count_alone(pane);
    case 1: return enter(std::get<1>(last_seen_), pane);
    default: return enter(std::get<2>(last_seen_), pane);
  }
}

void RunningExposure::leave(const Exposure& pane) {
  RECMETER_CHECK(panes_.size() > 1 && panes_.front() == &pane, "panes leave in the order in which they entered");
  if (!pane.counts().empty()) counts_->leave(pane.counts(), catalog_);
  if (last_seen_.index() == 1) {
    leave(std::get<1>(last_seen_), pane);
  } else {
    leave(std::get<2>(last_seen_), pane);
  }
  panes_.pop_front();
  ++first_;
}

void RunningExposure::add(const RunningExposure& other) {
  is_together_ = true;
  panes_.insert(panes_.end(), other.panes_.begin(), other.panes_.end());
}

std::vector<ExposureSnapshot> RunningExposure::snapshot() const {
  if (is_together_) {
    Exposure all;  // its sample is that of all parts put together
    for (const Exposure* pane : panes_) all.merge(*pane);
    RunningExposure alone(1, plan_, catalog_);
    alone.enter(all);
    return alone.snapshot();
  }
  std::vector<const ListSample*> samples;
  for (const Exposure* pane : panes_) samples.push_back(&pane->sample());
  std::vector<ExposureSnapshot> snapshots(distinct_.size());
  for (std::size_t c = 0; c < distinct_.size(); ++c) {
    ExposureSnapshot& out = snapshots[c];
    out.distinct = distinct_[c].items;
    out.distinct_in_catalog = distinct_[c].in_catalog;
    out.items_listed = catalog_ != nullptr;
    if (c < first_top_) continue;
    if (counts_) {
      out.levels = counts_->levels(c);
      out.levels_in_catalog = counts_->levels_in_catalog(c);
      out.distinct = items_of(out.levels);
      out.distinct_in_catalog = catalog_ == nullptr ? out.distinct : items_of(out.levels_in_catalog);
    }
    if (plan_->compared_lists == 0) continue;
    out.overlap = std::make_shared<const OverlapFacts>(overlap_of(samples, plan_->cutoffs[c], plan_->compared_lists));
  }
  return snapshots;
}

void RunningExposure::count_alone(const Exposure& pane) {
  ItemSet shown;
  for (std::size_t c = 0; c < pane.sets().size(); ++c) {
    if (c == first_top_) shown = {};
    shown.merge(pane.sets()[c]);
    distinct_[c].items = shown.size();
    distinct_[c].in_catalog = catalog_ == nullptr ? distinct_[c].items : shown.size_of_common(*catalog_);
  }
}

template <class Mark>
void RunningExposure::enter(LastSeen<Mark>& last_seen, const Exposure& pane) {
  const Mark mark = mark_of<Mark>(first_ + panes_.size() - 1);
  const std::size_t cutoffs = pane.sets().size();
  for (std::size_t set = 0; set < cutoffs; ++set) {
    pane.sets()[set].for_each([&](std::uint32_t item) {
      Mark* const row = last_seen.row(item);
      // Seen at this rank, so in the top of every larger cutoff too.
      for (std::size_t c = set; c < end_of(set); ++c) {
        if (row[c] == 0) {
          ++distinct_[c].items;
          distinct_[c].in_catalog += catalog_ == nullptr || catalog_->contains(item) ? 1U : 0U;
        }
        row[c] = mark;
      }
    });
  }
}

template <class Mark>
void RunningExposure::leave(LastSeen<Mark>& last_seen, const Exposure& pane) {
  const Mark mark = mark_of<Mark>(first_);
  const std::size_t cutoffs = pane.sets().size();
  for (std::size_t set = 0; set < cutoffs; ++set) {
    pane.sets()[set].for_each([&](std::uint32_t item) {
      Mark* const row = last_seen.row(item);
      for (std::size_t c = set; c < end_of(set); ++c) {
        if (row[c] != mark) continue;
        row[c] = 0;
        --distinct_[c].items;
        distinct_[c].in_catalog -= catalog_ == nullptr || catalog_->contains(item) ? 1U : 0U;
      }
    });
  }
}

std::size_t RunningExposure::memory_bytes() const {
  std::size_t bytes = sizeof(*this) + distinct_.capacity() * sizeof(Distinct);
  const auto add = [&](const auto& last_seen) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(last_seen)>, OnePane>) bytes += last_seen.memory_bytes();
  };
  std::visit(add, last_seen_);
  if (counts_) bytes += counts_->memory_bytes();
  return bytes;
}

WindowExposure snapshot_of(std::span<const SlidingWindow<RunningExposure>::Segment> segments) {
  WindowExposure snapshots;
  for (const auto& [values, state] : segments) snapshots.emplace(values, state->snapshot());
  return snapshots;
}

std::size_t memory_bytes(const WindowExposure& exposure) {
  std::size_t bytes = 0;
  for (const auto& [values, snapshots] : exposure) {
    for (const ExposureSnapshot& snapshot : snapshots) bytes += snapshot.memory_bytes();
  }
  return bytes;
}

}  // namespace recmeter
