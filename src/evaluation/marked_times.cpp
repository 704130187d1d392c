#include "recmeter/evaluation/marked_times.h"

#include <algorithm>
#include <iterator>

namespace recmeter {

namespace {
constexpr Duration touching{1000};
}  // namespace

void MarkedTimes::add(EventTime time) {
  // The first span that ends late enough to touch.
  const auto at = std::lower_bound(spans_.begin(), spans_.end(), time - touching,
                                   [](const TimeSpan& span, EventTime t) { return span.to < t; });
  if (at == spans_.end() || at->from > time + touching) {
    spans_.insert(at, {time, time});
  } else {
    at->from = std::min(at->from, time);
    at->to = std::max(at->to, time);
    if (const auto next = std::next(at); next != spans_.end() && next->from <= at->to + touching) {
      at->to = next->to;
      spans_.erase(next);
    }
  }
  if (spans_.size() <= spans_max) return;
  auto nearest = std::next(spans_.begin());
  for (auto span = nearest; span != spans_.end(); ++span) {
    if (span->from - std::prev(span)->to < nearest->from - std::prev(nearest)->to) nearest = span;
  }
  std::prev(nearest)->to = nearest->to;
  spans_.erase(nearest);
}

}  // namespace recmeter
