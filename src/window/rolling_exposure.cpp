#include "recmeter/window/rolling_exposure.h"

#include <utility>

#include "recmeter/window/overlap.h"
#include "recmeter/window/rolling_sums.h"

namespace recmeter {

std::size_t WindowExposure::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& of_combination : combinations) {
    for (const auto& [values, snapshots] : of_combination) {
      for (const ExposureSnapshot& snapshot : snapshots) bytes += snapshot.memory_bytes();
    }
  }
  return bytes;
}

RollingExposure::RollingExposure(const WindowSpec& window, const std::vector<SegmentSpec>& segments, std::size_t values_max,
                                 ExposurePlan plan, const ItemSet* catalog)
    : bounds_(segment_bounds(segments, values_max)),
      plan_(std::move(plan)),
      catalog_(catalog),
      panes_inside_(static_cast<std::size_t>(window.size.ms / window.slide.ms)),
      panes_(window),
      sliding_(bounds_.size()) {
  keys_.push_back(0);
  for (const SegmentSpec& segment : segments) keys_.push_back(segment.keys.size());
}

void RollingExposure::add(EventTime pane, SegmentPanes<Exposure>&& exposure) {
  panes_.add(pane, std::move(exposure),
             [this](SegmentPanes<Exposure>& to, SegmentPanes<Exposure>&& from) { to.merge(std::move(from), bounds_); });
}

void RollingExposure::advance(EventTime limit, const std::function<void(WindowExposure&&)>& visit) {
  panes_.advance(
      limit, [this](std::uint32_t number, const SegmentPanes<Exposure>& pane) { enter(number, pane); },
      [this](std::uint32_t number, const SegmentPanes<Exposure>& pane) { leave(number, pane); },
      [&](EventTime start) { visit(window(start)); });
}

std::size_t RollingExposure::memory_bytes() const {
  std::size_t bytes = 0;
  panes_.for_each_pane([&](const SegmentPanes<Exposure>& pane) { bytes += pane.memory_bytes(); });
  for (const auto& of_combination : sliding_) {
    for (const auto& [values, sliding] : of_combination) bytes += sliding.exposure.memory_bytes();
  }
  for (const SlidingExposure& spare : spare_) bytes += spare.memory_bytes();
  return bytes;
}

void RollingExposure::enter(std::uint32_t number, const SegmentPanes<Exposure>& pane) {
  live_.push_back({number, &pane});
  for (std::size_t c = 0; c < pane.combinations.size(); ++c) {
    for (const auto& [values, exposure] : pane.combinations[c].own()) {
      auto at = sliding_[c].find(values);
      if (at == sliding_[c].end()) at = sliding_[c].emplace(values, Sliding{.exposure = take_spare(), .panes = {}}).first;
      at->second.exposure.enter(number, exposure, catalog_);
      at->second.panes.push_back(&exposure);
    }
  }
}

void RollingExposure::leave(std::uint32_t number, const SegmentPanes<Exposure>& pane) {
  live_.erase(live_.begin());
  for (std::size_t c = 0; c < pane.combinations.size(); ++c) {
    for (const auto& [values, exposure] : pane.combinations[c].own()) {
      const auto at = sliding_[c].find(values);
      at->second.exposure.leave(number, exposure, catalog_);
      at->second.panes.pop_front();
      if (!at->second.panes.empty()) continue;
      spare_.push_back(std::move(at->second.exposure));
      sliding_[c].erase(at);
    }
  }
}

SlidingExposure RollingExposure::take_spare() {
  if (spare_.empty()) return SlidingExposure(panes_inside_);
  SlidingExposure spare = std::move(spare_.back());
  spare_.pop_back();
  return spare;
}

WindowExposure RollingExposure::window(EventTime start) const {
  WindowExposure out{.start = start, .combinations = {}};
  for (std::size_t c = 0; c < sliding_.size(); ++c) {
    auto& facts = out.combinations.emplace_back();
    const std::vector<bool> alone = stand_alone(sliding_[c], bounds_[c]);
    bool some_together = false;
    std::size_t at = 0;
    for (const auto& [values, sliding] : sliding_[c]) {
      if (!alone[at++]) {
        some_together = true;
        continue;
      }
      facts[values] = snapshots(sliding);
    }
    for (const Live& live : live_) some_together = some_together || live.pane->combinations[c].other().has_value();
    if (some_together) facts[SegmentValues(keys_[c], std::string(segment_other))] = together(c, alone);
  }
  return out;
}

// The values of `(other)` differ from window to window, so their union is made anew: the one case in which a step costs the
// window's panes, and only beyond the limit of segment values.
std::vector<ExposureSnapshot> RollingExposure::together(std::size_t combination, const std::vector<bool>& alone) const {
  Exposure all;  // its sample is that of all parts put together
  for (const Live& live : live_) {
    const SegmentCells<Exposure>& cells = live.pane->combinations[combination];
    if (cells.other()) all.merge(*cells.other());
    for (const auto& [values, exposure] : cells.own()) {
      const auto at = std::distance(sliding_[combination].begin(), sliding_[combination].find(values));
      if (!alone[static_cast<std::size_t>(at)]) all.merge(exposure);
    }
  }
  SlidingExposure sliding(1);
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
