#include "recmeter/window/rolling_sums.h"

#include <algorithm>

namespace recmeter {

std::vector<SegmentBound> segment_bounds(const std::vector<SegmentSpec>& segments, std::size_t values_max) {
  std::vector<SegmentBound> bounds{{.keep = {}, .values_max = 1}};
  for (const SegmentSpec& segment : segments) {
    bounds.push_back({.keep = {segment.keep.begin(), segment.keep.end()}, .values_max = values_max});
  }
  return bounds;
}

RollingSums::RollingSums(const WindowSpec& window, const std::vector<SegmentSpec>& segments, std::size_t values_max)
    : bounds_(segment_bounds(segments, values_max)), panes_(window), running_(bounds_.size()) {
  keys_.push_back(0);
  for (const SegmentSpec& segment : segments) keys_.push_back(segment.keys.size());
}

void RollingSums::add(EventTime pane, SegmentPanes<PaneSums>&& sums) {
  panes_.add(pane, std::move(sums),
             [this](SegmentPanes<PaneSums>& to, SegmentPanes<PaneSums>&& from) { to.merge(std::move(from), bounds_); });
}

void RollingSums::advance(EventTime limit, const std::function<void(const WindowSums&)>& visit) {
  panes_.advance(
      limit, [this](std::uint32_t, const SegmentPanes<PaneSums>& pane) { apply(pane, true); },
      [this](std::uint32_t, const SegmentPanes<PaneSums>& pane) { apply(pane, false); },
      [&](EventTime start) { visit(window(start)); });
}

void RollingSums::apply(const SegmentPanes<PaneSums>& pane, bool entering) {
  for (std::size_t c = 0; c < pane.combinations.size(); ++c) {
    Combination& running = running_[c];
    for (const auto& [values, sums] : pane.combinations[c].own()) {
      if (entering) {
        running.own[values].add(sums);
        continue;
      }
      const auto at = running.own.find(values);
      if (at->second.lists() == sums.lists()) {
        running.own.erase(at);  // the last one that holds the value leaves, and nothing would be left
      } else {
        at->second.subtract(sums);
      }
    }
    if (const auto& other = pane.combinations[c].other()) {
      if (entering) {
        running.other.add(*other);
      } else {
        running.other.subtract(*other);
      }
    }
  }
}

WindowSums RollingSums::window(EventTime start) {
  WindowSums out{.start = start, .combinations = {}};
  for (std::size_t c = 0; c < running_.size(); ++c) {
    Combination& running = running_[c];
    auto& segments = out.combinations.emplace_back();
    running.together.reset();
    if (running.other.lists() > 0) running.together = running.other;
    const std::vector<bool> alone = stand_alone(running.own, bounds_[c]);
    std::size_t at = 0;
    for (const auto& [values, sums] : running.own) {
      if (alone[at++]) {
        segments.push_back({values, &sums});
      } else {
        if (!running.together) running.together.emplace();
        running.together->add(sums);
      }
    }
    if (running.together) {
      const SegmentValues values(keys_[c], std::string(segment_other));
      const auto place = std::lower_bound(segments.begin(), segments.end(), values,
                                          [](const WindowSums::Segment& s, const SegmentValues& v) { return s.values < v; });
      segments.insert(place, {values, &*running.together});
    }
  }
  return out;
}

std::size_t RollingSums::memory_bytes() const {
  std::size_t bytes = 0;
  panes_.for_each_pane([&](const SegmentPanes<PaneSums>& pane) { bytes += pane.memory_bytes(); });
  for (const Combination& running : running_) {
    for (const auto& [values, sums] : running.own) bytes += sums.memory_bytes();
    bytes += running.other.memory_bytes();
  }
  return bytes;
}

}  // namespace recmeter
