// PaneQueue: which panes are in a window as it moves: each enters once and leaves once, so a step costs the panes that come
// and go and never the window's length. Windows without panes are passed over. [S7].
//
// Parts of a pane may be narrower than the window's slide; they are merged into panes of the slide's width first.
// Thread safety: none. Pane: movable, merge(Pane&&). Invariants:
//   (1) a window is visited when all its panes are closed, in the order of starts, at most once;
//   (2) during a visit exactly the panes within [start, start + size) have entered and not left.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "recmeter/base/check.h"
#include "recmeter/window/window_spec.h"

namespace recmeter {

template <class Pane>
class PaneQueue {
 public:
  explicit PaneQueue(const WindowSpec& window) : window_(window) {}

  // Requires: `start` lies in no pane before the last one added, nor in a window already visited. `merge` joins two parts.
  template <class Merge>
  void add(EventTime start, Pane&& part, Merge&& merge) {
    const EventTime at = pane_start(start, window_.slide, window_.offset);
    if (!panes_.empty() && panes_.back().start == at) {
      merge(panes_.back().pane, std::move(part));
      return;
    }
    RECMETER_CHECK(panes_.empty() || panes_.back().start < at, "panes come in time order");
    panes_.push_back({at, next_number_++, std::move(part)});
  }

  template <class Visit>
  void for_each_pane(Visit&& visit) const {
    for (const Numbered& numbered : panes_) visit(numbered.pane);
  }

  // Visits every window with panes whose end is at most `limit`: enter(number, pane) and leave(number, pane) for the panes
  // that come and go, then visit(start).
  template <class Enter, class Leave, class Visit>
  void advance(EventTime limit, Enter&& enter, Leave&& leave, Visit&& visit) {
    while (true) {
      if (inside_ == 0) {
        if (panes_.empty()) return;
        // The first window that holds the next pane ends with it, unless earlier ones have been visited already.
        next_end_ = panes_.front().start + window_.slide;
      }
      if (next_end_ > limit) return;
      while (inside_ < panes_.size() && panes_[inside_].start < next_end_) {
        enter(panes_[inside_].number, panes_[inside_].pane);
        ++inside_;
      }
      visit(next_end_ - window_.size);
      next_end_ = next_end_ + window_.slide;
      while (inside_ > 0 && panes_.front().start < next_end_ - window_.size) {
        leave(panes_.front().number, panes_.front().pane);
        panes_.pop_front();
        --inside_;
      }
    }
  }

 private:
  struct Numbered {
    EventTime start;
    std::uint32_t number;
    Pane pane;
  };
  WindowSpec window_;
  std::deque<Numbered> panes_;
  std::size_t inside_ = 0;  // how many from the front have entered
  EventTime next_end_{};    // of the next window, when inside_ > 0
  std::uint32_t next_number_ = 0;
};

}  // namespace recmeter
