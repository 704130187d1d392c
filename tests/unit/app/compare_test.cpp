// What a look and a pair of lists say to a person.
#include <gtest/gtest.h>

#include <cmath>

#include "app/compare/experiment_plan.h"
#include "app/compare/experiment_text.h"
#include "app/compare/league_text.h"
#include "app/compare/paired_lists.h"
#include "app/compare/paired_text.h"

namespace recmeter {
namespace {

ComparisonRow row_of(double value, std::optional<Interval> cs, std::optional<Duration> more = {}) {
  Comparison of;
  of.relative = Distance{value, Interval{value - 0.01, value + 0.01}, cs};
  of.evidence.df = 200;
  return {"B", of, 0.34, more, {}};
}
MetricRow metric(bool is_higher_better = true) {
  return {is_higher_better ? "precision@10" : "time_to", TestRole::primary, is_higher_better, {0.0251, 0.0259}, {}};
}

TEST(MetricSentence, says_how_far_how_sure_and_how_long_still) {
  EXPECT_EQ(metric_sentence(metric(), row_of(0.024, Interval{-0.007, 0.056}, Duration{9 * 86'400'000 - 1}), "A"),
            "B is 2.4 % higher than A in precision@10, which may be chance (between −0.7 % and +5.6 %); at this pace 9 more "
            "days.");
  EXPECT_EQ(metric_sentence(metric(), row_of(-0.05, Interval{-0.08, -0.02}), "A"),
            "B is 5.0 % worse than A in precision@10; sure: between −8.0 % and −2.0 %.");
  EXPECT_EQ(metric_sentence(metric(), row_of(0.024, {}), "A"),
            "B is 2.4 % higher than A in precision@10, which may be chance.");
  EXPECT_EQ(metric_sentence(metric(), {"B", {}, 1, {}, {}}, "A"),
            "B and A cannot be compared in precision@10: too little was seen.");
}

// The page of a report and the terminal speak of the same look.
TEST(MetricSentence, of_a_few_users_that_decide_says_so_and_rounds_a_long_pace) {
  constexpr std::int64_t day = 86'400'000;
  const auto said = [](std::int64_t days) {
    ComparisonRow row = row_of(0.065, {}, Duration{days * day});
    row.comparison->evidence.df = 7;
    return metric_sentence(metric(), row, "A");
  };
  EXPECT_EQ(said(183),
            "B is 6.5 % higher than A in precision@10, which may be chance; at this pace half a year: a few users "
            "decide it.");
  EXPECT_NE(said(400).find("at this pace a year or more: a few users decide it"), std::string::npos);
  EXPECT_NE(said(40).find("at this pace 40 more days: a few users decide it"), std::string::npos);
}

TEST(MetricSentence, does_not_call_better_what_rises_where_lower_is_better) {
  EXPECT_EQ(metric_sentence(metric(false), row_of(-0.05, Interval{-0.08, -0.02}), "A"),
            "B is 5.0 % lower than A in time_to, which is better; sure: between −8.0 % and −2.0 %.");
  EXPECT_EQ(metric_sentence(metric(false), row_of(0.05, Interval{0.02, 0.08}), "A"),
            "B is 5.0 % higher than A in time_to, where lower is better; sure: between +2.0 % and +8.0 %.");
}

TEST(MetricSentence, of_few_events_has_both_values_and_rough_bounds) {
  Comparison few{.control = 0.3, .arm = 0, .is_few = true};
  few.absolute = {-0.3, Interval{-0.3233520581, -0.2766479419}, Interval{-0.3363547852, -0.2636452148}};
  MetricRow of = metric();
  of.metric = "precision@1";
  EXPECT_EQ(metric_sentence(of, {"B", few, 0, {}, {}}, "A"),
            "B is 0.3 worse than A in precision@1 (0 against 0.3); sure: between −0.34 and −0.26.");
}

TEST(MetricSentence, says_why_nothing_can_be_compared) {
  const auto why = [](Missing missing) { return metric_sentence(metric(), {"B", {}, 1, {}, {}, {}, missing}, "A"); };
  const std::string begin = "B and A cannot be compared in precision@10: ";
  EXPECT_EQ(why(Missing::no_lists), begin + "an arm has lists of no or hardly any user.");
  EXPECT_EQ(why(Missing::no_events), begin + "nobody did it in either arm; test what happens, or give an absolute mde.");
  EXPECT_EQ(why(Missing::heavy), begin + "a few users make nearly all of it; test it with a cap, fixed before the start.");
  EXPECT_EQ(why(Missing::too_few), begin + "hardly anybody did it; it needs more users or more time.");
}

TEST(MetricSentence, says_that_CUPED_has_adjusted_what_is_compared) {
  ComparisonRow row = row_of(0.024, Interval{-0.007, 0.056});
  row.comparison->theta = 0.5;
  EXPECT_EQ(metric_sentence(metric(), row, "A"),
            "B is 2.4 % higher than A in precision@10, adjusted by CUPED, which may be chance (between −0.7 % and +5.6 %).");
}

TEST(PairedLists, say_which_arms_never_ran_at_the_same_time) {
  const auto add = [](PairedLists& lists, const std::string& arm, std::int64_t first, std::int64_t last) {
    lists.add_times(arm, {.first = EventTime{first}, .last = EventTime{last}});
  };
  constexpr std::int64_t day = 86'400'000;
  PairedLists lists;
  add(lists, "old", 0, 5 * day);
  add(lists, "new", 40 * day, 50 * day);
  add(lists, "both", 2 * day, 60 * day);
  const std::string words = ": they never ran at the same time, so that their difference may be that of the times.";
  EXPECT_EQ(never_together(lists, "old"),
            std::vector<std::string>{"new has lists of 1970-02-10 to 1970-02-20, old of 1970-01-01 to 1970-01-06" + words});
  EXPECT_TRUE(never_together(lists, "both").empty());
  EXPECT_TRUE(never_together(lists, "unknown").empty());
  PairedLists of_a_day;
  add(of_a_day, "a", 0, day / 4);
  add(of_a_day, "b", day / 2, day / 2);
  EXPECT_EQ(never_together(of_a_day, "a"),
            std::vector<std::string>{"b has lists of 1970-01-01 12:00, a of 1970-01-01 00:00 to 1970-01-01 06:00" + words});
  const std::string line =
      R"({"list_id":"l","user_id":"u","ts":86400000,"horizon":"30m","segments":{"arm":"A"},"items":1,"metrics":{}})";
  ASSERT_TRUE(of_a_day.add_by("arm", line));
  EXPECT_EQ(of_a_day.times().at("A").first, EventTime{day}) << "lists that replay wrote have their times";
}

// 20 lists of each of 256 users, who differ by a fifth from `value`; one in `period` is above it.
SlotSums sums_of(double value, std::size_t period = 2) {
  constexpr double lists = 20;
  SlotSums sums;
  for (std::size_t slot = 0; slot < experiment_slots; ++slot) {
    sums.s[slot] = to_q32_wide(lists * value * (slot % period == 0 ? 1.2 : 0.8));
    sums.n[slot] = to_q32(lists);
  }
  return sums;
}

TEST(LeagueText, says_how_to_read_a_column_of_both_scales) {
  PairedLists lists;
  lists.add_sums("30m", "live", "precision@5", sums_of(0.4));
  lists.add_sums("30m", "knn", "precision@5", sums_of(0.2, 3));
  constexpr std::string_view note = "A difference without % is one of the values themselves";
  const std::string one = league_text(lists, {.control = "live"});
  EXPECT_NE(one.find(" %  "), std::string::npos) << one;
  EXPECT_EQ(one.find(note), std::string::npos) << one;
  lists.add_sums("30m", "top", "precision@5", sums_of(0));
  const std::string both = league_text(lists, {.control = "live"});
  EXPECT_NE(both.find(note), std::string::npos) << both;
}

PairedLists::Pair pair_between(double low, double high, const std::string& arm = "B") {
  Comparison comparison;
  comparison.relative = Distance{(low + high) / 2, Interval{low, high}, {}};
  comparison.evidence.p = low > 0 ? 0.0002 : 0.4;
  return {"30m", "precision@10", arm, 400, 500, 0.1, 0.11, comparison};
}

TEST(PairedText, says_the_answer_the_table_and_how_to_read_it) {
  PairedAnswer answer{.pairs = {pair_between(0.01, 0.2)}, .control = {.value = "A"}, .headline = "precision@10"};
  EXPECT_EQ(paired_text(answer),
            "B against A: precision@10 +10.5 % (+1.0 to +20.0), better at this one look\n\n"
            "metric        A    B     lists      B against A, relative  95 % interval      p\n"
            "precision@10  0.1  0.11  400 + 500  +10.5 %                +1.0 % to +20.0 %  < 0.001\n\n"
            "This is one look, paired by user: right when you look once. It is no verdict; configure an experiment to watch "
            "one.\n");
  answer.pairs.push_back(pair_between(-0.1, 0.2, "C"));
  answer.left_out = 1;
  EXPECT_NE(paired_text(answer).find("These are 2 differences at once"), std::string::npos) << paired_text(answer);
  EXPECT_NE(paired_text(answer).find("1 more metric is in --format json."), std::string::npos);
}

TEST(PairedText, says_which_differences_are_relative_and_whether_users_are_in_both_arms) {
  PairedLists::Pair absolute = pair_between(0.01, 0.2);
  absolute.comparison->absolute = *absolute.comparison->relative;
  absolute.comparison->relative.reset();
  PairedAnswer answer{.pairs = {absolute}, .control = {.value = "A"}, .users = ArmsOfUsers::one_each};
  EXPECT_NE(paired_text(answer).find("  B against A, absolute  "), std::string::npos) << paired_text(answer);
  EXPECT_NE(paired_text(answer).find("This is one look, where users are in one arm each: right"), std::string::npos);
  answer.users = ArmsOfUsers::several;
  EXPECT_EQ(paired_text(answer).find("A difference without %"), std::string::npos) << paired_text(answer);
  answer.pairs.push_back(pair_between(0.01, 0.2));
  EXPECT_NE(paired_text(answer).find("  B against A, with % relative  "), std::string::npos) << paired_text(answer);
  EXPECT_NE(paired_text(answer).find("A difference without % is one of the values themselves"), std::string::npos);
  EXPECT_NE(paired_text(answer).find("paired by user"), std::string::npos);
}

TEST(PairedText, calls_nothing_better_where_no_control_is_known) {
  EXPECT_EQ(paired_sentence(pair_between(0.01, 0.2), {.value = "A", .is_known = false}, Better::higher),
            "B against A: precision@10 +10.5 % (+1.0 to +20.0), higher at this one look");
  EXPECT_EQ(paired_sentence(pair_between(0.01, 0.2), {.value = "A"}, Better::lower),
            "B against A: precision@10 +10.5 % (+1.0 to +20.0), worse at this one look");
}

TEST(PairedText, has_a_reason_in_place_of_each_dash) {
  PairedLists::Pair pair{"30m", "precision@10", "B", 0, 4, std::nullopt, 0.1, tl::unexpected(Missing::no_lists)};
  const std::string text = paired_text({.pairs = {pair}, .control = {.value = "A"}});
  EXPECT_NE(text.find("no list  0.1"), std::string::npos) << text;
  EXPECT_NE(text.find("an arm has lists of no or hardly any user"), std::string::npos) << text;
  pair.comparison = *pair_between(0, 1).comparison;
  pair.comparison->relative->ci.reset();
  EXPECT_NE(paired_text({.pairs = {pair}, .control = {.value = "A"}}).find("too wide to say"), std::string::npos);
}

TEST(ExperimentText, has_the_p_that_belongs_to_each_interval) {
  ExperimentRow row;
  row.arms = {{"A", 1, 1, 0.5}, {"B", 1, 1, 0.5}};
  row.metrics = {metric()};
  row.metrics[0].comparisons = {row_of(0.024, Interval{-0.007, 0.056})};
  Comparison& of = *row.metrics[0].comparisons[0].comparison;
  of.evidence.p = 0.02;
  of.evidence.log_e = std::log(2.5);
  row.metrics[0].comparisons[0].p_always = 0.34;  // the smallest over all looks
  const std::string text = experiment_text(row);
  EXPECT_NE(text.find("−0.7 % to +5.6 %  0.400  +1.4 % to +3.4 %  0.020"), std::string::npos) << text;
  row.is_closed = true;
  row.metrics[0].comparisons[0].comparison->relative->cs = Interval{0.001, 0.05};
  EXPECT_NE(experiment_text(row).find("+0.1 % to +5.0 %  0.020"), std::string::npos) << "the last look decides by its own";
  row.metrics.push_back(row.metrics[0]);
  row.metrics[1].role = TestRole::secondary;
  EXPECT_NE(experiment_text(row).find("These are 2 differences at once"), std::string::npos);
  EXPECT_NE(experiment_text(row).find("Of the secondary ones none is found"), std::string::npos);
}

ExperimentRow look(Verdict verdict, std::optional<DecidedRow> decided = {}) {
  ExperimentRow row;
  row.experiment = "ranker-7";
  row.start = EventTime{1793491200000};
  row.end = EventTime{1794096000000};
  row.horizon = Duration{1'800'000};
  row.look = 168;
  row.arms = {{"A", 81234, 20110, 0.5}, {"B", 80990, 20007, 0.5}};
  row.metrics = {metric()};
  row.metrics[0].comparisons = {row_of(0.024, Interval{-0.007, 0.056})};
  row.arm_verdicts = {{"B", verdict}};
  row.verdict = verdict;
  row.decided = decided;
  row.counts = counts_of(row);
  return row;
}

TEST(VerdictSentence, is_of_what_counts_and_names_what_this_look_says_where_it_is_something_else) {
  const DecidedRow shipped{EventTime{1793998800000}, {Decision::ship, "better:precision@10"}, "B"};
  EXPECT_EQ(verdict_sentence(look({Decision::hold, "undecided"})), "Hold: it is not decided yet.");
  EXPECT_EQ(verdict_sentence(look({Decision::stop, "time_up"}, shipped)),
            "Ship B: precision@10 is better; decided at 2026-11-06T21:00:00Z. "
            "The look of 2026-11-08T00:00:00Z alone says: Stop B: the time is over, and no difference was found.");
  EXPECT_EQ(verdict_sentence(look({Decision::ship, "better:precision@10"},
                                  DecidedRow{EventTime{1794096000000}, {Decision::ship, "better:precision@10"}, "B"})),
            "Ship B: precision@10 is better; decided at 2026-11-08T00:00:00Z.");
  EXPECT_EQ(
      verdict_sentence(look({Decision::hold, "incomplete"}, shipped)),
      "Hold: lists are missing, so nothing can be concluded. The decision of 2026-11-06T21:00:00Z, ship, does not count.");
  ExperimentRow guarded = look({Decision::ship, "better:precision@10"});
  guarded.metrics.push_back(metric());
  guarded.metrics.back().role = TestRole::guardrail;
  EXPECT_EQ(verdict_sentence(guarded), "Ship B: precision@10 is better, and no guardrail is hurt.");
}

// A row of the last look, by which B has said `reason`.
ExperimentRow last_look(Decision decision, const std::string& reason) {
  ExperimentRow row = look({decision, reason});
  row.is_closed = true;
  return row;
}

TEST(VerdictSentence, of_the_last_look_says_what_could_have_been_found) {
  ExperimentRow row = last_look(Decision::stop, "time_up");
  row.metrics[0].comparisons[0].comparison->evidence.mde_now = 0.058;
  EXPECT_EQ(verdict_sentence(row),
            "Stop B: the time is over, and no difference was found; one of 5.8 % is found in 80 of 100 cases.");
  row.metrics[0].comparisons[0].comparison->relative.reset();
  EXPECT_EQ(verdict_sentence(row),
            "Stop B: the time is over, and no difference was found; one of 0.058 is found in 80 of 100 cases.");
}

TEST(VerdictSentence, of_the_last_look_says_why_nothing_can_be_compared) {
  ExperimentRow row = last_look(Decision::hold, "not_comparable:precision@10");
  row.metrics[0].comparisons[0].comparison.reset();
  row.metrics[0].comparisons[0].missing = Missing::too_few;
  EXPECT_EQ(
      verdict_sentence(row),
      "Hold B: the time is over, and B cannot be compared in precision@10: hardly anybody did it; it needs more users or "
      "more time.");
}

TEST(VerdictSentence, says_that_the_arms_differed_before_the_start) {
  ExperimentRow row = look({Decision::hold, "arms_differed_before:precision@10"});
  row.metrics[0].comparisons[0].before =
      BeforeRow{.control = 0.03937341451, .arm = 0.0442006989, .log_e = 9.7, .flagged_at = {}};
  EXPECT_EQ(
      verdict_sentence(row),
      "Hold: the arms differed in precision@10 before the start already (B 0.0442, A 0.0394); begin when both began, or "
      "leave `cuped` out.");
}

TEST(VerdictSentence, says_that_of_0_in_the_control_no_relative_margin_can_be_kept) {
  ExperimentRow row = look({Decision::hold, "guardrail_unsure:complaints"});
  MetricRow& guardrail = row.metrics.emplace_back(metric(false));
  guardrail.metric = "complaints";
  guardrail.role = TestRole::guardrail;
  guardrail.comparisons = {{"B", Comparison{.control = 0, .arm = 0.001, .is_few = true}, 1, {}, {}}};
  EXPECT_EQ(verdict_sentence(row),
            "Hold B: it is better, but complaints is 0 in A, so that no relative margin can be kept; give an absolute one.");
  guardrail.is_absolute = true;
  EXPECT_EQ(verdict_sentence(row), "Hold B: it is better, but complaints, a guardrail, may be hurt.");
}

TEST(MetricSentence, of_the_last_look_is_not_sure_and_says_nothing_of_the_pace) {
  EXPECT_EQ(metric_sentence(metric(), row_of(0.024, Interval{-0.007, 0.056}, Duration{9 * 86'400'000}), "A", true),
            "B is 2.4 % higher than A in precision@10, which may be chance (between −0.7 % and +5.6 %).");
}

TEST(ExperimentText, has_p_of_the_last_look_where_that_decides) {
  ExperimentRow row = last_look(Decision::ship, "better:precision@10");
  row.metrics[0].comparisons = {row_of(0.024, Interval{0.007, 0.041})};
  row.metrics[0].comparisons[0].comparison->evidence.p = 0.0051;
  EXPECT_NE(experiment_text(row).find("0.005  +1.4 % to +3.4 %  0.005\n"), std::string::npos) << experiment_text(row);
  row.is_closed = false;
  EXPECT_NE(experiment_text(row).find("1.000  +1.4 % to +3.4 %  0.005\n"), std::string::npos);
}

TEST(VerdictSentence, names_the_arm_that_was_decided_on) {
  ExperimentRow row = look({Decision::ship, "better:precision@10"},
                           DecidedRow{EventTime{1793998800000}, {Decision::ship, "better:precision@10"}, "C"});
  row.arms.push_back({"C", 1, 1, 0.5});
  row.arm_verdicts.emplace_back("C", Verdict{Decision::hold, "undecided"});
  EXPECT_EQ(verdict_sentence(row),
            "Ship C: precision@10 is better; decided at 2026-11-06T21:00:00Z. "
            "The look of 2026-11-08T00:00:00Z alone says: Ship B: precision@10 is better.");
  row.counts.arm.clear();
  EXPECT_TRUE(verdict_sentence(row).starts_with("Ship B or C: ")) << "a row of an earlier version";
}

TEST(VerdictSentence, names_an_arm_without_lists_and_where_they_may_be) {
  ExperimentRow row = look({Decision::hold, "no_data"});
  EXPECT_EQ(verdict_sentence(row), "Hold: there is no look yet.");
  row.arms[1].lists = 0;
  EXPECT_EQ(verdict_sentence(row), "Hold: no list is of B.");
  row.other_lists = 300;
  EXPECT_EQ(verdict_sentence(row), "Hold: no list is of B; 300 lists name no arm: check how the arms are spelt.");
  row.other_lists = 1;
  EXPECT_EQ(verdict_sentence(row), "Hold: no list is of B; 1 list names no arm: check how the arms are spelt.");
  row.arms[0].lists = row.other_lists = 0;
  row.nobody_lists = 1;
  EXPECT_EQ(verdict_sentence(row),
            "Hold: no list is of A or B; 1 list of the arms is of placeholder users, who are in no arm.");
  row.nobody_lists = 40;
  EXPECT_EQ(verdict_sentence(row),
            "Hold: no list is of A or B; 40 lists of the arms are of placeholder users, who are in no arm.");
}

TEST(ExperimentText, has_the_verdict_the_sentences_and_a_table) {
  EXPECT_EQ(experiment_text(look({Decision::hold, "undecided"})),
            "ranker-7: look 168, 2026-11-01T00:00:00Z to 2026-11-08T00:00:00Z, horizon 30m\n"
            "Hold: it is not decided yet.\n\n"
            "B is 2.4 % higher than A in precision@10, which may be chance (between −0.7 % and +5.6 %).\n\n"
            "metric        role     arm  A       arm's   difference  all looks         p      one look          p\n"
            "precision@10  primary  B    0.0251  0.0259  +2.4 %      −0.7 % to +5.6 %  1.000  +1.4 % to +3.4 %  < 0.001\n\n"
            "arm  lists  users  planned\n"
            "A    81234  20110  50.0 %\n"
            "B    80990  20007  50.0 %\n");
  EXPECT_NE(experiment_markdown(look({Decision::hold, "undecided"})).find("| precision@10 | primary | B | 0.0251 |"),
            std::string::npos);
}

std::string line_of(int user, const char* variant, double value) {
  return R"({"list_id":"l","user_id":"u)" + std::to_string(user) + R"(","ts":1,"horizon":"30m","segments":{"variant":")" +
         variant + R"("},"items":10,"relevant":1,"metrics":{"precision@10":)" + std::to_string(value) +
         R"(,"recall@10":null,"recall@5/pooled":0.5}})";
}

