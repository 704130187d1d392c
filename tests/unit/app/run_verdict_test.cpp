#include "app/run/run_verdict.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

// A thousand events of two logs, 900 and 100, all well.
Report two_logs() {
  Report report;
  report.partitions.resize(2);
  report.partitions[0].name = "a.jsonl";
  report.partitions[0].events.read = 900;
  report.partitions[1].name = "b.jsonl";
  report.partitions[1].events.read = 100;
  report.events.read = 1000;
  report.events.impressions = 600;
  report.events.feedback = 400;
  report.lists = 600;
  report.rows_final = 10;
  report.feedback.credited = 10;
  return report;
}

Limits limits() {
  Limits limits;
  limits.invalid_share = 0.2;
  limits.lost_share = 0.01;
  return limits;
}

std::string only_sentence(const Report& report) {
  const auto sentences = exceeded_limits(report, limits());
  EXPECT_EQ(sentences.size(), 1U);
  return sentences.empty() ? "" : sentences.front();
}

void spoil(Report& report, std::uint64_t EventCounts::* count, std::uint64_t n) {
  report.partitions[1].events.*count = n;
  report.events.*count = n;
}

TEST(RunVerdict, trusts_a_good_run) {
  EXPECT_TRUE(exceeded_limits(two_logs(), limits()).empty());
  EXPECT_TRUE(doubts(two_logs()).empty());
}

TEST(RunVerdict, trusts_a_run_at_its_limits) {
  Report report = two_logs();
  spoil(report, &EventCounts::invalid, 200);
  spoil(report, &EventCounts::late, 10);
  EXPECT_TRUE(exceeded_limits(report, limits()).empty());
}

TEST(RunVerdict, tells_which_log_is_invalid_and_why) {
  Report report = two_logs();
  report.events.invalid = 300;
  report.partitions[0].events.invalid = 40;
  report.partitions[1].events.invalid = 260;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::missing_field)] = 299;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::not_json)] = 1;
  EXPECT_EQ(
      only_sentence(report),
      "30 % of the events are invalid, more than limits.invalid_share (20 %); most of them in b.jsonl (260 of 100), mostly "
      "for the reason missing_field: name the place of that field under inputs.fields: recmeter validate CONFIG --sample LOG "
      "shows which it is; without a configuration recmeter infer writes one, or raise limits.invalid_share");
}

TEST(RunVerdict, tells_what_a_log_is_read_as_where_most_of_it_is_invalid) {
  Report report = two_logs();
  report.events.invalid = 300;
  report.partitions[0].events.invalid = 249;
  report.partitions[1].events.invalid = 51;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::not_a_row)] = 300;
  const std::vector<std::string> formats{"it is read as CSV", "it is read as JSON lines"};
  const auto told = [&](std::string_view format) {
    const auto sentences = exceeded_limits(report, limits(), formats);
    return sentences.size() == 1 && sentences.front().ends_with("or raise limits.invalid_share" + std::string(format));
  };
  EXPECT_TRUE(told(""));  // most of it is valid
  report.partitions[0].events.invalid = 40;
  report.partitions[1].events.invalid = 51;
  EXPECT_TRUE(told("; it is read as JSON lines"));
  report.partitions[1].events.invalid = 50;
  EXPECT_TRUE(told(""));
}

TEST(RunVerdict, tells_that_most_lists_lack_an_item) {
  Report report = two_logs();
  std::uint64_t& lost = report.invalid_reasons[static_cast<std::size_t>(InvalidReason::bad_position)];
  report.lists = 100;
  lost = 50;
  spoil(report, &EventCounts::invalid, 51);
  EXPECT_TRUE(exceeded_limits(report, limits()).empty());
  lost = 51;
  EXPECT_NE(only_sentence(report).find("51 items have no rank (bad_position), of 100 lists"), std::string::npos);
  EXPECT_NE(only_sentence(report).find("set inputs.position_base: 0"), std::string::npos);
  Limits tolerant = limits();
  tolerant.tolerated_reasons = {InvalidReason::bad_position};
  EXPECT_TRUE(exceeded_limits(report, tolerant).empty());
}

TEST(RunVerdict, does_not_count_what_is_tolerated) {
  Limits tolerant = limits();
  tolerant.tolerated_reasons = {InvalidReason::no_type};
  Report report = two_logs();
  spoil(report, &EventCounts::invalid, 900);
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::no_type)] = 900;
  EXPECT_TRUE(exceeded_limits(report, tolerant).empty());
  EXPECT_EQ(exceeded_limits(report, limits()).size(), 1U);
  // 30 of the 121 that are left.
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::no_type)] = 879;
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::not_json)] = 30;
  spoil(report, &EventCounts::invalid, 909);
  const auto sentences = exceeded_limits(report, tolerant);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_NE(sentences[0].find("24.8 % of the events are invalid"), std::string::npos) << sentences[0];
  EXPECT_NE(sentences[0].find("mostly for the reason not_json"), std::string::npos) << sentences[0];
}

