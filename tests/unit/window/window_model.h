// A random stream of lists for rolling windows, and the segments of one window told by looking at all of them.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "recmeter/base/interner.h"
#include "recmeter/window/segment_panes.h"
#include "recmeter/window/segment_spec.h"
#include "recmeter/window/window_spec.h"
#include "support/dice.h"

namespace recmeter::test {

struct ShownList {
  std::int64_t ts;
  std::string value;  // of the one segment key
  std::size_t group;
  std::vector<Interner::Id> items;
  bool hit;  // at rank 1
};

[[nodiscard]] inline std::vector<ShownList> random_lists(support::Dice& dice) {
  std::vector<ShownList> lists;
  std::int64_t ts = 5000;
  for (int i = 0; i < 150; ++i) {
    ts += dice.percent(4) ? dice.between(50, 300) : dice.between(0, 5);
    ShownList& list =
        lists.emplace_back(ShownList{ts, "v" + std::to_string(dice.below(8)), dice.below(64), {}, dice.percent(30)});
    for (std::size_t n = dice.below(5); n > 0; --n) list.items.push_back(static_cast<Interner::Id>(dice.below(15)));
  }
  return lists;
}

[[nodiscard]] inline WindowSpec random_window(support::Dice& dice) {
  const std::int64_t slide = dice.between(1, 20);
  return {.name = "w", .size = {slide * dice.between(1, 6)}, .slide = {slide}, .offset = {dice.between(-30, 30)}};
}

// Lists of the window by the segment that shows them: (combination, values). `v2` is kept whatever else there is.
using Segments = std::map<std::pair<std::size_t, SegmentValues>, std::vector<const ShownList*>>;
[[nodiscard]] inline Segments segments_of(const std::vector<ShownList>& lists, EventTime start, Duration size,
                                          std::size_t values_max) {
  std::map<std::string, std::vector<const ShownList*>> by_value;
  Segments out;
  for (const ShownList& list : lists) {
    if (list.ts < start.ms || list.ts >= (start + size).ms) continue;
    by_value[list.value].push_back(&list);
    out[{0, {}}].push_back(&list);
  }
  std::size_t bounded = 0;
  for (const auto& [value, of_value] : by_value) {
    const bool alone = value == "v2" || bounded++ < values_max;
    auto& to = out[{1, {alone ? value : std::string(segment_other)}}];
    to.insert(to.end(), of_value.begin(), of_value.end());
  }
  return out;
}

[[nodiscard]] inline std::size_t count_of(const Segments& segments, std::size_t combination) {
  return static_cast<std::size_t>(std::count_if(
      segments.begin(), segments.end(), [combination](const auto& segment) { return segment.first.first == combination; }));
}

[[nodiscard]] inline std::vector<SegmentSpec> one_key() {
  return {{.keys = {"v"}, .keep = {{"v2"}}}};
}

// Calls visit(pane start, its lists) for every pane of `width`, in order.
template <class Visit>
void for_each_pane(const std::vector<ShownList>& lists, Duration width, Duration offset, Visit&& visit) {
  std::map<EventTime, std::vector<const ShownList*>> panes;
  for (const ShownList& list : lists) panes[pane_start(EventTime{list.ts}, width, offset)].push_back(&list);
  for (const auto& [start, of_pane] : panes) visit(start, of_pane);
}

}  // namespace recmeter::test
