// Definitions at the terminal.
#include <fstream>
#include <sstream>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;
using Metrics = Workplace;

TEST_F(Metrics, are_listed_on_a_line_each) {
  const json all = support::parsed_json(run("metrics --format json").out);
  ASSERT_GT(all.size(), 40U);
  const Ended listed = run("metrics");
  EXPECT_EQ(listed.code, 0);
  EXPECT_EQ(listed.err, "");
  EXPECT_EQ(lines_of(listed.out).size(), all.size() + 1);  // with a header
  for (const json& metric : all) {
    EXPECT_NE(listed.out.find("\n" + metric["name"].get<std::string>() + " "), std::string::npos) << metric["name"];
  }
}

TEST_F(Metrics, are_told_in_full_within_the_columns_there_are) {
  const json all = support::parsed_json(run("metrics --format json").out);
  for (const char* columns : {"80", "120"}) {
    for (const json& metric : all) {
      Call made = call("metrics " + metric["name"].get<std::string>());
      made.environment = {{"COLUMNS", columns}};
      const Ended told = test::run(made);
      EXPECT_EQ(told.code, 0) << told.err;
      for (const std::string& line : lines_of(told.out)) EXPECT_LE(line.size(), std::stoul(columns)) << line;
    }
    Call made = call("metrics");
    made.environment = {{"COLUMNS", columns}};
    for (const std::string& line : lines_of(test::run(made).out)) EXPECT_LE(line.size(), std::stoul(columns)) << line;
  }
}

TEST_F(Metrics, have_every_form_of_output) {
  const std::string text = run("metrics ndcg_list").out;
  EXPECT_EQ(run("metrics ndcg_list@10").out, text);
  EXPECT_EQ(run("metrics --format text ndcg_list").out, text);
  const Ended as_json = run("metrics ndcg_list --format json");
  EXPECT_EQ(support::parsed_json(as_json.out)["name"], "ndcg_list");
  EXPECT_EQ(run("--json metrics ndcg_list").out, as_json.out);
  std::ifstream page(std::string(RECMETER_SOURCE_DIR) + "/docs/metrics.md");
  std::stringstream text_of_page;
  text_of_page << page.rdbuf();
  const Ended markdown = run("metrics --format markdown");
  EXPECT_GT(markdown.out.size(), 10'000U);
  EXPECT_NE(text_of_page.str().find(markdown.out), std::string::npos) << "run scripts/metrics-page";
}

TEST_F(Metrics, that_are_none_are_refused_with_the_nearest) {
  const Ended wrong = run("metrics ndgc_list");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.out, "");
  expect_says(wrong, {"there is no metric ndgc_list", "did you mean `ndcg_list`?"});
  expect_clean_messages(wrong.err);
  expect_says(run("metrics ctr"), {"did you mean `action_rate` or `action_per_item`?"});
  expect_says(run("metrics ndcg@10"), {"did you mean `ndcg_list` or `ndcg_user`?"});
  expect_says(run("metrics zzzzzzzzz"), {"there is no metric zzzzzzzzz", "recmeter metrics lists them all"});
  EXPECT_EQ(run("metrics --format xml").code, 2);
}

}  // namespace
}  // namespace recmeter::test
