// FirstAnswer: what the first table of a replay takes from the lists themselves: its columns, and how the arms compare with
// their control at one look. Thread safety: none.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/commands/replay_request.h"
#include "app/run/first_table.h"
#include "app/run/row_writer.h"
#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter {

// Makes the table of `rows` one that answers in one screen, where the command has no lists to look at: with columns for lists
// of at most `longest` ranks. Other formats stay as they are. `output`: where rows go.
void begin_first_table(const EvaluatorPlan& plan, std::uint32_t longest, const std::string& output, RowWriter& rows);

class FirstAnswer {
 public:
  // `plan` outlives it.
  explicit FirstAnswer(const EvaluatorPlan& plan);

  [[nodiscard]] const ListTallySpec& tally() const { return tally_; }
  [[nodiscard]] FirstTable table() const;
  // Chooses the columns of `rows`, and ends it with a line for each arm, and with the command that says more.
  void end(const ListTally& lists, const ReplayCommand& command, RowWriter& rows) const;

 private:
  struct ArmKey {
    std::string name;
    std::size_t segment;  // combination of this key alone
  };
  [[nodiscard]] std::vector<std::size_t> columns_at(std::uint32_t cutoff, std::uint32_t longest) const;
  [[nodiscard]] std::vector<std::string> sentences(const ListTally& lists, std::size_t metric) const;
  [[nodiscard]] std::vector<std::string> commands(const ListTally& lists, const ReplayCommand& command) const;

  const EvaluatorPlan& plan_;
  std::vector<ArmKey> keys_;
  ListTallySpec tally_;
};

}  // namespace recmeter
