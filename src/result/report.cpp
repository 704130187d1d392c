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

FeedbackCounts& FeedbackCounts::operator+=(const FeedbackCounts& other) {
  credited += other.credited;
  repeated += other.repeated;
  organic += other.organic;
  not_in_list += other.not_in_list;
  unmatched += other.unmatched;
  pending += other.pending;
  return *this;
}

}  // namespace recmeter
