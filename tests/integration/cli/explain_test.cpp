// One list explained: what the run did with it, in words and in the numbers of the run.
#include <algorithm>
#include <map>
#include <set>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

std::string at(std::int64_t seconds) {
  return std::to_string(start_ms + 1000 * seconds);
}

// u1 sees an item twice in l1 and does all there is to do; u2's list comes in rows, one of them is missing; u3's is empty.
std::string every_fate() {
  std::string log;
  const auto impression = [&](std::int64_t s, const std::string& rest) {
    log += R"({"type":"impression","ts":)" + at(s) + "," + rest + "}\n";
  };
  const auto action = [&](const char* type, std::int64_t s, const char* item, const std::string& rest = "") {
    log += std::string(R"({"type":")") + type + R"(","ts":)" + at(s) + R"(,"user_id":"u1","item_id":")" + item + "\"" + rest +
           "}\n";
  };
  impression(0, R"("list_id":"l1","user_id":"u1","items":["a","b","a","c"],"scores":[4,3,4,1],"segments":{"variant":"A"})");
  action("click", 10, "a", R"(,"list_id":"l1")");
  action("click", 10, "a", R"(,"list_id":"l1")");
  action("click", 20, "a", R"(,"list_id":"l1")");
  action("click", 30, "x", R"(,"list_id":"l1")");
  action("click", 40, "y");
  action("click", 50, "b", R"(,"list_id":"l9")");
  action("rating", 60, "c", R"(,"list_id":"l1","value":4)");
  action("rating", 61, "a", R"(,"list_id":"l1","value":5)");
  action("purchase", 70, "b", R"(,"list_id":"l1")");
  impression(100, R"("list_id":"l2","user_id":"u2","item_id":"p","position":1)");
  impression(102, R"("list_id":"l2","user_id":"u2","item_id":"q","position":3)");
  impression(110, R"("list_id":"l3","user_id":"u3","items":[])");
  action("click", 2400, "c");
  action("click", 60, "b", R"(,"list_id":"l1")");  // far behind the one before
  impression(2, R"("list_id":"l4","user_id":"u1","items":["a"])");
  return log;
}

constexpr const char* every_fate_yaml = R"(
join:
  horizons: [30m, 1h]
  actions: {click: {gain: 1}, purchase: {gain: 3, after: click}, rating: {gain: 0}}
catalog: {size: 50}
limits: {lost_share: 1}
metrics:
  cutoffs: [2, 5]
  names: [precision, mrr, ndcg_list, recall, lauc, mae, novelty, empty_list_share, distinct_items, user_coverage]
)";

class Explain : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    scratch().put("fates.jsonl", every_fate());
    scratch().put("fates.yaml", every_fate_yaml);
  }

  [[nodiscard]] json explained(const std::string& arguments) const {
    const Ended ended = run("explain --format json " + arguments);
    EXPECT_EQ(ended.code, 0) << ended.err;
    expect_clean_messages(ended.err);
    EXPECT_EQ(lines_of(ended.out).size(), 1U) << ended.out;
    return support::parsed_json(ended.out);
  }
  [[nodiscard]] std::string text(const std::string& arguments, const std::string& columns = "") const {
    Call made = call("explain " + arguments);
    made.environment = {{"COLUMNS", columns}};
    return test::run(made).out;
  }
};

