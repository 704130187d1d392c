// The table of [S10.30], line by line, and which line goes before which.
#include "recmeter/experiment/verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace recmeter {
namespace {

constexpr ExperimentState running{.has_lists = true, .is_long_enough = true};

TestResult test_of(TestRole role, double y, double log_e, std::optional<Interval> cs, bool is_higher_better = true) {
  Comparison comparison;
  comparison.relative = Distance{y, {}, cs};
  comparison.evidence.y = y;
  comparison.evidence.is_sure = log_e >= std::log(20.0);
  return {role == TestRole::primary ? "precision@10" : "lists_per_user", role, is_higher_better, 0.02, comparison};
}
TestResult primary(double y, double log_e, std::optional<Interval> cs) {
  return test_of(TestRole::primary, y, log_e, cs);
}
TestResult guardrail(double y, double log_e, std::optional<Interval> cs) {
  return test_of(TestRole::guardrail, y, log_e, cs);
}
const TestResult better = primary(0.05, 4, Interval{0.01, 0.09});
const TestResult worse = primary(-0.05, 4, Interval{-0.09, -0.01});
const TestResult unsure = primary(0.01, 1, Interval{-0.03, 0.05});
const TestResult flat = primary(0.001, -2, Interval{-0.01, 0.012});
const TestResult unhurt = guardrail(0.001, -2, Interval{-0.015, 0.02});
const TestResult hurt = guardrail(-0.04, 4, Interval{-0.07, -0.01});
const TestResult maybe_hurt = guardrail(0.0, 0, Interval{-0.03, 0.03});

Verdict said(const std::vector<TestResult>& tests, ExperimentState state = running) {
  return verdict_of(state, tests);
}
using enum Decision;

TEST(Verdict, ships_what_is_better_and_hurts_no_guardrail) {
  EXPECT_EQ(said({better}), (Verdict{ship, "better:precision@10"}));
  EXPECT_EQ(said({better, unhurt}), (Verdict{ship, "better:precision@10"}));
  EXPECT_EQ(said({unsure, better}).decision, ship) << "one primary is enough";
}

TEST(Verdict, stops_what_is_worse) {
  EXPECT_EQ(said({worse}), (Verdict{stop, "worse:precision@10"}));
  EXPECT_EQ(said({better, worse}), (Verdict{stop, "worse:precision@10"}))
      << "one that is worse goes before one that is better";
  EXPECT_EQ(said({better, hurt}), (Verdict{stop, "guardrail_worse:lists_per_user"}));
}

TEST(Verdict, knows_that_lower_may_be_better) {
  EXPECT_EQ(said({test_of(TestRole::primary, -0.05, 4, Interval{-0.09, -0.01}, false)}).decision, ship);
  EXPECT_EQ(said({test_of(TestRole::primary, 0.05, 4, Interval{0.01, 0.09}, false)}).decision, stop);
  EXPECT_EQ(said({better, test_of(TestRole::guardrail, 0, 0, Interval{-0.03, 0.01}, false)}).decision, ship);
  EXPECT_EQ(said({better, test_of(TestRole::guardrail, 0, 0, Interval{-0.01, 0.02}, false)}).decision, hold);
}

TEST(Verdict, holds_while_a_guardrail_may_be_hurt) {
  EXPECT_EQ(said({better, maybe_hurt}), (Verdict{hold, "guardrail_unsure:lists_per_user"}));
  EXPECT_EQ(said({better, guardrail(0, 0, std::nullopt)}), (Verdict{hold, "guardrail_unsure:lists_per_user"}));
  TestResult unknown = unhurt;
  unknown.comparison.reset();
  EXPECT_EQ(said({better, unknown}), (Verdict{hold, "guardrail_unsure:lists_per_user"}));
  EXPECT_EQ(said({unsure, maybe_hurt}), (Verdict{hold, "undecided"})) << "of what is not better nothing is asked";
}

// 2 % of 0.002 in the control are 0.00004.
TEST(Verdict, of_few_events_has_the_margin_as_a_share_of_the_control) {
  const auto of_few = [](TestRole role, double control, Interval cs, bool is_absolute = false) {
    TestResult test = test_of(role, cs.first + cs.second, 0, {});
    test.comparison->relative.reset();
    test.comparison->absolute.cs = cs;
    test.comparison->is_few = true;
    test.comparison->control = control;
    test.is_absolute = is_absolute;
    return test;
  };
  constexpr Interval narrow{-0.00003, 0.00003};
  EXPECT_EQ(said({of_few(TestRole::primary, 0.002, narrow)}).reason, "no_effect");
  EXPECT_EQ(said({of_few(TestRole::primary, 0.0015, narrow)}).reason, "undecided");
  EXPECT_EQ(said({of_few(TestRole::primary, 0, narrow, true)}).reason, "no_effect");
  EXPECT_EQ(said({better, of_few(TestRole::guardrail, 0.002, narrow)}).decision, ship);
  EXPECT_EQ(said({better, of_few(TestRole::guardrail, 0, narrow)}).reason, "guardrail_unsure:lists_per_user");
  EXPECT_EQ(said({better, of_few(TestRole::guardrail, 0, narrow, true)}).decision, ship);
}

TEST(Verdict, stops_where_no_difference_is_worth_acting_on) {
  EXPECT_EQ(said({flat}), (Verdict{stop, "no_effect"}));
  EXPECT_EQ(said({flat, unsure}), (Verdict{hold, "undecided"})) << "every primary has to be flat";
}

TEST(Verdict, of_the_last_look_is_final) {
  ExperimentState last = running;
  last.is_last = true;
  EXPECT_EQ(said({unsure}, last), (Verdict{stop, "time_up"}));
  EXPECT_EQ(said({better}, last).decision, ship);
}

TEST(Verdict, of_the_last_look_holds_where_a_primary_cannot_be_compared) {
  ExperimentState last = running;
  last.is_last = true;
  TestResult nothing = unsure;
  nothing.comparison.reset();
  EXPECT_EQ(said({unsure, nothing}, last), (Verdict{hold, "not_comparable:precision@10"}));
  EXPECT_EQ(said({nothing, better}, last).decision, ship);
  TestResult guardrail_alone = unhurt;
  guardrail_alone.comparison.reset();
  EXPECT_EQ(said({unsure, guardrail_alone}, last).reason, "time_up");
}

TEST(Verdict, concludes_nothing_where_the_arms_differed_before) {
  TestResult differed = unhurt;
  differed.differed_before = true;
  EXPECT_EQ(said({better, differed}), (Verdict{hold, "arms_differed_before:lists_per_user"}));
  EXPECT_EQ(said({worse, differed}).decision, hold);
  ExperimentState state = running;
  state.is_incomplete = true;
  EXPECT_EQ(said({better, differed}, state).reason, "incomplete");
}

TEST(Verdict, waits_for_the_shortest_duration_to_ship_and_for_nothing_else) {
  ExperimentState early = running;
  early.is_long_enough = false;
  EXPECT_EQ(said({better}, early), (Verdict{hold, "min_duration:precision@10"}));
  EXPECT_EQ(said({flat}, early), (Verdict{stop, "no_effect"}));
  EXPECT_EQ(said({unsure}, early), (Verdict{hold, "undecided"}));
  EXPECT_EQ(said({worse}, early).decision, stop);
  EXPECT_EQ(said({unsure, hurt}, early).decision, stop);
}

TEST(Verdict, concludes_nothing_from_a_broken_experiment) {
  EXPECT_EQ(said({worse}, {}), (Verdict{hold, "no_data"}));
  ExperimentState state = running;
  state.is_incomplete = true;
  EXPECT_EQ(said({worse}, state), (Verdict{hold, "incomplete"}));
  state.is_mixed = true;
  EXPECT_EQ(said({worse}, state), (Verdict{hold, "mixed_users"}));
  state.is_ratio_wrong = true;
  EXPECT_EQ(said({worse}, state), (Verdict{hold, "srm"}));
  for (const char* reason : {"no_data", "srm", "mixed_users", "incomplete", "arms_differed_before:precision@10"})
    EXPECT_TRUE(voids_decision({hold, reason}));
  for (const char* reason : {"undecided", "min_duration:precision@10", "worse:srm", "not_comparable:precision@10"})
    EXPECT_FALSE(voids_decision({hold, reason}));
}

TEST(Verdict, of_arms_is_the_first_that_ships_else_holds_else_stops) {
  const Verdict a{stop, "no_effect"}, b{hold, "undecided"}, c{ship, "better:m"}, d{ship, "better:n"};
  EXPECT_EQ(verdict_of_arms(std::vector{a, b, c, d}), c);
  EXPECT_EQ(verdict_of_arms(std::vector{a, b}), b);
  EXPECT_EQ(verdict_of_arms(std::vector{a, a}), a);
}

TEST(Verdict, without_evidence_is_undecided_never_flat) {
  TestResult nothing = unsure;
  nothing.comparison.reset();
  EXPECT_EQ(said({nothing}), (Verdict{hold, "undecided"}));
}

}  // namespace
}  // namespace recmeter