TEST(PairedLists, are_compared_by_user_so_that_what_they_have_in_common_cancels) {
  PairedLists lists;
  for (int user = 0; user < 2000; ++user) {
    const double taste = 0.1 + user % 7 * 0.1;
    ASSERT_TRUE(lists.add_by("variant", line_of(user, "A", taste)));
    ASSERT_TRUE(lists.add_by("variant", line_of(user, "B", taste + 0.01 + user % 3 * 0.001)));
  }
  EXPECT_EQ(lists.variants(), (std::vector<std::string>{"A", "B"}));
  const auto pairs = lists.pairs("A", 0.05);
  ASSERT_EQ(pairs.size(), 1U) << "what is no mean over lists is left out, and what has no value";
  EXPECT_EQ(pairs[0].metric, "precision@10");
  EXPECT_EQ(pairs[0].lists_control, 2000U);
  ASSERT_TRUE(pairs[0].comparison);
  EXPECT_NEAR(pairs[0].comparison->absolute.value, 0.011, 1e-6);
  EXPECT_GT(pairs[0].comparison->absolute.ci->first, 0.0109) << "apart, the users' tastes alone would span 0.02";
  EXPECT_NE(paired_json(pairs, "A").find(R"("valid":"one_look","horizon":"30m","metric":"precision@10","control":"A")"),
            std::string::npos);
  EXPECT_NE(paired_text({.pairs = pairs, .control = {.value = "A"}}).find("It is no verdict"), std::string::npos);
  EXPECT_EQ(lists.arms_of_users(), ArmsOfUsers::several);
}

