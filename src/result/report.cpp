#include "recmeter/result/report.h"

namespace recmeter {

EventCounts& EventCounts::operator+=(const EventCounts& other) {
  read += other.read;
  invalid += other.invalid;
  ignored += other.ignored;
  future += other.future;
  late += other.late;
  duplicate += other.duplicate;
  impressions += other.impressions;
  feedback += other.feedback;
  undecided += other.undecided;
  late_after_idle += other.late_after_idle;
  future_by_clock += other.future_by_clock;
  return *this;
}

EventCounts& EventCounts::operator-=(const EventCounts& other) {
  read -= other.read;
  invalid -= other.invalid;
  ignored -= other.ignored;
  future -= other.future;
  late -= other.late;
  duplicate -= other.duplicate;
  impressions -= other.impressions;
  feedback -= other.feedback;
  undecided -= other.undecided;
  late_after_idle -= other.late_after_idle;
  future_by_clock -= other.future_by_clock;
  return *this;
}

void EventCounts::settle_undecided() {
  undecided = read - invalid - ignored - future - late - duplicate - impressions - feedback;
}

}  // namespace recmeter