TEST_F(Explain, says_why_events_are_duplicates) {
  const std::string list = R"({"type":"impression","ts":)" + at(0) + R"(,"list_id":"l","user_id":"u","items":["a","b"]})";
  std::string log = list + "\n" + list + "\n";
  for (const int s : {10, 10, 17}) {
    log += R"({"type":"purchase","ts":)" + at(s) + R"(,"user_id":"u","event_id":"o1","items":["b","a","b"]})" + "\n";
  }
  scratch().put("orders.jsonl", log + R"({"type":"tick","ts":)" + at(9000) + "}\n");
  scratch().put("orders.yaml", "join: {actions: {purchase: {gain: 3, once: event_id}}}\ntime: {max_step: 0s}\n");
  const json told = explained("--list l --config orders.yaml orders.jsonl");
  EXPECT_EQ(told["other_impressions"][0], "+0ms list of this id, duplicate: an equal event came before it (orders.jsonl)");
  std::multiset<std::string> reasons;
  for (const json& feedback : told["feedback"]) {
    if (feedback["fate"] == "duplicate") reasons.insert(feedback["reasons"]["30m"].get<std::string>());
  }
  const std::string again = "duplicate: an equal event came before it";
  const std::string once =
      "duplicate: the same action on the item came before with its event_id; `once` of the action counts the first";
  const std::string line = "duplicate: a further line of its basket; its value is added to that of the first";
  EXPECT_EQ(reasons, (std::multiset<std::string>{again, again, once, once, line, line, line}));
}

TEST_F(Explain, names_an_item_that_stands_twice) {
  const json list = explained("--list l1 --config fates.yaml fates.jsonl");
  EXPECT_EQ(list["items"][2]["item"], "a");
  EXPECT_EQ(list["items"][2]["first_rank"], 1);
  for (const std::size_t once : {0U, 1U, 3U}) EXPECT_FALSE(list["items"][once].contains("first_rank")) << once;
  const std::string words = text("--list l1 --config fates.yaml fates.jsonl");
  EXPECT_NE(words.find("rank    3  a  score 4  again: it counts at rank 1\n"), std::string::npos) << words;
}

TEST_F(Explain, says_what_became_of_every_feedback_and_why) {
  const json list = explained("-c fates.yaml --sort never --list l1 fates.jsonl");
  EXPECT_EQ(list["schema"], "recmeter.explanation/1");
  EXPECT_EQ(list["user_id"], "u1");
  EXPECT_EQ(list["segments"]["variant"], "A");
  struct Told {
    const char* action;
    int delay_s;
    const char* item;
    const char* fate;
    json outcome;
    const char* reason;  // at 30m
  };
  const Told told[] = {
      {"click", 10, "a", "accepted", "credited", "credited to this list: rank 1, gain 1"},
      {"click", 10, "a", "duplicate", nullptr, "duplicate: an equal event came before it"},
      {"click", 20, "a", "accepted", "repeated", "repeated: the same action"},
      {"click", 30, "x", "accepted", "not_in_list", "not in list: missed, grade 1"},
      {"click", 40, "y", "accepted", "organic", "not in list: missed, grade 1"},
      {"click", 50, "b", "accepted", "unmatched", "names list l9"},
      {"rating", 60, "c", "accepted", "credited", "gain 0: counted, not relevant"},
      {"click", 60, "b", "late", nullptr, "see allowed_lateness"},
      {"rating", 61, "a", "accepted", "credited", "rank 1, gain 0"},
      {"purchase", 70, "b", "accepted", "unmatched", "after: no click on it"},
      {"click", 2400, "c", "accepted", "credited", "too late by 10m: horizon 30m"},
  };
  ASSERT_EQ(list["feedback"].size(), std::size(told)) << list["feedback"].dump(1);
  std::multiset<std::string> expected;
  std::multiset<std::string> found;
  for (const Told& one : told) {
    expected.insert(std::string(one.action) + one.item + std::to_string(one.delay_s) + one.fate + one.outcome.dump());
    const auto same = std::find_if(list["feedback"].begin(), list["feedback"].end(), [&](const json& f) {
      return f["action"] == one.action && f["item"] == one.item && f["delay_ms"] == 1000 * one.delay_s &&
             f["fate"] == one.fate;
    });
    ASSERT_NE(same, list["feedback"].end()) << one.reason;
    const std::string why = (*same)["reasons"]["30m"];
    EXPECT_NE(why.find(one.reason), std::string::npos) << why;
  }
  for (const json& f : list["feedback"]) {
    found.insert(f["action"].get<std::string>() + f["item"].get<std::string>() +
                 std::to_string(f["delay_ms"].get<int>() / 1000) + f["fate"].get<std::string>() + f["outcome"].dump());
  }
  EXPECT_EQ(found, expected);
}