// One id stands for many people: what they have in common is the list, not the id.
TEST(PairedLists, of_placeholder_users_are_of_a_user_of_their_own_each) {
  const auto line = [](int list, const char* user, const char* variant) {
    return R"({"list_id":"l)" + std::to_string(list) + R"(","user_id":)" + user +
           R"(,"ts":1,"horizon":"30m","segments":{"variant":")" + variant +
           R"("},"items":10,"relevant":1,"metrics":{"precision@10":)" + std::to_string(list % 7 * 0.1 + (list % 2) * 0.02) +
           "}}";
  };
  PairedLists marked, unknown, one_user;
  for (int list = 0; list < 4000; ++list) {
    const char* variant = list % 2 == 0 ? "A" : "B";
    ASSERT_TRUE(marked.add_by("variant", line(list, R"("anonymous","nobody":true)", variant)));
    ASSERT_TRUE(unknown.add_by("variant", line(list, "null", variant)));
    ASSERT_TRUE(one_user.add_by("variant", line(list, R"("anonymous")", variant)));
  }
  ASSERT_TRUE(marked.pairs("A", 0.05)[0].comparison);
  EXPECT_EQ(paired_json(marked.pairs("A", 0.05), "A"), paired_json(unknown.pairs("A", 0.05), "A"));
  EXPECT_FALSE(one_user.pairs("A", 0.05)[0].comparison) << "one user says nothing of others";
}

