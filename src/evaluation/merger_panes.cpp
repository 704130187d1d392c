// What a Merger does for the runs after it and with what runs before it left: panes as bytes.
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "evaluation/pane_bytes.h"
#include "recmeter/base/check.h"
#include "recmeter/evaluation/item_numbers.h"
#include "recmeter/evaluation/merger.h"

namespace recmeter {

namespace {

// Panes of several shards, as if one had them all.
template <class Cell, class Write>
std::string bytes_of_pane(const std::vector<const SegmentPanes<Cell>*>& parts, const EvaluatorPlan& plan, Write&& write) {
  ByteWriter to;
  if (parts.size() == 1) {
    write(to, *parts.front());
    return to.take();
  }
  SegmentPanes<Cell> merged;
  for (const SegmentPanes<Cell>* part : parts) merge_pane(merged, SegmentPanes<Cell>(*part), plan.bounds, [](Cell&) {});
  write(to, merged);
  return to.take();
}

}  // namespace

// Adds a task for each pane of these that shards have sealed; `of(shard)` has them.
template <class Cell, class Of, class Write>
void Merger::keep(std::size_t grid, std::size_t horizon, Of&& of, Write&& write, std::vector<std::function<void()>>& tasks) {
  std::map<EventTime, std::vector<const SegmentPanes<Cell>*>> by_start;
  for (std::size_t shard = 0; shard < shards_; ++shard) {
    if (sealed_[shard].sums.empty()) continue;
    for (const auto& [start, pane] : of(sealed_[shard])) by_start[start].push_back(&pane);
  }
  for (auto& [start, parts] : by_start) {
    KeptPane& pane = kept_.emplace_back();
    pane.key = {.sealed = plan_.sealed_at(grid, horizon, start), .grid = grid, .horizon = horizon, .start = start};
    tasks.emplace_back([this, &pane, write, panes = std::move(parts)] { pane.bytes = bytes_of_pane(panes, plan_, write); });
  }
}

// Touches nothing but what is kept: windows take the cells afterwards.
void Merger::keep_sealed(Executor& executor) {
  const JoinRule& join = plan_.spec->join;
  const std::size_t before = kept_.size();
  std::vector<std::function<void()>> tasks;
  for (std::size_t g = 0; g < plan_.grids.grids().size(); ++g) {
    if (plan_.wants_exposure()) {
      // Panes are dropped one after the other, so each has all of its items.
      const auto write = [this](ByteWriter& to, const SegmentPanes<Exposure>& pane) {
        ItemNumbers numbers;
        numbers.write_new(to, pane, items_);
        write_cells(to, pane, [&](const Exposure& cell) { return to_bytes(cell, numbers.by_id()); });
      };
      keep<Exposure>(g, 0, [g](const Sealed& sealed) -> auto& { return sealed.exposure[g]; }, write, tasks);
    }
    for (std::size_t h = 0; h < join.horizons.size(); ++h) {
      keep<PaneSums>(
          g, h + 1, [g, h](const Sealed& sealed) -> auto& { return sealed.sums[g][h]; },
          [](ByteWriter& to, const SegmentPanes<PaneSums>& pane) {
            write_cells(to, pane, [](const PaneSums& cell) { return to_bytes(cell); });
          },
          tasks);
    }
  }
  executor.run(tasks);
  for (std::size_t k = before; k < kept_.size(); ++k) kept_bytes_ += kept_[k].bytes.size();
}

std::deque<KeptPane> Merger::take_kept() {
  kept_bytes_ = 0;
  return std::exchange(kept_, {});
}

void Merger::restore(ShardOutput&& panes, EventTime made_to) {
  RECMETER_CHECK(sealed_.size() > shards_, "only a merger that keeps panes takes some");
  made_to_ = made_to;
  EventTime end = minus_infinity;
  for (std::size_t g = 0; g < panes.sums.size(); ++g) {
    for (const auto& of_horizon : panes.sums[g]) {
      if (!of_horizon.empty()) end = std::max(end, of_horizon.rbegin()->first + plan_.grids.grids()[g].width);
    }
  }
  if (end != minus_infinity) users_are_dealt_from_ = std::max(users_are_dealt_from_, first_boundary(end));
  for (const ShardOutput::NewItem& item : panes.new_items) restored_items_ = std::max(restored_items_, item.id + 1);
  collect(shards_, std::move(panes));
}

// The first time at or after `end` that no window holds that holds earlier ones; none, where windows overlap, or begin at
// once too seldom.
EventTime Merger::first_boundary(EventTime end) const {
  constexpr int tries = 8;
  for (int i = 0; i < tries; ++i) {
    EventTime next = end;
    for (const WindowSpec& window : plan_.spec->windows) {
      if (window.slide != window.size) return plus_infinity;
      const EventTime start = pane_start(end, window.size, window.offset);
      if (start < end) next = std::max(next, start + window.size);
    }
    if (next == end) return end;
    end = next;
  }
  return plus_infinity;
}

// Nothing in windows has their numbers any more.
void Merger::forget_restored() {
  ShardOutput output;
  output.forgotten_items.resize(std::exchange(restored_items_, 0));
  std::iota(output.forgotten_items.begin(), output.forgotten_items.end(), Interner::Id{0});
  if (!output.forgotten_items.empty()) collect(shards_, std::move(output));
}

}  // namespace recmeter
