#include "recmeter/experiment/experiment_row.h"

#include <gtest/gtest.h>

namespace recmeter {
namespace {

ExperimentRow row_of_a_look() {
  ExperimentRow row;
  row.evaluator = "default";
  row.experiment = "ranker-7";
  row.config = "9f2c51d07be3a810";
  row.start = EventTime{1793491200000};
  row.end = EventTime{1794096000000};
  row.horizon = Duration{30 * 60'000};
  row.look = 168;
  row.incomplete = {"start"};
  row.arms = {{"A", 81234, 20110, 0.5}, {"B", 80990, 20007, 0.5}};
  row.mixed_users = 3;
  row.mixed_lists = 5;
  row.sample_ratio = {-0.5, 0.25, {}};
  Comparison comparison{.control = 0.0252, .arm = 0.0258, .theta = 0.5, .variance_cut = 0.25};
  comparison.absolute = {0.0006, Interval{0.0001, 0.0011}, Interval{-0.0002, 0.0014}};
  comparison.relative = Distance{0.024, Interval{0.004, 0.044}, std::nullopt};
  comparison.evidence.df = 212.5;
  comparison.evidence.z = 2.25;
  comparison.evidence.p = 0.0244;
  comparison.evidence.log_e = 1.125;
  comparison.evidence.mde_now = 0.039;
  row.metrics.push_back(
      {"precision@10", TestRole::primary, true, {0.0251, 0.0259}, {{"B", comparison, 0.34, Duration{9 * 86'400'000}, {}}}});
  row.metrics.push_back(
      {"latency", TestRole::secondary, false, {12.0, std::nullopt}, {{"B", {}, 1, {}, false, {}, Missing::no_events}}});
  row.arm_verdicts = {{"B", {Decision::hold, "undecided"}}};
  row.verdict = {Decision::hold, "undecided"};
  row.decided = DecidedRow{EventTime{1793998800000}, {Decision::ship, "better:precision@10"}, "B"};
  row.counts = counts_of(row);
  return row;
}

constexpr std::string_view json_of_the_look =
    R"({"schema":"recmeter.experiment/1","evaluator":"default","experiment":"ranker-7","config":"9f2c51d07be3a810",)"
    R"("start":1793491200000,"end":1794096000000,"end_utc":"2026-11-08T00:00:00Z","horizon":"30m","look":168,"closed":false,)"
    R"("incomplete":["start"],"arms":[{"arm":"A","lists":81234,"users":20110,"allocation":0.5},)"
    R"({"arm":"B","lists":80990,"users":20007,"allocation":0.5}],"mixed_users":3,"mixed_lists":5,"other_lists":0,)"
    R"("nobody_lists":0,"members_sampled":1,"srm":{"log_e":-0.5,"max":0.25,"flagged_at":null},)"
    R"("metrics":[{"metric":"precision@10","role":"primary","better":"higher","values":[0.0251,0.0259],)"
    R"("comparisons":[{"arm":"B","adjusted":[0.0252,0.0258],"theta":0.5,"variance_cut":0.25,)"
    R"("absolute":{"value":0.0006,"ci":[0.0001,0.0011],"cs":[-0.0002,0.0014]},)"
    R"("relative":{"value":0.024,"ci":[0.004,0.044],"cs":null},"df":212.5,"z":2.25,"p":0.0244,"log_e":1.125,)"
    R"("p_always":0.34,"mde_now":0.039,"mde_fixed":null,"more":"9d","heavy":false,"few":false,"missing":null,"discovery":null}]},)"
    R"({"metric":"latency","role":"secondary","better":"lower","values":[12,null],)"
    R"("comparisons":[{"arm":"B","adjusted":null,"theta":null,"variance_cut":null,"absolute":null,"relative":null,"df":null,)"
    R"("z":null,"p":null,"log_e":null,"p_always":null,"mde_now":null,"mde_fixed":null,"more":null,"heavy":null,)"
    R"("few":null,"missing":"no_events","discovery":false}]}],"verdict":{"verdict":"hold","reason":"undecided","arms":{"B":{"verdict":"hold",)"
    R"("reason":"undecided"}},"decided":{"end":1793998800000,"verdict":"ship","reason":"better:precision@10"}},)"
    R"("counts":{"verdict":"ship","reason":"better:precision@10","at":1793998800000}})";

TEST(ExperimentRow, is_one_line_of_json_with_null_for_what_is_not_known) {
  EXPECT_EQ(render_json(row_of_a_look()), json_of_the_look);
}

TEST(ExperimentRow, is_read_as_it_was_written) {
  EXPECT_TRUE(is_experiment_row(json_of_the_look));
  const auto row = read_experiment_row(json_of_the_look);
  ASSERT_TRUE(row) << row.error().context;
  EXPECT_EQ(render_json(*row), json_of_the_look);
}

TEST(ExperimentRow, has_what_only_some_experiments_have) {
  ExperimentRow row = row_of_a_look();
  row.metrics[0].comparisons[0].draft = DraftCounts{.wins = 640, .losses = 500, .ties = 94};
  row.metrics[1].capped_share = {0.125, std::nullopt};
  row.metrics[1].is_absolute = true;
  row.metrics[0].comparisons[0].before = BeforeRow{.control = 0.0394, .arm = {}, .log_e = {}, .flagged_at = {}};
  row.metrics[1].comparisons[0].before =
      BeforeRow{.control = 0.5, .arm = 0.25, .log_e = 9.75, .flagged_at = EventTime{1793998800000}};
  const std::string text = render_json(row);
  EXPECT_NE(
      text.find(R"("before":{"values":[0.0394,null],"log_e":null,"flagged_at":null},"wins":640,"losses":500,"ties":94})"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("mde_absolute":true,"values":[12,null],"capped_share":[0.125,null],)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("before":{"values":[0.5,0.25],"log_e":9.75,"flagged_at":1793998800000}})"), std::string::npos)
      << text;
  const auto read = read_experiment_row(text);
  ASSERT_TRUE(read) << read.error().context;
  EXPECT_EQ(render_json(*read), text);
}

TEST(ExperimentRow, of_an_earlier_version_says_nothing_of_few_events) {
  std::string old(json_of_the_look);
  for (const std::string_view added : {R"("few":false,"missing":null,)", R"("few":null,"missing":"no_events",)"}) {
    old.erase(old.find(added), added.size());
  }
  const auto row = read_experiment_row(old);
  ASSERT_TRUE(row) << row.error().context;
  EXPECT_FALSE(row->metrics[0].comparisons[0].comparison->is_few);
  EXPECT_FALSE(row->metrics[1].comparisons[0].missing);
}

TEST(ExperimentRow, without_counts_is_read_as_the_rules_have_it) {
  const std::size_t at = json_of_the_look.find(R"(,"counts")");
  const auto old = read_experiment_row(std::string(json_of_the_look.substr(0, at)) + "}");
  ASSERT_TRUE(old) << old.error().context;
  EXPECT_EQ(render_json(*old), json_of_the_look);
  std::string broken(json_of_the_look.substr(0, at));
  constexpr std::string_view unsure = R"("verdict":{"verdict":"hold","reason":"undecided")";
  broken.replace(broken.find(unsure), unsure.size(), R"("verdict":{"verdict":"hold","reason":"srm")");
  const auto voided = read_experiment_row(broken + "}");
  ASSERT_TRUE(voided) << voided.error().context;
  EXPECT_EQ(voided->counts.verdict, (Verdict{Decision::hold, "srm"}));
  EXPECT_EQ(voided->counts.at, voided->end);
}

TEST(ExperimentRow, of_several_arms_says_which_counts) {
  ExperimentRow row = row_of_a_look();
  row.arm_verdicts.emplace_back("C", Verdict{Decision::stop, "no_effect"});
  row.decided->arm = "C";
  row.counts = counts_of(row);
  const std::string text = render_json(row);
  EXPECT_TRUE(text.ends_with(R"(,"at":1793998800000,"arm":"C"}})")) << text;
  const auto read = read_experiment_row(text);
  ASSERT_TRUE(read) << read.error().context;
  EXPECT_EQ(read->counts, row.counts);
  EXPECT_EQ(render_json(*read), text);
}

TEST(ExperimentRow, that_is_cut_or_of_another_kind_is_refused_with_the_member_that_is_wrong) {
  EXPECT_FALSE(is_experiment_row(R"({"schema":"recmeter.window/1"})"));
  EXPECT_FALSE(read_experiment_row("{"));
  const auto other = read_experiment_row(R"({"schema":"recmeter.window/1"})");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().context.find("`schema` is missing or wrong"), std::string::npos) << other.error().context;
  for (const std::string_view member :
       {"\"evaluator\"", "\"arms\"", "\"srm\"", "\"role\"", "\"decided\"", "\"cs\"", "\"horizon\"", "\"at\""}) {
    std::string text(json_of_the_look);
    text.replace(text.find(member), 3, "\"x_");
    EXPECT_FALSE(read_experiment_row(text)) << member;
  }
}

}  // namespace
}  // namespace recmeter