TEST(PairedLists, of_few_events_are_compared_by_their_difference_and_say_why_where_they_are_not) {
  PairedLists lists, none;
  for (int user = 0; user < 2000; ++user) {
    ASSERT_TRUE(lists.add_by("variant", line_of(user, "A", user % 3 == 0 ? 1 : 0)));
    ASSERT_TRUE(lists.add_by("variant", line_of(user, "B", 0)));
  }
  const auto pairs = lists.pairs("A", 0.05);
  ASSERT_TRUE(pairs[0].comparison);
  EXPECT_TRUE(pairs[0].comparison->is_few);
  EXPECT_FALSE(pairs[0].comparison->relative);
  EXPECT_LT(pairs[0].comparison->absolute.ci->second, 0);
  EXPECT_NE(paired_json(pairs, "A").find(R"("few":true,"missing":null,"p":)"), std::string::npos);
  ASSERT_TRUE(none.add_by("variant", line_of(1, "A", 1)));
  ASSERT_TRUE(none.add_by("variant", line_of(2, "B", 1)));
  EXPECT_NE(paired_text({.pairs = none.pairs("A", 0.05), .control = {.value = "A"}})
                .find("an arm has lists of no or hardly any user"),
            std::string::npos);
  EXPECT_NE(paired_json(none.pairs("A", 0.05), "A").find(R"("few":null,"missing":"no_lists","p":null)"), std::string::npos);
}

