// SlidingWindow: one configured window by the values of one combination of segment keys: sealed panes in, and for every
// window that ends, the state of each of its values out. [S7].
//
// It is the only class that knows how a window moves; what is counted is the State's business. A State is what a window holds
// of one segment value, and has three parts:
//   enter(cell)   a pane that has the value comes into the window;
//   leave(cell)   the pane that entered first goes out, while others stay: when none stays, the state is thrown away instead;
//   snapshot()    what rows need of the panes inside, at a cost that does not depend on how many there are.
// Besides them add(state), by which values beyond their limit are put together in `(other)`, memory_bytes(), and the type
// Cell, which a pane holds of one value. The two states:
//   RunningSums      Cell PaneSums. Sums form a group: a pane that enters is added and subtracted when it leaves, users
//                    (RunningUsers) one by one. It is its own snapshot.
//   RunningExposure  Cell Exposure. Sets do not: an item remembers the last pane that showed it and leaves with that one;
//                    counts of lists (RunningCounts) are added and subtracted. The snapshot is ExposureSnapshots.
//
// Each pane enters once and leaves once, so that a step costs the panes that come and go and never the window's length; but
// what is put together in `(other)` differs from window to window and is made anew for each. Parts of a pane may be narrower
// than the window's slide; they are merged into panes of the slide's width first. Windows without panes are passed over.
// Thread safety: none. Invariants:
//   (1) a window is visited when all its panes are closed, in the order of starts, at most once;
//   (2) during a visit exactly the panes within [start, start + size) have entered and not left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "recmeter/base/check.h"
#include "recmeter/window/segment_cells.h"
#include "recmeter/window/segment_spec.h"
#include "recmeter/window/window_spec.h"

namespace recmeter {

template <class State>
class SlidingWindow {
 public:
  using Cell = typename State::Cell;
  struct Segment {
    SegmentValues values;  // in `(other)` every value is segment_other
    const State* state;
  };

  // `keys`: of the combination, how many. `make`: a state of no panes.
  SlidingWindow(
      const WindowSpec& window, SegmentBound bound, std::size_t keys, std::function<State()> make = [] { return State(); })
      : window_(window), bound_(std::move(bound)), keys_(keys), make_(std::move(make)) {}

  // Requires: `start` lies in no pane before the last one added, nor in a window already visited.
  void add(EventTime start, SegmentCells<Cell>&& cells) {
    const EventTime at = pane_start(start, window_.slide, window_.offset);
    if (!panes_.empty() && panes_.back().start == at) {
      panes_.back().cells.merge(std::move(cells), bound_);
      return;
    }
    RECMETER_CHECK(panes_.empty() || panes_.back().start < at, "panes come in time order");
    panes_.push_back({at, std::move(cells)});
  }

  // visit(start, std::span<const Segment>) for every window with panes whose end is at most `limit`, in order. The segments
  // are sorted by their values; the states are valid during the call.
  template <class Visit>
  void advance(EventTime limit, Visit&& visit) {
    while (true) {
      if (inside_ == 0) {
        if (panes_.empty()) return;
        // The first window that holds the next pane ends with it, unless earlier ones have been visited already.
        next_end_ = panes_.front().start + window_.slide;
      }
      if (next_end_ > limit) return;
      for (; inside_ < panes_.size() && panes_[inside_].start < next_end_; ++inside_) enter(panes_[inside_].cells);
      visit_window(visit);
      next_end_ = next_end_ + window_.slide;
      for (; inside_ > 0 && panes_.front().start < next_end_ - window_.size; --inside_) {
        leave(panes_.front().cells);
        panes_.pop_front();
      }
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = other_ ? other_->state.memory_bytes() : 0;
    for (const Pane& pane : panes_) bytes += pane.cells.memory_bytes();
    for (const auto& [values, held] : own_) bytes += held.state.memory_bytes();
    return bytes;
  }

 private:
  struct Pane {
    EventTime start;
    SegmentCells<Cell> cells;  // unchanged, and in their place, while the pane is inside
  };
  struct Held {
    State state;
    std::size_t panes = 0;  // that are in it; at least 1
  };

  void enter(const SegmentCells<Cell>& cells) {
    const auto into = [](Held& held, const Cell& cell) {
      held.state.enter(cell);
      ++held.panes;
    };
    for (const auto& [values, cell] : cells.own()) {
      auto at = own_.find(values);
      if (at == own_.end()) at = own_.emplace(values, Held{.state = make_()}).first;
      into(at->second, cell);
    }
    if (!cells.other()) return;
    if (!other_) other_.emplace(Held{.state = make_()});
    into(*other_, *cells.other());
  }

  void leave(const SegmentCells<Cell>& cells) {
    for (const auto& [values, cell] : cells.own()) {
      const auto at = own_.find(values);
      if (--at->second.panes == 0) {
        own_.erase(at);
      } else {
        at->second.state.leave(cell);
      }
    }
    if (!cells.other()) return;
    if (--other_->panes == 0) {
      other_.reset();
    } else {
      other_->state.leave(*cells.other());
    }
  }

  // Values of their own have those kept and the `values_max` smallest others of the window.
  template <class Visit>
  void visit_window(Visit&& visit) const {
    std::vector<Segment> segments;
    std::vector<const State*> rest;
    if (other_) rest.push_back(&other_->state);
    std::size_t bounded = 0;
    for (const auto& [values, held] : own_) {
      if (bound_.keep.contains(values) || bounded++ < bound_.values_max) {
        segments.push_back({values, &held.state});
      } else {
        rest.push_back(&held.state);
      }
    }
    std::optional<State> together;
    if (rest.size() > 1) {
      together = make_();
      for (const State* part : rest) together->add(*part);
      rest = {&*together};
    }
    if (!rest.empty()) {
      SegmentValues values(keys_, std::string(segment_other));
      const auto place = std::lower_bound(segments.begin(), segments.end(), values,
                                          [](const Segment& s, const SegmentValues& v) { return s.values < v; });
      segments.insert(place, {std::move(values), rest.front()});
    }
    visit(next_end_ - window_.size, std::span<const Segment>(segments));
  }

  WindowSpec window_;
  SegmentBound bound_;
  std::size_t keys_;
  std::function<State()> make_;
  std::deque<Pane> panes_;
  std::size_t inside_ = 0;  // how many from the front have entered
  EventTime next_end_{};    // of the next window, when inside_ > 0
  std::map<SegmentValues, Held> own_;
  std::optional<Held> other_;  // what panes had put together already
};

}  // namespace recmeter
