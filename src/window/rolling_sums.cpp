#include "recmeter/window/rolling_sums.h"

#include <algorithm>
#include <utility>

namespace recmeter {

RollingSums::RollingSums(const WindowSpec& window, SegmentBound bound, std::size_t keys)
    : bound_(std::move(bound)), keys_(keys), panes_(window) {}

void RollingSums::add(EventTime pane, SegmentCells<PaneSums>&& sums) {
  panes_.add(pane, std::move(sums),
             [this](SegmentCells<PaneSums>& to, SegmentCells<PaneSums>&& from) { to.merge(std::move(from), bound_); });
}

void RollingSums::advance(EventTime limit, const std::function<void(const WindowSums&)>& visit) {
  panes_.advance(
      limit, [this](std::uint32_t, const SegmentCells<PaneSums>& pane) { apply(pane, true); },
      [this](std::uint32_t, const SegmentCells<PaneSums>& pane) { apply(pane, false); },
      [&](EventTime start) { visit(window(start)); });
}

void RollingSums::apply(const SegmentCells<PaneSums>& pane, bool entering) {
  for (const auto& [values, sums] : pane.own()) {
    if (entering) {
      own_[values].add(sums);
      continue;
    }
    const auto at = own_.find(values);
    if (at->second.lists() == sums.lists()) {
      own_.erase(at);  // the last one that holds the value leaves, and nothing would be left
    } else {
      at->second.subtract(sums);
    }
  }
  if (const auto& other = pane.other()) {
    if (entering) {
      other_.add(*other);
    } else {
      other_.subtract(*other);
    }
  }
}

WindowSums RollingSums::window(EventTime start) {
  WindowSums out{.start = start, .segments = {}};
  together_.reset();
  if (other_.lists() > 0) together_ = other_;
  const std::vector<bool> alone = stand_alone(own_, bound_);
  std::size_t at = 0;
  for (const auto& [values, sums] : own_) {
    if (alone[at++]) {
      out.segments.push_back({values, &sums});
    } else {
      if (!together_) together_.emplace();
      together_->add(sums);
    }
  }
  if (together_) {
    const SegmentValues values(keys_, std::string(segment_other));
    const auto place = std::lower_bound(out.segments.begin(), out.segments.end(), values,
                                        [](const WindowSums::Segment& s, const SegmentValues& v) { return s.values < v; });
    out.segments.insert(place, {values, &*together_});
  }
  return out;
}

std::size_t RollingSums::memory_bytes() const {
  std::size_t bytes = other_.memory_bytes();
  panes_.for_each_pane([&](const SegmentCells<PaneSums>& pane) { bytes += pane.memory_bytes(); });
  for (const auto& [values, sums] : own_) bytes += sums.memory_bytes();
  return bytes;
}

}  // namespace recmeter
