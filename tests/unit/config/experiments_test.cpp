// `experiments`: what a good one comes to, and each mistake with its place and its words.
#include <gtest/gtest.h>

#include <string>

#include "loading.h"
#include "recmeter/evaluation/evaluator_plan.h"

namespace recmeter::testing {
namespace {

// A configuration with one experiment: two lines before it, one key a line.
std::string with_experiment(const std::string& lines, const std::string& before = "join: {horizons: [30m]}") {
  return before + "\nexperiments:\n  - name: ranker-7\n" + lines;
}
const std::string arms = "    arms: {key: variant, values: [A, B], control: A}\n";
const std::string times = "    start: 2026-11-01T00:00:00Z\n    duration: 28d\n";
const std::string primary = "    primary: [{metric: \"precision@10\", mde: 0.02}]\n";

const std::string teams = "    teams: {a: A, b: B}\n";
const std::string draft = "    primary: [{metric: \"team_draft{action=click}\", mde: {absolute: 0.02}}]\n";

TEST(Experiments, have_defaults_for_all_that_is_not_about_them_alone) {
  const auto config = load(with_experiment(arms + times + primary));
  ASSERT_TRUE(config) << all_text(config.error());
  ASSERT_EQ(config->spec.experiments.size(), 1U);
  const ExperimentSpec& spec = config->spec.experiments[0];
  EXPECT_EQ(spec.name, "ranker-7");
  EXPECT_EQ(spec.arms.key, "variant");
  EXPECT_EQ(spec.arms.values, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(spec.arms.control, 0U);
  EXPECT_EQ(spec.allocation, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(spec.start.ms, 1793491200000);
  EXPECT_EQ(spec.duration, (Duration{28 * 86'400'000LL}));
  EXPECT_EQ(spec.every, (Duration{3'600'000}));
  EXPECT_EQ(spec.horizon, (Duration{1'800'000}));
  EXPECT_EQ(spec.assign, Assign::user);
  EXPECT_EQ(spec.alpha, 0.05);
  EXPECT_EQ(spec.fdr, 0.1);
  EXPECT_EQ(spec.cuped_before, Duration{0});
  EXPECT_EQ(spec.mixed_share, 0.01);
}

TEST(Experiments, test_metrics_by_the_first_primarys_change_unless_they_say_otherwise) {
  const auto config =
      load(with_experiment(arms + times + primary +
                               "    guardrails: [hit_rate@1, {metric: miss_rate@5, better: higher, margin: 0.01}]\n"
                               "    secondary: [\"mrr@10\", {metric: \"hit_rate@5\", mde: {absolute: 0.1}}]\n",
                           "metrics: {names: [precision, hit_rate, mrr, miss_rate]}"));
  ASSERT_TRUE(config) << all_text(config.error());
  const ExperimentSpec& spec = config->spec.experiments[0];
  ASSERT_EQ(spec.guardrails.size(), 2U);
  EXPECT_EQ(spec.guardrails[0].metric, "hit_rate@1");
  EXPECT_EQ(spec.guardrails[0].mde, 0.02);
  EXPECT_FALSE(spec.guardrails[0].better);
  EXPECT_EQ(spec.guardrails[1].mde, 0.01);
  EXPECT_EQ(spec.guardrails[1].better, Better::higher);
  ASSERT_EQ(spec.secondary.size(), 2U);
  EXPECT_EQ(spec.secondary[0].mde, 0.02);
  EXPECT_FALSE(spec.secondary[0].is_absolute);
  EXPECT_EQ(spec.secondary[1].mde, 0.1);
  EXPECT_TRUE(spec.secondary[1].is_absolute);
}

TEST(Experiments, may_be_of_two_teams_that_draft_lists) {
  const auto config = load(with_experiment("    teams: {a: ours, b: theirs}\n" + times +
                                           "    primary: [{metric: \"team_draft{action=click}\", mde: {absolute: 0.02}}]\n"));
  ASSERT_TRUE(config) << all_text(config.error());
  const ExperimentSpec& spec = config->spec.experiments[0];
  ASSERT_TRUE(spec.draft);
  EXPECT_EQ(spec.draft->action, "click");
  EXPECT_EQ(spec.arms.values, (std::vector<std::string>{"ours", "theirs"}));
  EXPECT_EQ(spec.arms.control, 0U);
  EXPECT_EQ(spec.assign, Assign::list);
}

TEST(Experiments, leave_the_fingerprint_of_other_rows_as_it_is) {
  const auto with = load(with_experiment(arms + times + primary));
  const auto without = load("join: {horizons: [30m]}");
  ASSERT_TRUE(with && without);
  EXPECT_EQ(with->spec.config_hash, without->spec.config_hash);
}

TEST(Experiments, wait_a_week_to_ship_or_all_of_a_shorter_duration) {
  const auto min_duration = [](const std::string& more) {
    const auto config = load(with_experiment(arms + more + primary));
    EXPECT_TRUE(config) << all_text(config.error());
    return config ? config->spec.experiments[0].min_duration : Duration{-1};
  };
  EXPECT_EQ(min_duration(times), Duration{7 * one_day.ms});
  EXPECT_EQ(min_duration("    start: 2026-11-01T00:00:00Z\n    duration: 3d\n"), Duration{3 * one_day.ms});
  EXPECT_EQ(min_duration(times + "    min_duration: 0s\n"), Duration{0});
}

TEST(Experiments, refuse_by_name_and_place_all_that_cannot_be_tested) {
  const auto config =
      load(with_experiment(arms + times + primary +
                               "    guardrails:\n      - lists_per_user\n      - latency\n      - rated_auc\n    secondary: "
                               "[mae, \"rarefied_items@10\"]\n",
                           "join: {horizons: [30m], actions: {click: {}, rating: {}}}\nmetrics: {names: [precision, "
                           "lists_per_user, latency, rated_auc, mae, rarefied_items]}"));
  ASSERT_FALSE(config);
  std::vector<std::string> said;
  for (const ConfigFault& fault : config.error()) said.push_back(fault.path + ": " + fault.message);
  const auto refused = [](const std::string& path, const std::string& metric) {
    return "experiments[0]." + path + ": metric " + metric +
           " is no mean over lists or users; it can be reported, not tested";
  };
  EXPECT_EQ(said, (std::vector{refused("guardrails[1]", "latency"), refused("guardrails[2]", "rated_auc"),
                               refused("secondary[0]", "mae"), refused("secondary[1]", "rarefied_items@10")}))
      << all_text(config.error());
  EXPECT_EQ(config.error()[0].line, 11) << to_text(config.error()[0]);
  EXPECT_NE(config.error()[0].remedy.find("slower_than"), std::string::npos);
  EXPECT_NE(config.error()[3].remedy.find("rarefied_items"), std::string::npos);
}

TEST(Experiments, test_the_share_of_slow_lists_and_means_over_users) {
  const auto config = load(with_experiment(
      arms + times +
          "    primary: [{metric: \"latency{slower_than=500}\", mde: 0.05}]\n"
          "    guardrails: [\"users_acting{action=click}\", \"income_per_user{action=buy}\", lists_per_user, slow]\n"
          "    secondary: [\"latency{slower_than=200}\"]\n",
      "join: {horizons: [30m], credit: last_touch, actions: {click: {}, buy: {}}}\nmetrics: {names: [latency, {name: "
      "latency, "
      "slower_than: 500}, {name: latency, slower_than: 200}, {name: latency, slower_than: 1000, as: slow}, {name: "
      "users_acting, action: click}, {name: income_per_user, action: buy}, lists_per_user]}"));
  ASSERT_TRUE(config) << all_text(config.error());
  const auto plan = EvaluatorPlan::make(config->spec, Duration{0}, false, true);
  ASSERT_TRUE(plan) << plan.error().context;
  const PlannedExperiment& planned = plan->experiments[0];
  ASSERT_EQ(planned.metrics.size(), 6U);
  EXPECT_EQ(planned.metrics[0].better, Better::lower);
  EXPECT_EQ(planned.metrics[4].better, Better::lower) << "by its own name, too";
  EXPECT_EQ(planned.metrics[5].better, Better::lower);
}

TEST(Experiments, ask_for_the_configured_metric_that_is_meant) {
  const auto config = load(with_experiment(arms + times + "    primary: [{metric: \"ndcg@5\", mde: 0.02}]\n"));
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error()[0].remedy, "did you mean `ndcg_list@5`?");
}

struct Mistake {
  const char* name;
  std::string yaml;
  int line;
  const char* path;
  const char* message;
};
void PrintTo(const Mistake& mistake, std::ostream* out) {
  *out << mistake.name;
}
class ExperimentMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(ExperimentMistakes, have_one_fault_with_the_place_and_fixed_words) {
  const auto config = load(GetParam().yaml);
  ASSERT_FALSE(config.has_value());
  ASSERT_EQ(config.error().size(), 1U) << all_text(config.error());
  const ConfigFault& fault = config.error()[0];
  EXPECT_EQ(fault.line, GetParam().line) << to_text(fault);
  EXPECT_EQ(fault.path, GetParam().path) << to_text(fault);
  EXPECT_EQ(fault.message, GetParam().message) << to_text(fault);
  EXPECT_FALSE(fault.remedy.empty());
}

const Mistake mistakes[] = {
    {"start_between_looks", with_experiment(arms + "    start: 2026-11-01T00:30:00Z\n    duration: 28d\n" + primary), 5,
     "experiments.ranker-7", "start must be a multiple of every (1h)"},
    {"allocation_of_three", with_experiment(arms + "    allocation: [0.3, 0.3, 0.4]\n" + times + primary), 5,
     "experiments.ranker-7", "allocation has 3 numbers for 2 arms"},
    {"allocation_beyond_one", with_experiment(arms + "    allocation: [0.5, 0.6]\n" + times + primary), 5,
     "experiments.ranker-7", "allocation sums to 1.1"},
    {"control_of_none", with_experiment("    arms: {key: variant, values: [A, B], control: C}\n" + times + primary), 4,
     "experiments.ranker-7", "control C is not an arm"},
    {"primary_without_mde", with_experiment(arms + times + "    primary: [{metric: \"precision@10\"}]\n"), 7,
     "experiments.ranker-7", "primary needs mde: the relative change worth acting on"},
    {"metric_not_configured", with_experiment(arms + times + "    primary: [{metric: \"precision@11\", mde: 0.02}]\n"), 7,
     "experiments[0].primary[0]", "metric precision@11 is not configured under metrics.names"},
    {"metric_mistyped", with_experiment(arms + times + "    primary: [{metric: \"precison@5\", mde: 0.02}]\n"), 7,
     "experiments[0].primary[0]", "metric precison@5 is not configured under metrics.names"},
    {"metric_no_mean",
     with_experiment(arms + times + "    primary: [{metric: \"gini@10\", mde: 0.02}]\n",
                     "catalog: {size: 9}\nmetrics: {names: [gini]}"),
     8, "experiments[0].primary[0]", "metric gini@10 is no mean over lists or users; it can be reported, not tested"},
    {"metric_is_a_rank",
     with_experiment(arms + times + "    primary: [{metric: latency, mde: 0.02}]\n", "metrics: {names: [latency]}"), 7,
     "experiments[0].primary[0]", "metric latency is no mean over lists or users; it can be reported, not tested"},
    {"metric_can_be_negative",
     with_experiment(arms + times + "    primary: [{metric: \"informedness@10\", mde: 0.02}]\n",
                     "catalog: {size: 9}\nmetrics: {names: [informedness]}"),
     8, "experiments[0].primary[0]", "mde must be absolute: informedness@10 can be negative"},
    {"users_of_nobody", with_experiment(arms + times + primary, "join: {key: list, horizons: [30m]}"), 3,
     "experiments.ranker-7", "assign: user needs join.key: user"},
    {"cuped_of_lists", with_experiment(arms + times + "    assign: list\n    cuped: {before: 7d}\n" + primary), 8,
     "experiments.ranker-7", "cuped needs assign: user"},
    {"min_duration_beyond", with_experiment(arms + times + "    min_duration: 29d\n" + primary), 7, "experiments.ranker-7",
     "min_duration exceeds duration"},
    {"duration_between_looks", with_experiment(arms + "    start: 2026-11-01T00:00:00Z\n    duration: 90m\n" + primary), 6,
     "experiments.ranker-7", "duration must be a multiple of every"},
    {"arms_are_lanes", with_experiment("    arms: {key: recommender, values: [A, B], control: A}\n" + times + primary), 4,
     "experiments.ranker-7", "arms.key: recommender is a lane, not an arm"},
    {"horizon_of_none", with_experiment(arms + times + "    horizon: 5m\n" + primary), 3, "experiments.ranker-7",
     "horizon is not one of join.horizons"},
    {"horizon_not_said", with_experiment(arms + times + primary, "join: {horizons: [30m, 1h]}"), 3, "experiments[0]",
     "has no `horizon`"},
    {"every_of_seconds", with_experiment(arms + times + "    every: 90s\n" + primary), 7, "experiments.ranker-7",
     "every must be a multiple of 1m, and is 90s"},
    {"one_arm", with_experiment("    arms: {key: variant, values: [A], control: A}\n" + times + primary), 4,
     "experiments[0].arms.values", "names fewer than 2 arms"},
    {"arm_twice", with_experiment("    arms: {key: variant, values: [A, A, B], control: A}\n" + times + primary), 4,
     "experiments[0].arms.values[1]", "`A` is there twice"},
    {"guardrail_of_an_absolute_primary",
     with_experiment(arms + times +
                     "    primary: [{metric: \"precision@10\", mde: {absolute: 0.01}}]\n    guardrails: [mrr@10]\n"),
     8, "experiments.ranker-7",
     "mrr@10 needs margin: the first primary's mde is absolute, which says nothing of another metric"},
    {"users_where_lists_are_assigned",
     with_experiment(arms + times + "    assign: list\n    primary: [{metric: lists_per_user, mde: 0.02}]\n",
                     "metrics: {names: [lists_per_user]}"),
     8, "experiments[0].primary[0]", "lists_per_user needs assign: user"},
    {"teams_beside_arms", with_experiment(teams + arms + times + draft), 5, "experiments[0].arms",
     "`arms` is of arms, and teams draft each list"},
    {"one_team", with_experiment("    teams: {a: A}\n" + times + draft), 4, "experiments[0].teams", "lacks `b`"},
    {"one_team_twice", with_experiment("    teams: {a: A, b: A}\n" + times + draft), 4, "experiments[0].teams",
     "names one team twice"},
    {"draft_of_another_metric", with_experiment(teams + times + primary), 7, "experiments.ranker-7",
     "precision@10 is not what teams are compared by"},
    {"draft_of_no_action",
     with_experiment(teams + times + "    primary: [{metric: \"team_draft{action=play}\", mde: {absolute: 0.02}}]\n"), 3,
     "experiments.ranker-7", "team_draft is of play, which join.actions has not"},
    {"draft_of_a_share",
     with_experiment(teams + times + "    primary: [{metric: \"team_draft{action=click}\", mde: 0.02}]\n"), 3,
     "experiments.ranker-7", "mde must be absolute: team_draft{action=click} can be negative"},
    {"draft_beside_others",
     with_experiment(teams + times + draft + "    secondary: [{metric: mrr@10, mde: 0.02}]\n", "metrics: {names: [mrr]}"), 3,
     "experiments.ranker-7", "a team draft has one metric, team_draft, as its only primary"},
    {"no_primary", with_experiment(arms + times), 3, "experiments[0]", "has no `primary`"},
    {"no_start", with_experiment(arms + "    duration: 28d\n" + primary), 3, "experiments[0]", "has no `start`"},
    {"same_name", with_experiment(arms + times + primary + "  - name: ranker-7\n" + arms + times + primary), 8,
     "experiments[1]", "has the name of another experiment, ranker-7"},
};
INSTANTIATE_TEST_SUITE_P(Experiments, ExperimentMistakes, ::testing::ValuesIn(mistakes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace recmeter::testing