// Else a wrong path of the type would be a run without rows that says nothing.
TEST(RunVerdict, does_not_tolerate_that_nothing_counts) {
  Limits tolerant = limits();
  tolerant.tolerated_reasons = {InvalidReason::no_type};
  Report report = two_logs();
  spoil(report, &EventCounts::invalid, 1000);
  report.invalid_reasons[static_cast<std::size_t>(InvalidReason::no_type)] = 1000;
  report.lists = 0;
  const auto sentences = exceeded_limits(report, tolerant);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_NE(sentences[0].find("100 % of the events are invalid"), std::string::npos) << sentences[0];
}

TEST(RunVerdict, has_a_remedy_for_every_reason) {
  for (std::size_t reason = 0; reason < invalid_reason_count; ++reason) {
    Report report = two_logs();
    spoil(report, &EventCounts::invalid, 300);
    report.invalid_reasons[reason] = 300;
    const std::string name(to_string(static_cast<InvalidReason>(reason)));
    const std::string sentence = only_sentence(report);
    const std::size_t colon = sentence.find("reason " + name + ": ");
    ASSERT_NE(colon, std::string::npos) << sentence;
    EXPECT_NE(sentence[colon + name.size() + 9], ',') << sentence;
  }
}

TEST(RunVerdict, tells_how_far_a_log_goes_back) {
  struct Case {
    std::int64_t ms;
    const char* text;
  };
  for (const Case& c : {Case{1, "up to 1s: sort it by time"}, Case{59'000, "up to 59s: sort it by time"},
                        Case{60'000, "up to 1m: sort it by time"}, Case{60'001, "up to 2m: sort it by time"},
                        Case{3'600'000, "up to 1h: sort it by time"}, Case{25'920'000, "up to 7h12m: sort it by time"}}) {
    Report report = two_logs();
    spoil(report, &EventCounts::late, 11);
    report.partitions[1].disorder.max = Duration{c.ms};
    const std::string sentence = only_sentence(report);
    EXPECT_NE(sentence.find("most of them in b.jsonl: it goes back " + std::string(c.text)), std::string::npos) << sentence;
  }
}

TEST(RunVerdict, tells_future_events_from_late_ones) {
  Report report = two_logs();
  spoil(report, &EventCounts::future, 30);
  spoil(report, &EventCounts::late, 5);
  const std::string sentence = only_sentence(report);
  EXPECT_TRUE(sentence.starts_with("3.5 % of the events are late or in the future, more than limits.lost_share (1 %)"))
      << sentence;
  EXPECT_NE(sentence.find("30 events lie further ahead"), std::string::npos) << sentence;
}

TEST(RunVerdict, tells_small_shares_from_none) {
  Report report = two_logs();
  report.events.read = 1'000'000;
  spoil(report, &EventCounts::late, 3);
  Limits strict = limits();
  strict.lost_share = 0;
  const auto sentences = exceeded_limits(report, strict);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_TRUE(sentences.front().starts_with("0.0003 % of the events")) << sentences.front();
}

TEST(RunVerdict, doubts_what_is_hardly_meant) {
  Report empty;
  ASSERT_EQ(doubts(empty).size(), 1U);
  EXPECT_NE(doubts(empty).front().find("inputs are empty"), std::string::npos);
  Report no_feedback = two_logs();
  no_feedback.events.feedback = 0;
  EXPECT_NE(doubts(no_feedback).front().find("no feedback was read"), std::string::npos);
  Report no_rows = two_logs();
  no_rows.rows_final = 0;
  EXPECT_NE(doubts(no_rows).front().find("between --from and --to"), std::string::npos);
}

TEST(RunVerdict, names_what_makes_many_duplicates_and_the_key_to_set) {
  struct Case {
    DuplicateReason reason;
    const char* says;
  };
  for (const auto& [reason, says] :
       {Case{DuplicateReason::nothing_new, "of impressions (50) are duplicates (nothing_new)"},
        Case{DuplicateReason::nothing_new, "join.whole_lists: own"}, Case{DuplicateReason::taken, "give each its own"},
        Case{DuplicateReason::late_row, "raise join.assemble"}, Case{DuplicateReason::full, "limits.list_items"},
        Case{DuplicateReason::once, "5 % of feedback (50) are duplicates (once)"}}) {
    Report report;
    report.lists = report.rows_final = 1;
    report.events.read = 2000;
    report.events.impressions = report.events.feedback = 950;
    report.feedback.credited = 950;
    report.events.duplicates[static_cast<std::size_t>(reason)] = 50;
    const std::vector<std::string> sentences = doubts(report);
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_NE(sentences[0].find(says), std::string::npos) << sentences[0];
    report.events.duplicates[static_cast<std::size_t>(reason)] = 49;
    EXPECT_TRUE(doubts(report).empty()) << "less than 5 %";
  }
  Report small;
  small.lists = small.rows_final = 1;
  small.events.read = small.events.impressions = small.events.feedback = small.feedback.credited = 30;
  small.events.duplicates[static_cast<std::size_t>(DuplicateReason::taken)] = 19;
  EXPECT_TRUE(doubts(small).empty());
}

// Where half of the rows are no part of their lists, that is why nothing is credited, and is told first.
TEST(RunVerdict, names_what_makes_many_duplicates_where_nothing_is_credited) {
  Report report;
  report.lists = report.rows_final = 1;
  report.events.read = 300;
  report.events.impressions = report.events.feedback = report.feedback.not_in_list = 100;
  report.events.duplicates[static_cast<std::size_t>(DuplicateReason::late_row)] = 100;
  const std::vector<std::string> sentences = doubts(report);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_NE(sentences[0].find("raise join.assemble"), std::string::npos) << sentences[0];
  EXPECT_NE(sentences[1].find("is credited to a list"), std::string::npos) << sentences[1];
}

TEST(RunVerdict, does_not_trust_a_log_that_shows_no_list) {
  Report ignored = two_logs();
  spoil(ignored, &EventCounts::ignored, 1000);
  ignored.lists = 0;
  EXPECT_NE(only_sentence(ignored).find("inputs.types"), std::string::npos);
  Report no_lists = two_logs();
  no_lists.lists = 0;
  EXPECT_NE(only_sentence(no_lists).find("no list was shown"), std::string::npos);
}

TEST(RunVerdict, says_why_no_feedback_is_likely_to_find_a_list) {
  Report report = two_logs();
  report.events.feedback = 100;
  report.feedback = {};
  report.feedback.not_in_list = 60;
  report.feedback.unmatched = 40;
  EXPECT_NE(doubts(report).front().find("lists that do not hold their items"), std::string::npos) << doubts(report).front();
  report.feedback.unmatched = 100;
  EXPECT_NE(doubts(report).front().find("lists that are not there"), std::string::npos) << doubts(report).front();
  report.feedback.organic = 1000;
  EXPECT_NE(doubts(report).front().find("their users were shown none of their items"), std::string::npos);
  report.feedback = {};
  report.feedback.credited = 1;
  EXPECT_TRUE(doubts(report).empty());
}

TEST(RunVerdict, names_what_loses_one_in_twenty_and_the_key_to_set) {
  const auto said = [](std::uint64_t lost, const auto& lose) {
    Report report = two_logs();
    report.lists = report.rows_final = 1000;
    report.events.impressions = 1000;
    report.events.feedback = 1000;
    report.feedback = {};
    report.feedback.credited = 1000 - lost;
    lose(report, lost);
    const std::vector<std::string> sentences = doubts(report);
    return sentences.empty() ? std::string() : sentences.front();
  };
  const auto not_in_list = [](Report& report, std::uint64_t lost) { report.feedback.not_in_list = lost; };
  const auto unmatched = [](Report& report, std::uint64_t lost) { report.feedback.unmatched = lost; };
  const auto rankless = [](Report& report, std::uint64_t lost) {
    report.invalid_reasons[static_cast<std::size_t>(InvalidReason::bad_position)] = lost;
  };
  const auto organic = [](Report& report, std::uint64_t lost) { report.feedback.organic = lost; };
  EXPECT_EQ(said(49, not_in_list), "");
  EXPECT_NE(said(50, not_in_list).find("5 % of feedback (50) names a list that does not hold its item"), std::string::npos);
  EXPECT_NE(said(50, unmatched).find("raise join.horizons"), std::string::npos);
  EXPECT_NE(said(60, rankless).find("of items shown (60) have no rank"), std::string::npos);
  EXPECT_EQ(said(900, organic), "") << "nobody recommended these";
}

TEST(RunVerdict, says_that_many_events_are_ignored) {
  Report report = two_logs();
  report.lists = 100;
  report.events.read = 1000;
  report.events.ignored = 49;
  EXPECT_FALSE(ignored_sentence(report));
  report.events.ignored = 50;
  const auto sentence = ignored_sentence(report);
  ASSERT_TRUE(sentence);
  EXPECT_TRUE(sentence->starts_with("5 % of the events (50) are ignored")) << *sentence;
  EXPECT_NE(sentence->find("recmeter doctor"), std::string::npos);
  report.lists = 0;
  EXPECT_FALSE(ignored_sentence(report)) << "which is said more loudly";
}

TEST(RunVerdict, names_the_action_that_loses_one_in_twenty_of_its_own) {
  const auto said = [](const FeedbackCounts& clicks, const FeedbackCounts& orders) {
    Report report = two_logs();
    report.lists = report.rows_final = 1000;
    report.feedback = {};
    report.events.impressions = 1000;
    report.add_actions(std::array<std::string, 2>{"click", "order"}, std::array{clicks, orders});
    for (const ActionReport& action : report.actions) report.feedback += action.feedback;
    report.events.feedback = report.feedback.events();
    return doubts(report);
  };
  EXPECT_EQ(said({.credited = 1000}, {.credited = 90, .unmatched = 4}), std::vector<std::string>{});
  const auto of_one = said({.credited = 1000}, {.credited = 90, .unmatched = 10});
  ASSERT_EQ(of_one.size(), 1U);
  EXPECT_TRUE(of_one.front().starts_with("10 % of order (10) names a list that is not there")) << of_one.front();
  const auto of_both = said({.credited = 900, .not_in_list = 100}, {.credited = 50, .not_in_list = 50});
  ASSERT_EQ(of_both.size(), 1U);
  EXPECT_TRUE(of_both.front().starts_with("13.6 % of feedback (150), with 50 % of order (50) names a list that does not"))
      << of_both.front();
  const auto alike = said({.credited = 900, .not_in_list = 100}, {.credited = 90, .not_in_list = 10});
  ASSERT_EQ(alike.size(), 1U);
  EXPECT_TRUE(alike.front().starts_with("10 % of feedback (110) names a list")) << alike.front();
  const auto whole = said({.credited = 1000}, {.organic = 16});
  ASSERT_EQ(whole.size(), 1U) << "nobody may have recommended an action, but then it says nothing of a recommender";
  EXPECT_TRUE(whole.front().starts_with("none of the 16 order events is credited to a list: their users were shown none"))
      << whole.front();
  const auto once = said({.credited = 200}, {.unmatched = 30});
  ASSERT_EQ(once.size(), 1U) << "what is lost as a whole is no share of the rest";
  EXPECT_TRUE(once.front().starts_with("none of the 30 order events")) << once.front();
  EXPECT_EQ(said({.credited = 1000}, {.organic = 4}), std::vector<std::string>{});
  EXPECT_EQ(said({.credited = 1000}, {.credited = 1, .organic = 900}), std::vector<std::string>{});
}

TEST(RunVerdict, tells_which_max_step_would_have_made_rows_final) {
  Report report = two_logs();
  EXPECT_FALSE(gap_sentence(report));
  report.rows_truncated = 5;
  report.gap_at_end = GapAtEnd{.partition = "b.jsonl", .records = 12, .step = Duration{10'800'001}, .to = {}, .rows = 0};
  EXPECT_FALSE(gap_sentence(report)) << "they would be truncated anyway";
  report.gap_at_end->rows = 4;
  EXPECT_EQ(
      gap_sentence(report).value(),
      "4 of the 5 rows that are not final hold all that was read: the last 12 records of b.jsonl come up to 3h1m after those "
      "before them, and so long a jump is taken for a wrong clock until more follow. Write time.max_step: 181m (or 0s, no "
      "limit) "
      "to have these rows final");
  report.gap_at_end->step = Duration{1500};
  EXPECT_NE(gap_sentence(report)->find("time.max_step: 1500ms (or"), std::string::npos);
}

TEST(RunSummary, names_only_what_there_is) {
  Report report = two_logs();
  report.wall_seconds = 1.25;
  EXPECT_EQ(run_summary(report), "1000 events in 1.2 s: 600 impressions, 400 actions; 600 lists, 10 rows");
  report.events.duplicates[index_of(DuplicateReason::again)] = 7;
  EXPECT_EQ(run_summary(report),
            "1000 events in 1.2 s: 600 impressions, 400 actions, 7 duplicate (again); 600 lists, 10 rows");
  report.events.duplicates[index_of(DuplicateReason::late_row)] = 12;
  report.events.duplicates[index_of(DuplicateReason::once)] = 1;
  EXPECT_NE(run_summary(report).find(", 20 duplicate (12 after their list, 7 again, 1 of what counts once); "),
            std::string::npos);
  report.events.duplicates = {};
  report.rows_truncated = 2;
  EXPECT_NE(run_summary(report).find("; 600 lists, 12 rows, 2 of them not final"), std::string::npos);
  report.rows_truncated = 0;
  report.events.late = 3;
  report.events.undecided = 2;
  report.complete = false;
  EXPECT_EQ(run_summary(report),
            "1000 events in 1.2 s: 600 impressions, 400 actions, 3 late, 2 undecided; 600 lists, 10 rows "
            "(interrupted: only what was final)");
}

}  // namespace
}  // namespace recmeter
