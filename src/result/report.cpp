#include "recmeter/result/report.h"

#include "recmeter/base/check.h"

namespace recmeter {

EventCounts& EventCounts::operator+=(const EventCounts& other) {
  for_each([](std::uint64_t& count, std::uint64_t more) { count += more; }, *this, other);
  return *this;
}

EventCounts& EventCounts::operator-=(const EventCounts& other) {
  for_each([](std::uint64_t& count, std::uint64_t less) { count -= less; }, *this, other);
  return *this;
}

void EventCounts::settle_undecided() {
  undecided = read - invalid - ignored - future - late - duplicate() - impressions - feedback - candidates - policies;
}

void Report::add_actions(std::span<const std::string> names, std::span<const FeedbackCounts> counts) {
  RECMETER_CHECK(names.size() == counts.size(), "each action has its counts");
  actions.resize(names.size());
  for (std::size_t a = 0; a < names.size(); ++a) {
    actions[a].name = names[a];
    actions[a].feedback += counts[a];
  }
}

void Report::add_up() {
  for (PartitionReport& partition : partitions) {
    partition.events.settle_undecided();
    events += partition.events;
    records += partition.records;
  }
  RECMETER_CHECK(events.feedback == feedback.events(), "feedback without an outcome");
}

}  // namespace recmeter
