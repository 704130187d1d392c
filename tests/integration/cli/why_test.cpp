// `recmeter why`: parts and causes of rows and of a log, what it refuses.
#include "integration/cli/two_hours.h"
#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

class Why : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    scratch().put("log.jsonl", two_hours());
    scratch().put("c.yaml", R"(segments: [[surface]]
windows: [{name: hour, size: 1h}]
join: {horizons: [10m]}
metrics: {cutoffs: [3, 1], names: [mrr, precision, ndcg_list, {name: mrr, unit: user}]}
)");
  }
  [[nodiscard]] nlohmann::json why(const std::string& arguments) const {
    const Ended ended = run("--json why " + arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    return support::parsed_json(ended.out);
  }
  void replay() const { ASSERT_EQ(run("replay -c c.yaml log.jsonl -o rows.jsonl").code, 0); }
};

TEST_F(Why, of_a_log_names_the_surface_that_fell) {
  const auto found = why("mrr@3 -c c.yaml log.jsonl");
  EXPECT_EQ(found["schema"], "recmeter.why/1");
  EXPECT_DOUBLE_EQ(found["a"]["value"], 0.5 * 0.5 * (0.25 + 0.5));
  EXPECT_DOUBLE_EQ(found["b"]["value"], 0.5 * 0.5 * (0.25 + 0.1));
  EXPECT_EQ(found["cause"]["kind"], "segment") << found.dump(1);
  EXPECT_EQ(found["cause"]["value"], "mail");
  EXPECT_EQ(found["cause"]["factor"], "relevant_share");
  ASSERT_EQ(found["by"].size(), 1U);
  double sum = 0;
  for (const auto& part : found["by"][0]["parts"]) {
    sum += part["within"].get<double>() + part["mix"].get<double>();
  }
  EXPECT_EQ(sum, found["difference"].get<double>());
  EXPECT_LT(found["ci"][1].get<double>(), 0);
  const auto& ranks = found["ranks"];
  ASSERT_EQ(ranks.size(), 3U);
  EXPECT_EQ(ranks[0]["part"], 0);
  EXPECT_EQ(ranks[1]["part"], found["difference"]) << "all clicks are at rank 2";
  EXPECT_EQ(ranks[2]["part"], 0);
}

TEST_F(Why, of_rows_has_the_same_parts_and_no_intervals) {
  replay();
  const auto of_log = why("precision@3 -c c.yaml log.jsonl");
  const auto of_rows = why("precision@3 rows.jsonl");
  EXPECT_EQ(of_rows["difference"], of_log["difference"]);
  EXPECT_EQ(of_rows["factors"]["relevant_share"]["part"], of_log["factors"]["relevant_share"]["part"]);
  for (std::size_t p = 0; p < 2; ++p) {
    for (const char* member : {"value", "lists", "values", "within", "mix"}) {
      EXPECT_EQ(of_rows["by"][0]["parts"][p][member], of_log["by"][0]["parts"][p][member]) << member;
    }
  }
  EXPECT_TRUE(of_rows["ci"].is_null());
  EXPECT_TRUE(of_rows["cause"].is_null());
  EXPECT_FALSE(of_log["ci"].is_null());
}

TEST_F(Why, says_the_same_with_any_threads_and_order) {
  const Ended one = run("--json why ndcg_list@3 -c c.yaml log.jsonl");
  EXPECT_EQ(one.code, 0) << one.err;
  scratch().put("threads.yaml",
                "threads: 3\nsegments: [[surface]]\nwindows: [{name: hour, size: 1h}, {name: half, size: 30m}]\n"
                "join: {horizons: [10m]}\nmetrics: {cutoffs: [3], names: [ndcg_list]}\n");
  const Ended other = run("--json why ndcg_list@3 -c threads.yaml --window hour log.jsonl");
  EXPECT_EQ(other.code, 0) << other.err;
  auto a = support::parsed_json(one.out), b = support::parsed_json(other.out);
  for (auto* found : {&a, &b}) {
    for (const char* side : {"a", "b"}) (*found)[side].erase("config");  // other metrics
  }
  EXPECT_EQ(a, b);
}

