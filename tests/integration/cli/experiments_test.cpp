// `replay --experiments`: rows of looks beside the rows of windows. docs/outputs.md.
#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using Experiments = Workplace;

constexpr const char* plain = "join: {horizons: [30m]}\nmetrics: {cutoffs: [5], names: [hit_rate, mrr]}\n";
constexpr const char* experiment = R"(
experiments:
  - name: ranker
    arms: {key: variant, values: [A, B], control: A}
    start: 2023-11-14T02:00:00Z
    duration: 6h
    primary: [{metric: "hit_rate@5", mde: 0.05}]
    guardrails: ["mrr@5"]
)";

TEST_F(Experiments, have_a_row_for_each_look_and_leave_other_rows_as_they_are) {
  scratch().put("plain.yaml", plain);
  scratch().put("c.yaml", std::string(plain) + experiment);
  generate("--lists 20000 --hours 9 --seed 3 --users 900");
  ASSERT_EQ(run("replay log.jsonl -c plain.yaml -o plain").code, 0);
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows -j 1 --experiments looks").code, 0);
  EXPECT_EQ(scratch().get("rows"), scratch().get("plain"));
  const auto lines = lines_of(scratch().get("looks"));
  ASSERT_EQ(lines.size(), 6U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto row = support::parsed_json(lines[i]);
    EXPECT_EQ(row["schema"], "recmeter.experiment/1");
    EXPECT_EQ(row["experiment"], "ranker");
    EXPECT_EQ(row["look"], i + 1);
    EXPECT_EQ(row["closed"], i + 1 == lines.size());
    EXPECT_TRUE(row["incomplete"].empty());
  }
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o again -j 3 --experiments again.looks").code, 0);
  EXPECT_EQ(scratch().get("again.looks"), scratch().get("looks"));
}

TEST_F(Experiments, stand_below_a_table_with_their_newest_look) {
  scratch().put("c.yaml", std::string(plain) + experiment);
  generate("--lists 20000 --hours 9 --seed 3 --users 900");
  const Ended ended = run("replay log.jsonl -c c.yaml --format table");
  ASSERT_EQ(ended.code, 0);
  EXPECT_NE(ended.out.find("experiment ranker, lists before 2023-11-14T08:00:00Z: "), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("hit_rate@5  primary"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("lists before"), ended.out.rfind("lists before"));
}

// Users A0 to A1999 and B0 to B1999 with a list each; of A every third or so clicks, 600 in all, of B nobody.
TEST_F(Experiments, of_few_events_are_decided) {
  scratch().put("c.yaml", R"(
join: {horizons: [30m]}
metrics: {cutoffs: [1], names: [precision]}
experiments:
  - name: button
    arms: {key: variant, values: [A, B], control: A}
    start: 2023-11-14T02:00:00Z
    duration: 7d
    primary: [{metric: "precision@1", mde: 0.05}]
)");
  constexpr std::int64_t start = 1'699'927'200'000;
  std::string log;
  const auto shown = [&](std::int64_t ts, const std::string& user, const std::string& arm) {
    log += R"({"type":"impression","ts":)" + std::to_string(ts) + R"(,"list_id":"l)" + user + R"(","user_id":")" + user +
           R"(","items":["i"],"segments":{"variant":")" + arm + "\"}}\n";
  };
  for (std::int64_t i = 0; i < 2000; ++i) {
    const std::int64_t ts = start + 1000 * i;
    shown(ts, "A" + std::to_string(i), "A");
    shown(ts, "B" + std::to_string(i), "B");
    if (i * 600 / 2000 == (i + 1) * 600 / 2000) continue;
    log += R"({"type":"click","ts":)" + std::to_string(ts + 500) + R"(,"list_id":"lA)" + std::to_string(i) +
           R"(","user_id":"A)" + std::to_string(i) + "\",\"item_id\":\"i\"}\n";
  }
  for (std::int64_t k = 1; k <= 12; ++k) shown(start + 2'000'000 + k * 600'000, "later" + std::to_string(k), "none");
  scratch().put("log.jsonl", log);
  const Ended ended = run("compare --config c.yaml log.jsonl");
  EXPECT_EQ(ended.code, 11);
  EXPECT_NE(ended.out.find("Stop B: precision@1 is worse"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("B is 0.3 worse than A in precision@1 (0 against 0.3); sure: between −0.34 and −0.26."),
            std::string::npos)
      << ended.out;
}

// B is better in the week before the start already: CUPED would take the difference out and say that there is none. The
// figures are those of [S10.38].
TEST_F(Experiments, whose_arms_differed_before_the_start_hold) {
  scratch().put("c.yaml", R"(
join: {horizons: [30m]}
metrics: {cutoffs: [10], names: [precision]}
experiments:
  - name: late
    arms: {key: variant, values: [A, B], control: A}
    start: 2026-03-02T00:00:00Z
    duration: 7d
    primary: [{metric: "precision@10", mde: 0.1}]
    cuped: {before: 7d}
)");
  generate("--lists 160000 --users 2000 --days 14.2 --start 2026-02-23T00:00:00Z --quality-a 0.3 --quality-b 0.36 --seed 6");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows --experiments looks").code, 0);
  const auto lines = lines_of(scratch().get("looks"));
  ASSERT_EQ(lines.size(), 168U);
  const auto before = [&](std::size_t look) {
    return support::parsed_json(lines[look - 1])["metrics"][0]["comparisons"][0]["before"];
  };
  EXPECT_TRUE(before(4)["flagged_at"].is_null());
  EXPECT_NEAR(before(5)["log_e"].get<double>(), 9.688161192, 1e-9);
  EXPECT_EQ(before(5)["flagged_at"], support::parsed_json(lines[4])["end"]);
  EXPECT_NEAR(before(168)["values"][0].get<double>(), 0.03937341451, 1e-10);
  EXPECT_NEAR(before(168)["values"][1].get<double>(), 0.0442006989, 1e-10);
  EXPECT_NEAR(before(168)["log_e"].get<double>(), 10.83293597, 1e-8);
  const Ended ended = run("compare looks");
  EXPECT_EQ(ended.code, 10);
  EXPECT_NE(
      ended.out.find("Hold: the arms differed in precision@10 before the start already (B 0.0442, A 0.0394); begin when "
                     "both began, or leave `cuped` out."),
      std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("in precision@10, adjusted by CUPED"), std::string::npos) << ended.out;
}

TEST_F(Experiments, that_are_asked_for_and_not_configured_are_refused) {
  scratch().put("log.jsonl", small_log());
  scratch().put("c.yaml", plain);
  const Ended ended = run("replay log.jsonl -c c.yaml --experiments looks");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended, {"--experiments", "none is configured", "remove the option"});
}

}  // namespace
}  // namespace recmeter::test
