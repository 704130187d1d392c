#include "recmeter/window/rolling_exposure.h"

#include <utility>

#include "recmeter/window/rolling_sums.h"
#include "window/overlap.h"

namespace recmeter {

std::size_t WindowExposure::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [values, snapshots] : segments) {
    for (const ExposureSnapshot& snapshot : snapshots) bytes += snapshot.memory_bytes();
  }
  return bytes;
}

RollingExposure::RollingExposure(const WindowSpec& window, SegmentBound bound, std::size_t keys, ExposurePlan plan,
                                 const ItemSet* catalog)
    : bound_(std::move(bound)),
      keys_(keys),
      plan_(std::move(plan)),
      catalog_(catalog),
      panes_inside_(static_cast<std::size_t>(window.size.ms / window.slide.ms)),
      panes_(window) {}

void RollingExposure::add(EventTime pane, SegmentCells<Exposure>&& exposure) {
  panes_.add(pane, std::move(exposure),
             [this](SegmentCells<Exposure>& to, SegmentCells<Exposure>&& from) { to.merge(std::move(from), bound_); });
}

void RollingExposure::advance(EventTime limit, const std::function<void(WindowExposure&&)>& visit) {
  panes_.advance(
      limit, [this](std::uint32_t number, const SegmentCells<Exposure>& pane) { enter(number, pane); },
      [this](std::uint32_t number, const SegmentCells<Exposure>& pane) { leave(number, pane); },
      [&](EventTime start) { visit(window(start)); });
}

std::size_t RollingExposure::memory_bytes() const {
  std::size_t bytes = 0;
  panes_.for_each_pane([&](const SegmentCells<Exposure>& pane) { bytes += pane.memory_bytes(); });
  for (const auto& [values, sliding] : sliding_) bytes += sliding.exposure.memory_bytes();
  for (const SlidingExposure& spare : spare_) bytes += spare.memory_bytes();
  return bytes;
}

void RollingExposure::enter(std::uint32_t number, const SegmentCells<Exposure>& pane) {
  live_.push_back({number, &pane});
  for (const auto& [values, exposure] : pane.own()) {
    auto at = sliding_.find(values);
    if (at == sliding_.end()) at = sliding_.emplace(values, Sliding{.exposure = take_spare(), .panes = {}}).first;
    at->second.exposure.enter(number, exposure, catalog_);
    at->second.panes.push_back(&exposure);
  }
}

void RollingExposure::leave(std::uint32_t number, const SegmentCells<Exposure>& pane) {
  live_.erase(live_.begin());
  for (const auto& [values, exposure] : pane.own()) {
    const auto at = sliding_.find(values);
    at->second.exposure.leave(number, exposure, catalog_);
    at->second.panes.pop_front();
    if (!at->second.panes.empty()) continue;
    spare_.push_back(std::move(at->second.exposure));
    sliding_.erase(at);
  }
}

SlidingExposure RollingExposure::take_spare() {
  if (spare_.empty()) return SlidingExposure(panes_inside_, plan_.cutoffs.size());
  SlidingExposure spare = std::move(spare_.back());
  spare_.pop_back();
  return spare;
}

WindowExposure RollingExposure::window(EventTime start) const {
  WindowExposure out{.start = start, .segments = {}};
  const std::vector<bool> alone = stand_alone(sliding_, bound_);
  bool some_together = false;
  std::size_t at = 0;
  for (const auto& [values, sliding] : sliding_) {
    if (alone[at++]) {
      out.segments[values] = snapshots(sliding);
    } else {
      some_together = true;
    }
  }
  for (const Live& live : live_) some_together = some_together || live.pane->other().has_value();
  if (some_together) out.segments[SegmentValues(keys_, std::string(segment_other))] = together(alone);
  return out;
}

// The values of `(other)` differ from window to window, so their union is made anew: the one case in which a step costs the
// window's panes, and only beyond the limit of segment values.
std::vector<ExposureSnapshot> RollingExposure::together(const std::vector<bool>& alone) const {
  Exposure all;  // its sample is that of all parts put together
  for (const Live& live : live_) {
    if (live.pane->other()) all.merge(*live.pane->other());
    for (const auto& [values, exposure] : live.pane->own()) {
      const auto at = std::distance(sliding_.begin(), sliding_.find(values));
      if (!alone[static_cast<std::size_t>(at)]) all.merge(exposure);
    }
  }
  SlidingExposure sliding(1, plan_.cutoffs.size());
  sliding.enter(0, all, catalog_);
  return snapshots({.exposure = std::move(sliding), .panes = {&all}});
}

std::vector<ExposureSnapshot> RollingExposure::snapshots(const Sliding& sliding) const {
  std::vector<const ListSample*> samples;
  for (const Exposure* pane : sliding.panes) samples.push_back(&pane->sample());
  std::vector<ExposureSnapshot> snapshots;
  for (std::size_t k = 0; k < plan_.cutoffs.size(); ++k) {
    ExposureSnapshot& snapshot = snapshots.emplace_back(sliding.exposure.snapshot(k, catalog_));
    if (plan_.compared_lists == 0) continue;
    snapshot.overlap = std::make_shared<const OverlapFacts>(overlap_of(samples, plan_.cutoffs[k], plan_.compared_lists));
  }
  return snapshots;
}

}  // namespace recmeter
