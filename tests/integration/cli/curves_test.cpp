// ROC and precision-recall curves: the points that pooled metrics have at their cutoffs. docs/outputs.md.
#include <fstream>
#include <map>
#include <sstream>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;
using Curves = Workplace;

constexpr const char* pooled_yaml = R"(
join: {horizons: [10m, 1h]}
windows: [{name: hour, size: 1h}, {name: two, size: 2h, slide: 1h}]
segments: [[variant]]
catalog: {size: 5000}
metrics:
  cutoffs: [1, 2, 3, 4, 5, 8]
  names:
    - {name: recall, unit: pooled}
    - {name: fallout, unit: pooled}
    - {name: precision, unit: pooled, precision_denominator: shown}
)";

std::string identity(const json& row) {
  return json{row["window"], row["start"], row["horizon"], row["segment"], row["stage"]}.dump();
}

std::map<std::string, std::vector<json>> curves_in(const std::string& text) {
  std::map<std::string, std::vector<json>> curves;
  for (const std::string& line : lines_of(text)) {
    const json point = support::parsed_json(line);
    EXPECT_EQ(point["schema"], "recmeter.curve/1");
    curves[identity(point)].push_back(point);
  }
  return curves;
}

TEST_F(Curves, go_through_the_pooled_metrics_at_every_cutoff) {
  scratch().put("c.yaml", pooled_yaml);
  generate("--lists 2000 --hours 4 --seed 5 --users 80 --items 400 --empty-lists 0.05 --organic 0.3");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows --curves curves").code, 0);
  const auto curves = curves_in(scratch().get("curves"));
  std::size_t compared = 0;
  for (const std::string& line : lines_of(scratch().get("rows"))) {
    const json row = support::parsed_json(line);
    ASSERT_TRUE(curves.contains(identity(row))) << identity(row);
    const auto& points = curves.at(identity(row));
    ASSERT_EQ(points.size(), 10U);  // k = 0..8, and everything
    for (const int k : {1, 2, 3, 4, 5, 8}) {
      const json& point = points[static_cast<std::size_t>(k)];
      EXPECT_EQ(point["k"], k);
      EXPECT_EQ(point["lists"], row["lists"]);
      const auto value = [&](const std::string& name) {
        return row["metrics"][name + "@" + std::to_string(k) + "/pooled"]["value"];
      };
      EXPECT_EQ(point["recall"], value("recall"));
      EXPECT_EQ(point["fpr"], value("fallout"));
      EXPECT_EQ(point["precision"], value("precision"));
      ++compared;
    }
  }
  EXPECT_GT(compared, 100U);
  EXPECT_EQ(lines_of(scratch().get("rows")).size(), curves.size());
}

// The example of docs/outputs.md.
TEST_F(Curves, have_the_keys_that_are_documented) {
  std::ifstream file(std::string(RECMETER_SOURCE_DIR) + "/docs/outputs.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  const std::size_t begin = text.find(R"({"schema":"recmeter.curve/1")");
  ASSERT_NE(begin, std::string::npos);
  const auto shown = support::parsed_ordered_json(text.substr(begin, text.find("```", begin) - begin));
  ASSERT_EQ(run("replay good.jsonl -o rows --curves curves").code, 0);
  const auto written = support::parsed_ordered_json(lines_of(scratch().get("curves")).front());
  std::vector<std::string> keys[2];
  for (const auto& [key, value] : shown.items()) keys[0].push_back(key);
  for (const auto& [key, value] : written.items()) keys[1].push_back(key);
  EXPECT_EQ(keys[0], keys[1]);
}

TEST_F(Curves, begin_and_end_in_the_corners_and_never_turn_back) {
  scratch().put("c.yaml", pooled_yaml);
  generate("--lists 1000 --hours 2 --seed 6");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows --curves curves").code, 0);
  for (const auto& [row, points] : curves_in(scratch().get("curves"))) {
    EXPECT_EQ(points.front()["k"], 0);
    EXPECT_EQ(points.front()["recall"], 0);
    EXPECT_EQ(points.front()["fpr"], 0);
    EXPECT_EQ(points.front()["precision"], nullptr);
    EXPECT_EQ(points.back()["k"], nullptr);
    EXPECT_EQ(points.back()["recall"], 1);
    EXPECT_EQ(points.back()["fpr"], 1);
    const auto sum = [](const json& point) {
      return point["tp"].get<int>() + point["fp"].get<int>() + point["fn"].get<int>() + point["tn"].get<int>();
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
      EXPECT_GE(points[i]["recall"].get<double>(), points[i - 1]["recall"].get<double>());
      EXPECT_GE(points[i]["fpr"].get<double>(), points[i - 1]["fpr"].get<double>());
      EXPECT_EQ(sum(points[i]), sum(points[0]));
    }
  }
}

TEST_F(Curves, need_no_catalogue_for_precision_and_recall) {
  ASSERT_EQ(run("replay good.jsonl -o rows --curves curves").code, 0);
  const auto curves = curves_in(scratch().get("curves"));
  EXPECT_EQ(curves.size(), 3U);
  for (const auto& [row, points] : curves) {
    ASSERT_EQ(points.size(), 11U);  // k = 0..10
    EXPECT_EQ(points[2]["recall"], 1);
    EXPECT_EQ(points[2]["precision"], 0.5);
    EXPECT_EQ(points[2]["tn"], nullptr);
    EXPECT_EQ(points[2]["fpr"], nullptr);
  }
}

TEST_F(Curves, are_the_same_bytes_by_any_number_of_threads_and_leave_rows_as_they_are) {
  scratch().put("c.yaml", pooled_yaml);
  generate("--lists 5000 --hours 3");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o rows --curves one --threads 1").code, 0);
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o others --curves other --threads 8").code, 0);
  EXPECT_EQ(scratch().get("one"), scratch().get("other"));
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o without").code, 0);
  EXPECT_EQ(scratch().get("without"), scratch().get("rows"));
}

TEST_F(Curves, are_there_whole_or_not_at_all) {
  scratch().put("list.yaml", "join: {key: list}\nmetrics: {names: [precision]}\n");
  struct Case {
    const char* arguments;
    int code;
    std::vector<std::string> says;
  };
  const Case cases[] = {
      {"good.jsonl damaged.zst -o old.jsonl --curves old.json", 1, {"damaged.zst"}},
      {"cut.gz --curves new -o rows", 1, {"ends early"}},
      {"good.jsonl -o old.jsonl --curves /dev/full", 1, {"free some space", "/dev/full"}},
      {"good.jsonl --curves old.json -o /dev/full", 1, {"free some space", "/dev/full"}},
      {"good.jsonl --curves none/x", 1, {"mkdir -p", "none/x"}},
      {"good.jsonl -o new --curves ./new", 2, {"--curves: ./new is what --output writes"}},
      {"good.jsonl --curves good.jsonl", 2, {"--curves: good.jsonl is an input"}},
      {"good.jsonl -c list.yaml --curves new", 2, {"join.key: list"}},
  };
  for (const Case& one : cases) {
    const auto before = everything();
    const Ended ended = run(std::string("replay ") + one.arguments);
    EXPECT_EQ(ended.code, one.code) << one.arguments << "\n" << ended.err;
    expect_says(ended, one.says);
    expect_clean_messages(ended.err);
    EXPECT_EQ(everything(), before) << one.arguments;
  }
}

}  // namespace
}  // namespace recmeter::test
