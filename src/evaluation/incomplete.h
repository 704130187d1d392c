// Why the events that a result depends on were not all there: [S7.9] to [S7.14]. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/log_start.h"
#include "recmeter/join/join_rule.h"

namespace recmeter {

// Of a result over the lists in [start, end) at a horizon: `start`, `gap`, `late_after_idle`, `future_by_clock`, in this
// order.
[[nodiscard]] std::vector<std::string> incomplete_reasons(const JoinRule& join, const LogStart& log_start, EventTime start,
                                                          EventTime end, Duration horizon);

// Puts reasons in this order.
void order_reasons(std::vector<std::string>& reasons);

}  // namespace recmeter