// An interval from one end of what there can be to the other.
TEST(PairedLists, of_too_few_users_say_so_in_place_of_an_interval) {
  PairedLists lists;
  for (int user = 0; user < 3; ++user) ASSERT_TRUE(lists.add_by("variant", line_of(user, "B", user == 0 ? 0.9 : 0)));
  for (int user = 3; user < 400; ++user) ASSERT_TRUE(lists.add_by("variant", line_of(user, "A", user % 5 == 0 ? 0.2 : 0)));
  const auto pairs = lists.pairs("A", 0.05);
  ASSERT_TRUE(pairs[0].comparison);
  EXPECT_EQ(pairs[0].unsure, "too few users in B");
  EXPECT_NE(
      paired_sentence(pairs[0], {.value = "A"}, Better::higher).find("; how sure that is cannot be said: too few users in B"),
      std::string::npos);
  EXPECT_NE(paired_text({.pairs = pairs, .control = {.value = "A"}}).find("  too few users in B\n"), std::string::npos);
  EXPECT_NE(paired_json(pairs, "A").find(R"("missing":null,"p":null)"), std::string::npos) << "as the table and the page";
  EXPECT_EQ(lists.arms_of_users(), ArmsOfUsers::one_each);
}

TEST(PairedLists, are_nothing_without_the_control_or_without_lists) {
  PairedLists lists;
  EXPECT_FALSE(lists.add_by("variant", R"({"schema":"recmeter.window/1"})"));
  ASSERT_TRUE(lists.add_by("other", line_of(1, "A", 1)));
  EXPECT_TRUE(lists.variants().empty());
  ASSERT_TRUE(lists.add_of("a.jsonl", line_of(1, "A", 1)));
  EXPECT_TRUE(lists.pairs("b.jsonl", 0.05).empty());
}

