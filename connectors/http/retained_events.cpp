#include "http/retained_events.h"

#include <utility>

#include "recmeter/base/check.h"

namespace recmeter::http {

void RetainedEvents::add(std::vector<EventRing::Event>& events) {
  for (EventRing::Event& event : events) {
    RECMETER_CHECK(event.id >= end(), "events come in the order of their ids");
    if (event.id != end()) {
      texts_.clear();
      bytes_ = 0;
      begin_ = event.id;
    }
    bytes_ += event.text->size();
    texts_.push_back(std::move(event.text));
    while (texts_.size() > bounds_.events_max || bytes_ > bounds_.bytes_max) {
      bytes_ -= texts_.front()->size();
      texts_.pop_front();
      ++begin_;
    }
  }
}

}  // namespace recmeter::http
