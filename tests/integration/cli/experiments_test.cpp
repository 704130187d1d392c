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

TEST_F(Experiments, that_are_asked_for_and_not_configured_are_refused) {
  scratch().put("log.jsonl", small_log());
  scratch().put("c.yaml", plain);
  const Ended ended = run("replay log.jsonl -c c.yaml --experiments looks");
  EXPECT_EQ(ended.code, 2);
  expect_says(ended, {"--experiments", "none is configured", "remove the option"});
}

}  // namespace
}  // namespace recmeter::test