// The plan of a day in which `steady` users of 40 lists each like the one half of it or nothing, beside 300 of two lists.
MetricPlanRow plan_with(std::uint64_t steady, double mde) {
  PlanLists lists;
  constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;
  const auto add = [&](std::uint64_t user, int list, int of, double value) {
    const std::pair<std::string_view, double> metric{"precision@5", value};
    lists.add((user + 1) * spread, EventTime{list * one_day.ms / of}, user % 2 == 0 ? "A" : "B", {&metric, 1});
  };
  for (std::uint64_t user = 0; user < steady; ++user) {
    for (int list = 0; list < 40; ++list) add(user, list, 40, user % 4 < 2 ? 0.4 : 0);
  }
  for (std::uint64_t user = 0; user < 300; ++user) {
    for (int list = 0; list < 2; ++list)
      add(1000 + user, list, 2, (user + static_cast<std::uint64_t>(list)) % 2 == 0 ? 0.4 : 0);
  }
  return lists.plan({.mde = mde}).metrics.at(0);
}

TEST(PlanLists, do_not_call_never_what_a_few_users_seem_to_say) {
  const MetricPlanRow few = plan_with(6, 0.5);
  EXPECT_TRUE(few.days) << few.why;
  ASSERT_TRUE(few.least) << "six alike are just more than noise";
  EXPECT_LT(*few.least, 0.5);
  const MetricPlanRow many = plan_with(60, 0.05);
  EXPECT_FALSE(many.days);
  ASSERT_TRUE(many.least);
  EXPECT_GT(*many.least, 0.05);
  EXPECT_TRUE(many.why.starts_with("never below ")) << many.why;
  EXPECT_TRUE(plan_with(60, 2 * *many.least).days) << "a larger change is found";
}

