#include "evaluation/incomplete.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace recmeter {

namespace {

constexpr std::array<std::string_view, 4> in_order{"start", "gap", "late_after_idle", "future_by_clock"};

// How long before a list others may touch it: what decides whether it opens, feedback with the event id of feedback
// on it, and where an earlier or another list shares the credit, any that it may be shared with.
Duration looks_back(const JoinRule& join, Duration horizon) {
  const Duration of_ids = join.counts_once() ? join.once_memory() + join.skew : Duration{0};
  return std::max(join.pieces_reach(), of_ids) + (join.credit == Credit::last_touch ? Duration{0} : horizon);
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
  if (!is_there_since(log_start, start, back)) reasons.emplace_back(in_order[0]);
  const auto mark = [&](const std::vector<TimeSpan>& spans, std::string_view reason) {
    const auto may_touch = [from = start - back, to = end + horizon + join.skew](const TimeSpan& span) {
      return span.from < to && span.to >= from;
    };
    if (std::any_of(spans.begin(), spans.end(), may_touch)) reasons.emplace_back(reason);
  };
  mark(log_start.lost, in_order[1]);
  mark(log_start.late_after_idle, in_order[2]);
  mark(log_start.future_by_clock, in_order[3]);
  return reasons;
}

void order_reasons(std::vector<std::string>& reasons) {
  std::ranges::sort(reasons, {}, [](const std::string& reason) { return std::ranges::find(in_order, reason); });
}

}  // namespace recmeter
