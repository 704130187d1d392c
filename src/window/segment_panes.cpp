#include "recmeter/window/segment_panes.h"

namespace recmeter {

std::vector<SegmentBound> segment_bounds(const std::vector<SegmentSpec>& segments, std::size_t values_max) {
  std::vector<SegmentBound> bounds{{.keep = {}, .values_max = 1}};
  for (const SegmentSpec& segment : segments) {
    bounds.push_back({.keep = {segment.keep.begin(), segment.keep.end()}, .values_max = values_max});
  }
  return bounds;
}

}  // namespace recmeter
