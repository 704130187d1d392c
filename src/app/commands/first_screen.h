// The table of a command that answers in one screen, with the commands that say more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answers/first_answer.h"
#include "app/commands/replay_request.h"
#include "app/run/row_writer.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/list_tally.h"

namespace recmeter {

// Makes the table of `rows` one that answers in one screen, where the command has no lists to look at: with columns for lists
// of at most `longest` ranks. Other formats stay as they are. `output`: where rows go.
void begin_first_table(const EvaluatorPlan& plan, std::uint32_t longest, const std::string& output, RowWriter& rows);

// Commands and pages that say more of these lists.
[[nodiscard]] std::vector<std::string> more_commands(const FirstMore& more, const ReplayCommand& command);

// Chooses the columns of `rows`, says of its lists what has to be known, and ends it with what is said and what says more.
void end_first_table(const FirstSaid& said, const std::vector<std::string>& more, RowWriter& rows);

}  // namespace recmeter
