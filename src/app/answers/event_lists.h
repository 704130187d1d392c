// EventLists: what the lists of a log add up to for each value of a segment key, at the longest horizon: as the last line of
// the first table of a replay. [S10.33]. Thread safety: none.
#pragma once

#include <string>

#include "app/answers/compared_lists.h"
#include "app/answers/read_log.h"
#include "app/compare/experiment_plan.h"
#include "config/config.h"
#include "recmeter/evaluation/list_tally.h"

namespace recmeter {

class EventLists {
 public:
  // `config` gets the key as a segment, where it has not, and outlives this. "": all lists alone.
  EventLists(std::string by, Config& config);

  // Errors: those of read_log().
  [[nodiscard]] Result<LogReading> compare(const AskedLog& log, ComparedLists& lists);
  // How long an experiment has to last. `planned` is left as it is where the log has no list to plan by.
  [[nodiscard]] Result<LogReading> plan(const AskedLog& log, const PlanRule& rule, ExperimentPlan& planned);

 private:
  void take(const EvaluatorPlan& plan, ComparedLists& lists) const;

  std::string by_;
  const Config& config_;
  const EvaluatorSpec& spec_;
  ListTallySpec tally_;
  ListTally of_run_;
};

}  // namespace recmeter