TEST_F(Explain, gives_grades_and_arithmetic_at_every_horizon) {
  const json list = explained("-c fates.yaml --sort never --list l1 fates.jsonl");
  ASSERT_EQ(list["items"].size(), 4U);
  EXPECT_EQ(list["items"][2]["item"], "a");
  EXPECT_EQ(list["items"][2]["score"], 4);
  ASSERT_EQ(list["horizons"].size(), 2U);
  const json& half_hour = list["horizons"][0];
  const json& hour = list["horizons"][1];
  EXPECT_EQ(half_hour["horizon"], "30m");
  EXPECT_EQ(half_hour["grades"], support::parsed_json(R"([{"rank":1,"grade":1}])"));
  EXPECT_EQ(hour["grades"], support::parsed_json(R"([{"rank":1,"grade":1},{"rank":4,"grade":1}])"));
  EXPECT_EQ(half_hour["missed"], support::parsed_json(R"([{"item":"x","grade":1},{"item":"y","grade":1}])"));
  EXPECT_EQ(half_hour["metrics"]["recall@5"]["arithmetic"], "1 / 3");
  EXPECT_EQ(hour["metrics"]["recall@5"]["arithmetic"], "2 / 4");
  EXPECT_EQ(hour["metrics"]["precision@5"]["value"], 0.39999999990686774);  // 2 / 5 in 2^-32
  EXPECT_EQ(hour["metrics"]["precision@5"]["presets"]["sklearn"], 0.5);     // of four ranks shown
  EXPECT_EQ(hour["metrics"]["mrr@2"]["presets"]["trec_eval"], 1);           // which does not cut it at k
  EXPECT_EQ(hour["metrics"]["mae"]["arithmetic"], "(1 + 3) / 2");           // the first rank's score, and that of c
  EXPECT_EQ(hour["metrics"]["novelty@5"]["value"], nullptr);                // nobody acted before
  EXPECT_FALSE(hour["metrics"]["novelty@5"]["in_mean"].get<bool>());
  EXPECT_FALSE(hour["metrics"]["distinct_items@5"]["of_list"].get<bool>());
}

// Other tools are asked what the entry asks: of one action alone; of values there is nothing they could say.
TEST_F(Explain, compares_a_metric_of_one_action_with_others_fed_with_that_action) {
  scratch().put("sold.yaml", R"(
join: {horizons: [30m], actions: {click: {gain: 1}, purchase: {gain: 3}, return: {undoes: purchase}}}
metrics:
  cutoffs: [2]
  names:
    - {name: ndcg_list, action: purchase}
    - {name: ndcg_list, action: purchase, grade: value}
    - {name: income, action: purchase}
)");
  scratch().put("sold.jsonl", R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a","b"]}
{"type":"click","ts":1700000001000,"user_id":"u1","item_id":"a"}
{"type":"purchase","ts":1700000002000,"user_id":"u1","item_id":"b","value":30}
{"type":"purchase","ts":1700000003000,"user_id":"u1","item_id":"b","value":30}
{"type":"return","ts":1700000004000,"user_id":"u1","item_id":"b","value":20}
)");
  const json list = explained("-c sold.yaml --sort never --list l1 sold.jsonl");
  const json& metrics = list["horizons"][0]["metrics"];
  EXPECT_EQ(metrics["income{action=purchase}"]["arithmetic"], "(40)");
  const json& sold = metrics["ndcg_list{action=purchase}@2"];
  EXPECT_NEAR(sold["value"].get<double>(), 0.63093, 1e-5);
  EXPECT_EQ(sold["presets"]["trec_eval"], sold["value"]);
  EXPECT_TRUE(metrics["ndcg_list{action=purchase,grade=value}@2"]["presets"].empty());
  EXPECT_NE(list["feedback"][3]["reasons"]["30m"].get<std::string>().find("takes back a purchase"), std::string::npos);
}

