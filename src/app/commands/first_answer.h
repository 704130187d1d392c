// FirstAnswer: what the first table of a replay takes from the lists themselves: its columns, and how the arms compare with
// their control at one look. Thread safety: none.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/commands/replay_request.h"
#include "app/compare/paired_lists.h"
#include "app/run/first_table.h"
#include "app/run/row_writer.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/result/report.h"

namespace recmeter {

// Makes the table of `rows` one that answers in one screen, where the command has no lists to look at: with columns for lists
// of at most `longest` ranks. Other formats stay as they are. `output`: where rows go.
void begin_first_table(const EvaluatorPlan& plan, std::uint32_t longest, const std::string& output, RowWriter& rows);

// Told by reading a log that has ended.
struct EndOfLog {
  std::optional<GapAtEnd> gap = {};  // Report::gap_at_end
  bool has_actions = true;           // some were read
  // Instead of sentences, of all values of the first key: "" says nothing. May be empty.
  std::function<std::string(const PairedLists& lists, const PlannedMetric& metric)> league = {};
};

// The lists that are answered for.
struct AnswerSpec {
  std::string control = {};         // what arms are compared with; "": it is known by its name
  bool is_of_recommenders = false;  // nobody was shown them, and each is for an action: the table has no rows but of theirs
  std::string shown = {};           // of recommenders, the one whose lists were shown
  std::size_t length = 0;           // of recommenders: they fill no more ranks
  bool compares_order = false;      // they have the same items
};

class FirstAnswer {
 public:
  // `plan` outlives it.
  explicit FirstAnswer(const EvaluatorPlan& plan, AnswerSpec spec = {});

  [[nodiscard]] const ListTallySpec& tally() const { return tally_; }
  [[nodiscard]] FirstTable table() const;
  // Commands and pages that say more of these lists.
  [[nodiscard]] std::vector<std::string> more(const ListTally& lists, const ReplayCommand& command) const;
  // Chooses the columns of `rows`, says of its lists what has to be known, and ends it with a line for each arm, and with
  // what says more.
  void end(const ListTally& lists, const EndOfLog& log, const std::vector<std::string>& more, RowWriter& rows) const;

 private:
  struct ArmKey {
    std::string name;
    std::size_t segment;      // combination of this key alone
    bool is_named_so = true;  // as keys of arms are; else it is the only key, and one of two values
  };
  [[nodiscard]] std::vector<std::size_t> columns_at(std::uint32_t cutoff, std::uint32_t longest) const;
  // The lists of all values of a key; `metric`: a place in tally_.metrics.
  [[nodiscard]] PairedLists paired(const ListTally& lists, std::size_t key, std::size_t metric) const;
  [[nodiscard]] std::vector<std::string> sentences(const ListTally& lists, std::size_t metric) const;
  [[nodiscard]] std::optional<ChosenControl> control_of(const std::vector<std::string>& arms) const;
  [[nodiscard]] bool is_compared(const ListTally& lists, std::size_t key) const;
  [[nodiscard]] std::uint32_t cutoff_for(const ListTally& lists) const;

  const EvaluatorPlan& plan_;
  AnswerSpec spec_;
  std::vector<ArmKey> keys_;
  ListTallySpec tally_;
};

}  // namespace recmeter
