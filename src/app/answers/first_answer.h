// FirstAnswer: what the first table of a replay takes from the lists themselves: its columns, and how the arms compare with
// their control at one look. Thread safety: none.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "app/compare/paired_lists.h"
#include "app/run/first_table.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/experiment/arm_names.h"
#include "recmeter/result/report.h"

namespace recmeter {

// Metrics of a table that has no lists to look at: those for lists of at most `longest` ranks.
[[nodiscard]] std::set<std::string> first_columns(const EvaluatorPlan& plan, std::uint32_t longest);

// The first table of rows alone: of lists, users and the configuration it knows what rows tell.
[[nodiscard]] FirstTable first_table_of(std::span<const Row> rows);

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

// Facts of the lists that the table needs.
struct FirstSaid {
  std::set<std::string> columns;
  std::string few;                 // as FirstTable's
  std::string ending;              // likewise
  std::vector<std::string> lines;  // below the table, each with its newline
  bool is_answered = true;         // a metric of the table says how good lists are; else nothing says more
};

// Commands that say more about these lists.
struct FirstMore {
  std::vector<std::string> keys = {};  // to compare them by; "": by what the experiments say
  bool has_propensities = false;       // off-policy estimates
};

class FirstAnswer {
 public:
  // `plan` outlives it.
  explicit FirstAnswer(const EvaluatorPlan& plan, AnswerSpec spec = {});

  [[nodiscard]] const ListTallySpec& tally() const { return tally_; }
  [[nodiscard]] FirstTable table() const;
  [[nodiscard]] FirstMore more(const ListTally& lists) const;
  // The columns of the table, what has to be known of its lists, and a line for each arm.
  [[nodiscard]] FirstSaid said(const ListTally& lists, const EndOfLog& log) const;

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