// [S4.16]: x was returned whole, of y something is left, and of z the list's horizon does not reach the return.
TEST_F(Explain, misses_nothing_that_was_taken_back) {
  scratch().put("sold.yaml", R"(
join: {horizons: [30m], actions: {purchase: {gain: 3}, return: {undoes: purchase}}}
metrics: {names: [recall], cutoffs: [2]}
)");
  scratch().put("sold.jsonl", R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a","b"]}
{"type":"purchase","ts":1700000001000,"user_id":"u1","item_id":"x","value":30}
{"type":"purchase","ts":1700000001000,"user_id":"u1","item_id":"y","value":30}
{"type":"purchase","ts":1700000001000,"user_id":"u1","item_id":"z","value":30}
{"type":"return","ts":1700000002000,"user_id":"u1","item_id":"x"}
{"type":"return","ts":1700000003000,"user_id":"u1","item_id":"y","value":20}
{"type":"return","ts":1700003000000,"user_id":"u1","item_id":"z"}
)");
  const json list = explained("-c sold.yaml --sort never --list l1 sold.jsonl");
  EXPECT_EQ(list["horizons"][0]["missed"], support::parsed_json(R"([{"item":"y","grade":3},{"item":"z","grade":3}])"));
  EXPECT_EQ(list["feedback"][0]["reasons"]["30m"], "not in list, and taken back");
  EXPECT_EQ(list["feedback"][1]["reasons"]["30m"], "not in list: missed, grade 3");
}

TEST_F(Explain, a_list_from_rows_with_a_rank_nobody_reported) {
  const json list = explained("-c fates.yaml --sort never --list l2 fates.jsonl");
  ASSERT_EQ(list["items"].size(), 3U);
  EXPECT_EQ(list["items"][1]["item"], nullptr);
  EXPECT_EQ(list["items"][2]["item"], "q");
  EXPECT_EQ(list["items"][2]["shown_after_ms"], 2000);
  EXPECT_EQ(list["feedback"], json::array());
  EXPECT_EQ(list["horizons"][0]["metrics"]["recall@5"]["value"], 0);
  EXPECT_FALSE(list["horizons"][0]["metrics"]["recall@5"]["has_evidence"].get<bool>());
  EXPECT_NE(text("-c fates.yaml --list l2 fates.jsonl").find("no row of this position"), std::string::npos);
}

TEST_F(Explain, a_list_that_came_in_pieces) {
  std::string log;
  const auto impression = [&](std::int64_t s, const std::string& rest) {
    log += R"({"type":"impression","ts":)" + at(s) + R"(,"list_id":"l","user_id":"u",)" + rest + "}\n";
  };
  impression(0, R"("items":["a","b"],"scores":[1,2])");
  impression(4, R"("items":["c","a"],"scores":[3,4])");
  impression(8, R"("items":["b","a"])");
  impression(9, R"("item_id":"d","position":5,"score":5)");
  scratch().put("pieces.jsonl", log + R"({"type":"tick","ts":)" + at(9000) + "}\n");
  scratch().put("pieces.yaml", "time: {max_step: 0s}\nmetrics: {names: [mae]}\njoin: {actions: {rating: {gain: 1}}}\n");
  const json told = explained("--list l --config pieces.yaml pieces.jsonl");
  ASSERT_EQ(told["items"].size(), 5U);
  EXPECT_EQ(told["items"][2]["item"], "c");
  EXPECT_EQ(told["items"][2]["score"], 3);
  EXPECT_EQ(told["items"][2]["shown_after_ms"], 4000);
  EXPECT_EQ(told["items"][3]["item"], nullptr);
  EXPECT_EQ(told["items"][4]["score"], 5);
  EXPECT_EQ(told["other_impressions"].size(), 1U);
  EXPECT_EQ(
      told["other_impressions"][0],
      "+8s list of this id, duplicate: shows other items, but its list has all of them; with join.whole_lists: own it is a "
      "list of its own (pieces.jsonl)");
}