TEST(PlanLists, of_no_value_or_of_one_that_is_not_kept_are_in_no_arm) {
  PlanLists lists;
  std::int64_t ts = 0;
  for (const char* arm : {"old", "new", "(none)", "(other)", R"(\\(none))"}) {
    ts += one_hour.ms;
    const std::string line = R"({"ts":)" + std::to_string(ts) + R"(,"user_id":"u)" + std::to_string(ts) +
                             R"(","segments":{"ranker":")" + arm + R"("},"metrics":{"precision@5":0.2}})";
    ASSERT_TRUE(lists.add("ranker", line)) << line;
  }
  EXPECT_EQ(lists.plan({}).values, (std::vector<std::string>{R"(\(none))", "new", "old"}));
}

PairedLists::Pair pair_of(double value, std::optional<Interval> ci, bool is_relative = true) {
  Comparison of;
  (is_relative ? of.relative.emplace() : of.absolute) = Distance{value, ci, {}};
  return {"30m", "precision@5", "new", 673, 827, 0.1061, 0.1129, of};
}

TEST(PairedSentence, says_the_change_its_bounds_and_whether_one_look_decides) {
  const auto text = [](const PairedLists::Pair& pair, Better better = Better::higher) {
    return paired_sentence(pair, {.value = "old"}, better);
  };
  EXPECT_EQ(text(pair_of(0.0646, Interval{-0.2, 0.417})), "new against old: precision@5 +6.5 % (−20 to +42), not decided");
  EXPECT_EQ(text(pair_of(0.468, Interval{0.012, 1.2})),
            "new against old: precision@5 +46.8 % (+1.2 to +120.0), better at this one look");
  EXPECT_EQ(text(pair_of(0.256, Interval{0.23, 0.28}), Better::lower),
            "new against old: precision@5 +25.6 % (+23 to +28), worse at this one look");
  EXPECT_EQ(text(pair_of(-0.2, Interval{-0.3, -0.1})),
            "new against old: precision@5 −20.0 % (−30 to −10), worse at this one look");
  EXPECT_EQ(text(pair_of(0.0012, Interval{-0.003, 0.004}, false)),
            "new against old: precision@5 +0.0012 (−0.003 to +0.004), not decided");
  EXPECT_EQ(text(pair_of(0.1, {})), "new against old: precision@5 +10.0 %, how sure that is cannot be said");
  EXPECT_EQ(text({"30m", "precision@5", "new", 3, 4, 0.1, 0.2, tl::unexpected(Missing::no_lists)}),
            "new against old: precision@5 cannot be compared: an arm has lists of no or hardly any user");
}

}  // namespace
}  // namespace recmeter
