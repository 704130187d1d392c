// RetainedEvents: the events of the ring that a client may still be sent, oldest first. The server's thread alone.
//
// Invariants:
//   (1) ids follow each other without a hole: where one is lost, all before it are given up;
//   (2) events and bytes stay within the ring's bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "recmeter/http/event_ring.h"

namespace recmeter::http {

class RetainedEvents {
 public:
  // Events after `last` are to come.
  RetainedEvents(EventRing::Bounds bounds, std::uint64_t last) : bounds_(bounds), begin_(last + 1) {}

  void add(std::vector<EventRing::Event>& events);
  // Ids in [begin, end) are here.
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return begin_ + texts_.size(); }
  // Requires: begin() <= id < end().
  [[nodiscard]] const Body& text(std::uint64_t id) const { return texts_[static_cast<std::size_t>(id - begin_)]; }

 private:
  EventRing::Bounds bounds_;
  std::uint64_t begin_;
  std::deque<Body> texts_;
  std::size_t bytes_ = 0;
};

}  // namespace recmeter::http