TEST_F(Explain, an_empty_list) {
  const json list = explained("-c fates.yaml --sort never --list l3 fates.jsonl");
  EXPECT_EQ(list["items"], json::array());
  EXPECT_EQ(list["horizons"][0]["metrics"]["empty_list_share"]["value"], 1);
  EXPECT_EQ(list["horizons"][0]["metrics"]["lauc@5"]["value"], nullptr);
  EXPECT_NE(text("-c fates.yaml --list l3 fates.jsonl").find("without items"), std::string::npos);
}

// Every line about other tools once, with the metrics that it is of; what one metric alone has, beside it.
TEST_F(Explain, says_what_other_tools_make_of_it_once) {
  const std::string log = R"({"type":"impression","ts":1700000000000,"list_id":"l1","user_id":"u1","items":["a","b","c","d"]}
{"type":"click","ts":1700000001000,"user_id":"u1","item_id":"a"}
{"type":"click","ts":1700000002000,"user_id":"u1","item_id":"c"}
)";
  scratch().put("once.jsonl", log);
  scratch().put("once.yaml", "metrics: {cutoffs: [1, 5, 10], names: [precision, hit_rate, map_list]}\n");
  const std::string shown = text("-c once.yaml --list l1 once.jsonl", "200");
  const std::vector<std::string> lines = lines_of(shown);
  std::map<std::string, int> told;
  for (const std::string& line : lines) {
    const std::size_t at = line.find_first_not_of(' ');
    if (at != std::string::npos && line.find(" by ") != std::string::npos) ++told[line.substr(at)];
  }
  for (const auto& [line, times] : told) EXPECT_EQ(times, 1) << line;
  EXPECT_NE(shown.find("the same by every preset: precision@1\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("not in sklearn: hit_rate@1, hit_rate@5, hit_rate@10\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("torchmetrics: precision@5, precision@10\n"), std::string::npos) << "another value that two have\n"
                                                                                        << shown;
  // It is of map_list@1 alone, so it stands with it.
  const auto map = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("  map_list@1 "); });
  ASSERT_NE(map, lines.end());
  EXPECT_NE((map + 1)->find("0.5 by trec_eval, ranx"), std::string::npos) << shown;
}

TEST_F(Explain, fits_the_columns_told) {
  for (const char* columns : {"80", "120"}) {
    const std::string shown = text("-c fates.yaml --list l1 fates.jsonl", columns);
    EXPECT_NE(shown.find("at horizon 1h"), std::string::npos) << shown;
    for (const std::string& line : lines_of(shown)) EXPECT_LE(line.size(), std::stoul(columns)) << line;
  }
}

TEST_F(Explain, of_what_is_not_there_says_where_and_what_to_do) {
  struct Case {
    const char* arguments;
    int code;
    std::vector<std::string> says;
  };
  const Case cases[] = {
      {"--list nosuch good.jsonl",
       1,
       {"good.jsonl: no list nosuch among 600 impressions from 2023-11-14T00:00:00Z to 2023-11-14T00:09:59Z",
        "check the id"}},
      {"--list l59999 good.jsonl", 1, {"did you mean l5"}},
      {"--list l1 empty.jsonl", 1, {"no list l1 among 0 impressions"}},
      {"--list l1 --user nobody good.jsonl", 1, {"list l1 is not of user nobody but of u1", "leave --user out"}},
      {"-c fates.yaml --sort never --list l4 fates.jsonl",
       1,
       {"l4 was read, but no impression of it was accepted: late", "allowed_lateness"}},
      {"--list l1 none.jsonl", 1, {"check the path", "none.jsonl"}},
      {"--list l1 -", 2, {"standard input can be read only once", "write it to a file"}},
      {"good.jsonl", 2, {"--list is required"}},
      {"--list l1 --format xml good.jsonl", 2, {"--format: xml is not known", "`text` or `json`"}},
      {"--list l1 -c none.yaml good.jsonl", 2, {"none.yaml"}},
  };
  for (const Case& one : cases) {
    const Ended ended = run(std::string("explain ") + one.arguments);
    EXPECT_EQ(ended.code, one.code) << one.arguments << "\n" << ended.err;
    EXPECT_EQ(ended.out, "") << one.arguments;
    expect_says(ended, one.says);
    expect_clean_messages(ended.err);
  }
}

