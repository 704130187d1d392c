// Whether a finished run may be trusted: how much of the input took no part, and what to do about it. [I2], exit
// code 3.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/report.h"

namespace recmeter {

// One sentence for each limit that is exceeded, or for a log without a list: which input, by how much, the remedy. Empty when
// all is well. `formats`: what each partition is read as, told where most of it is invalid; may be empty, as may each.
[[nodiscard]] std::vector<std::string> exceeded_limits(const Report& report, const Limits& limits,
                                                       std::span<const std::string> formats = {});

// What is no failure, yet hardly meant: inputs without events, without feedback, whose feedback finds no list, without rows
// between the times asked for, with many pieces of lists that are duplicates, or much that is lost: 5 % of items shown, of
// impressions or of feedback.
[[nodiscard]] std::vector<std::string> doubts(const Report& report);

// Tells whether none of an action is on a list, where it has enough events to tell. A handful does: actions are rare because
// they are worth much.
[[nodiscard]] bool is_lost(const FeedbackCounts& action);

// A time.max_step that would have taken the records at the end of the log, as a configuration has it.
[[nodiscard]] std::string max_step_for(const GapAtEnd& gap);
// "Rows are not final since records lie far apart (time.max_step: 164m); their values hold."
[[nodiscard]] std::string held_rows_text(const GapAtEnd& gap, std::string_view which);
// Rows that are truncated for nothing but time.max_step, and how to have them final.
[[nodiscard]] std::optional<std::string> gap_sentence(const Report& report);

// "7h12m", rounded up to minutes where there are any.
[[nodiscard]] std::string about(Duration span);

// What is to be known of values of lanes; nothing where none has lists.
[[nodiscard]] std::optional<std::string> lanes_sentence(const LaneSpec& lanes, const Report& report);
// Says that no type or rule takes many of the events: it may be meant, and may lose an action. Nothing of few.
[[nodiscard]] std::optional<std::string> ignored_sentence(const Report& report);
// ", 8 duplicate (5 again, 3 after their list)", the most first; empty where there is none.
[[nodiscard]] std::string duplicates_text(const EventCounts& events);
// One sentence on what the run did.
[[nodiscard]] std::string run_summary(const Report& report);

}  // namespace recmeter
