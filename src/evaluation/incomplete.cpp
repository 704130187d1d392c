#include "evaluation/incomplete.h"

#include <algorithm>

namespace recmeter {

namespace {

// How long before a list others may touch it: one that is the same within same_list, and where an earlier or another list
// shares the credit, any that it may be shared with.
Duration looks_back(const JoinRule& join, Duration horizon) {
  return join.same_list + (join.credit == Credit::last_touch ? Duration{0} : horizon);
}

// Whether nothing that may touch lists from `start` on lies before the beginning of the log.
bool is_there_since(const LogStart& log_start, EventTime start, Duration looks_back) {
  if (start < log_start.first_event) return false;
  return log_start.first_after_cut == minus_infinity || start >= log_start.first_after_cut + looks_back;
}

}  // namespace

std::vector<std::string> incomplete_reasons(const JoinRule& join, const LogStart& log_start, EventTime start, EventTime end,
                                            Duration horizon) {
  const Duration back = looks_back(join, horizon);
  std::vector<std::string> reasons;
  if (!is_there_since(log_start, start, back)) reasons.emplace_back("start");
  const auto mark = [&](const std::vector<TimeSpan>& spans, const char* reason) {
    const auto may_touch = [from = start - back, to = end + horizon + join.skew](const TimeSpan& span) {
      return span.from < to && span.to >= from;
    };
    if (std::any_of(spans.begin(), spans.end(), may_touch)) reasons.emplace_back(reason);
  };
  mark(log_start.lost, "gap");
  mark(log_start.late_after_idle, "late_after_idle");
  mark(log_start.future_by_clock, "future_by_clock");
  return reasons;
}

}  // namespace recmeter