// Every metric there is of what was shown, and every unit it has.
std::string all_metrics_yaml(const json& definitions) {
  std::string names;
  for (const json& metric : definitions) {
    const std::string name = metric["name"];
    // It explains what was shown.
    const auto is_of_lanes = [](const std::string& need) { return need == "lanes" || need.starts_with("off_policy"); };
    if (std::ranges::any_of(metric["needs"], is_of_lanes)) continue;
    const auto add = [&](const std::string& rest) { names += "    - {name: " + name + rest + "}\n"; };
    std::string of;
    for (const json& option : metric["options"]) {
      if (option["name"] == "action" && option["default"] == "") of = ", action: click";
    }
    add(of);
    for (const json& option : metric["options"]) {
      if (option["name"] == "action" && of.empty()) add(", action: click");
      for (const json& unit : option["values"]) {
        if (option["name"] == "unit" && unit != option["default"]) add(of + ", unit: " + unit.get<std::string>());
      }
    }
  }
  return "join:\n  horizons: [30m, 2h]\n"
         "  actions: {click: {gain: 1}, purchase: {gain: 3, after: click}, rating: {gain: 0}}\n"
         "catalog: {file: items.jsonl}\nlimits: {lost_share: 1, invalid_share: 1}\n"
         "windows: [{name: hour, size: 1h}]\n"
         "metrics:\n  cutoffs: [1, 5]\n  examination: {first: 0.1, by_rank: [1, 0.6, 0.5, 0.4, 0.3]}\n  names:\n" +
         names;
}

// What --lists writes is checked against the batch evaluator by tests/simulation.
TEST_F(Explain, has_the_values_of_the_run) {
  generate(
      "--lists 400 --hours 3 --seed 11 --users 30 --items 200 --ratings 0.5 --rows 0.3 --empty-lists 0.05 --duplicates 0.05 "
      "--organic 0.3 --late 0.01 --malformed 0.02 --disorder 20s");
  std::set<std::string> items;
  for (const std::string& line : lines_of(scratch().get("log.jsonl"))) {
    const json record = support::parsed_json(line);
    if (!record.is_object() || !record.contains("items") || !record["items"].is_array()) continue;
    for (const json& item : record["items"]) {
      if (item.is_string()) items.insert(item);
    }
  }
  std::string catalog;
  for (const std::string& item : items) {
    catalog += json{{"item_id", item}, {"group", item.size()}, {"last", item.substr(item.size() - 1)}}.dump() + "\n";
  }
  scratch().put("items.jsonl", catalog);
  scratch().put("all.yaml", all_metrics_yaml(support::parsed_json(run("metrics --format json").out)));
  const Ended replay = run("replay log.jsonl -c all.yaml -o rows --lists lists");
  ASSERT_EQ(replay.code, 0) << replay.err;
  std::map<std::string, std::vector<json>> lists;
  for (const std::string& line : lines_of(scratch().get("lists"))) {
    const json list = support::parsed_json(line);
    lists[list["list_id"]].push_back(list);
  }
  std::size_t compared = 0;
  std::size_t number = 0;
  for (const auto& [id, horizons] : lists) {
    if (number++ % 40 != 0) continue;
    const json list = explained("-c all.yaml log.jsonl --list " + id);
    for (const json& expected : horizons) {
      const json& score = list["horizons"][expected["horizon"] == "30m" ? 0 : 1];
      EXPECT_EQ(score["relevant_in_list"], expected["relevant"]) << id;
      EXPECT_EQ(list["items"].size(), expected["items"].get<std::size_t>()) << id;
      for (const auto& [key, value] : expected["metrics"].items()) {
        ASSERT_TRUE(score["metrics"].contains(key)) << key;
        EXPECT_EQ(score["metrics"][key]["value"], value) << id << " " << key;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000U);
}

}  // namespace
}  // namespace recmeter::test
