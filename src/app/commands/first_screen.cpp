#include "app/commands/first_screen.h"

#include <algorithm>

#include "app/commands/row_output.h"
#include "app/commands/shell_words.h"

namespace recmeter {

void begin_first_table(const EvaluatorPlan& plan, std::uint32_t longest, const std::string& output, RowWriter& rows) {
  rows.begin_with(FirstAnswer(plan).table(), first_table_width(output));
  rows.choose_columns(first_columns(plan, longest));
}

// A range of the log has no command: compare takes all of it.
std::vector<std::string> more_commands(const FirstMore& more, const ReplayCommand& command) {
  std::vector<std::string> out;
  const bool is_whole =
      command.from.empty() && command.to.empty() && std::ranges::find(command.inputs, "-") == command.inputs.end();
  for (std::size_t i = 0; is_whole && i < more.keys.size(); ++i) {
    const std::string by = more.keys[i].empty() ? "" : "--by " + shell_word(more.keys[i]);
    out.push_back(next_command("compare", command.config, command.inputs, by));
  }
  if (more.has_propensities) {
    out.emplace_back("docs/off-policy.md, on what another policy would be worth: these lists have propensities");
  }
  return out;
}

void end_first_table(const FirstSaid& said, const std::vector<std::string>& more, RowWriter& rows) {
  rows.choose_columns(said.columns);
  rows.say_of_lists(said.few, said.ending);
  for (const std::string& line : said.lines) rows.end_table_with(line);
  if (!said.is_answered) return;
  for (const std::string& each : more) rows.end_table_with("More: " + each + "\n");
}

}  // namespace recmeter
