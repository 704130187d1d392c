#include "app/run/experiment_table.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

TEST(ExperimentTable, begins_with_what_counts_and_with_what_its_look_says_where_it_is_something_else) {
  ExperimentRow row;
  row.experiment = "ranker-7";
  row.end = EventTime{1794096000000};
  row.arms = {{"A", 40, 20, 0.5}, {"B", 38, 19, 0.5}};
  row.verdict = {Decision::stop, "time_up"};
  row.arm_verdicts = {{"B", row.verdict}};
  row.counts = counts_of(row);
  EXPECT_TRUE(
      experiment_table(row).starts_with("experiment ranker-7, lists before 2026-11-08T00:00:00Z: stop, time_up\n"
                                        "A: 40 lists of 20 users; B: 38 lists of 19 users\n"))
      << experiment_table(row);
  row.decided = DecidedRow{.end = EventTime{1793998800000}, .verdict = {Decision::ship, "better:m"}, .arm = "B"};
  row.counts = counts_of(row);
  EXPECT_TRUE(
      experiment_table(row).starts_with("experiment ranker-7, lists before 2026-11-08T00:00:00Z: ship, better:m, since "
                                        "2026-11-06T21:00:00Z; this look alone: stop, time_up\n"))
      << experiment_table(row);
}

TEST(ExperimentTable, counts_the_users_of_a_draft_together_for_they_see_both_teams) {
  ExperimentRow row;
  row.arms = {{"A", 40, 20, 0.5}, {"B", 38, 19, 0.5}};
  row.arm_verdicts = {{"B", {}}};
  row.metrics = {{.metric = "team_draft{action=click}",
                  .values = {-0.1, 0.1},
                  .comparisons = {{.arm = "B", .draft = DraftCounts{.wins = 10, .losses = 9, .ties = 1}}}}};
  EXPECT_NE(experiment_table(row).find("\nA: 40 lists; B: 38 lists; 39 users\n"), std::string::npos) << experiment_table(row);
}

TEST(ExperimentTable, has_what_is_compared_or_why_nothing_is) {
  ExperimentRow row;
  row.arms = {{"A", 40, 20, 0.5}, {"B", 38, 19, 0.5}};
  row.arm_verdicts = {{"B", {}}};
  Comparison adjusted{.control = 0.25, .arm = 0.26, .theta = 0.5};
  adjusted.absolute = {.value = 0.01};
  row.metrics = {{.metric = "m", .values = {0.2, 0.3}, .comparisons = {{.arm = "B", .comparison = adjusted}}},
                 {.metric = "n", .values = {0, 0}, .comparisons = {{.arm = "B", .missing = Missing::no_events}}}};
  const std::string table = experiment_table(row);
  EXPECT_NE(table.find("m, adjusted by CUPED  primary  B     0.26  0.25   +0.01  too wide to say\n"), std::string::npos)
      << table;
  EXPECT_NE(table.find("nobody did it in either arm; test what happens, or give an absolute mde\n"), std::string::npos)
      << table;
}

}  // namespace
}  // namespace recmeter