// Half of what is shown is clicked less in the second hour: the item b, on mail.
TEST_F(Why, of_a_log_has_groups_of_items) {
  scratch().put(
      "items.jsonl",
      "{\"item_id\":\"a\",\"genre\":[\"drama\",\"old\"]}\n{\"item_id\":\"b\",\"genre\":\"news\"}\n{\"item_id\":\"c\"}\n");
  scratch().put("groups.yaml", R"(segments: [[surface]]
windows: [{name: hour, size: 1h}]
join: {horizons: [10m]}
catalog: {file: items.jsonl}
metrics: {cutoffs: [3, 1], names: [mrr, precision]}
attribution: {windows: [hour], item_group: genre}
)");
  const auto found = why("precision@3 -c groups.yaml log.jsonl");
  const auto& groups = found["item_groups"];
  EXPECT_EQ(groups["key"], "genre");
  ASSERT_EQ(groups["parts"].size(), 3U) << groups.dump(1);
  EXPECT_EQ(groups["parts"][0]["value"], "(none)");
  EXPECT_EQ(groups["parts"][1]["value"], "drama");
  const auto& news = groups["parts"][2];
  EXPECT_EQ(news["value"], "news");
  EXPECT_EQ(news["shown"], nlohmann::json::array({2000, 2000}));
  EXPECT_EQ(news["hits"], nlohmann::json::array({750, 350}));
  // The difference is of values rounded list by list; a unit of it each goes to the parts, to the last bit.
  EXPECT_NEAR(news["within"].get<double>(), found["difference"].get<double>(), 1e-9)
      << "nothing else was clicked, and as much was shown of each";
  EXPECT_NEAR(groups["short_lists"].get<double>(), 0, 1e-9);
  double sum = groups["short_lists"];
  for (const auto& part : groups["parts"]) sum += part["within"].get<double>() + part["mix"].get<double>();
  EXPECT_EQ(sum, found["difference"].get<double>());
  EXPECT_TRUE(why("precision@3 -c c.yaml log.jsonl")["item_groups"].is_null()) << "not asked for";
  EXPECT_TRUE(why("mrr@3 -c groups.yaml log.jsonl")["item_groups"].is_null()) << "of precision alone";
  const Ended ended = run("why precision@3 -c groups.yaml log.jsonl");
  EXPECT_NE(ended.out.find("items by genre"), std::string::npos) << ended.out;
}

TEST_F(Why, compares_two_values_in_words) {
  const Ended ended = run("why mrr@3 -c c.yaml --key surface --a home --b mail log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with("mrr@3 is 60 % lower with surface=mail than with surface=home: ")) << ended.out;
}

TEST_F(Why, begins_with_the_cause_in_words) {
  const Ended ended = run("why mrr@3 -c c.yaml log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_TRUE(ended.out.starts_with(
      "mrr@3 fell by 53 % against the window before: it is surface=mail (−53 % of the value before): fewer of its "
      "lists have something relevant (−80 %), and those that have it are as good."))
      << ended.out;
}

TEST_F(Why, refuses_what_it_cannot_take_apart) {
  replay();
  expect_says(run("why mrr@3/user -c c.yaml log.jsonl"), {"no mean over lists", "mrr@3, mrr@1"});
  expect_says(run("why mrr@5 -c c.yaml log.jsonl"), {"mrr@5 is not configured", "mrr@3"});
  expect_says(run("why mrr@5 rows.jsonl"), {"rows have no mrr@5", "mrr@3"});
  expect_says(run("why mrr@3/user rows.jsonl"), {"no mean over lists"});
  expect_says(run("why clicks rows.jsonl"), {"a name that a configuration gave", "--config"});
  expect_says(run("why mrr@3"), {"nothing to look at"});
  expect_says(run("why mrr@3 --key surface rows.jsonl"), {"--key, --a and --b go together"});
  expect_says(run("why mrr@3 --against soon rows.jsonl"), {"--against: soon"});
  expect_says(run("why mrr@3 --window day rows.jsonl"), {"there is no window `day`", "hour"});
  expect_says(run("why mrr@3 --window day -c c.yaml log.jsonl"), {"there is no window `day`", "hour"});
  expect_says(run("why mrr@3 log.jsonl"), {"log.jsonl", "row 1"});
  EXPECT_EQ(run("why mrr@3 --against 5h rows.jsonl").code, 1) << "there is nothing to compare";
  EXPECT_EQ(run("why mrr@5 rows.jsonl").code, 2);
}

TEST_F(Why, says_what_was_meant_where_the_metric_is_none) {
  expect_says(run("why mrrr@3 -c c.yaml log.jsonl"), {"mrrr@3 is no metric; did you mean `mrr`?"});
  expect_says(run("why log.jsonl -c c.yaml"), {"log.jsonl is a file, and METRIC comes first: recmeter why precision@5"});
  expect_says(run("why mrr@3 log.jsonl"), {"give a file of rows", "or --config C with a log"});
  const std::string first_hour = "why mrr@3 -c c.yaml log.jsonl --at 2023-11-14T01:30:00Z";
  expect_says(run(first_hour), {"there are no two windows `hour` to compare: "});
  const Ended words = run("why mrr@3 -c c.yaml log.jsonl");
  for (const char* said : {"of the value before", "after − before", "lists before", "value before"}) {
    EXPECT_NE(words.out.find(said), std::string::npos) << said << "\n" << words.out;
  }
  EXPECT_EQ(words.out.find(" -0."), std::string::npos) << "the minus is that of typesetting: " << words.out;
}

}  // namespace
}  // namespace recmeter::test
