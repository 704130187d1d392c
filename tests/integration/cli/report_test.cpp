// The page of a replay's rows: what is in the file that is passed on.
#include <algorithm>
#include <filesystem>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"
#include "unit/file/packed.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

class ReportPage : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    ASSERT_EQ(run("replay good.jsonl -o rows.jsonl --report run.json").code, 0);
  }
  // The lines that a page carries as data; none of a page without charts.
  [[nodiscard]] static std::vector<json> lines_in(const std::string& page) {
    constexpr std::string_view before = R"(id="rows">)";
    const std::size_t begin = page.find(before);
    if (begin == std::string::npos) return {};
    const std::size_t end = page.find("</script>", begin);
    std::vector<json> lines;
    for (const std::string& line : lines_of(std::string_view(page).substr(begin, end - begin).substr(before.size()))) {
      if (!line.empty()) lines.push_back(support::parsed_json(line));
    }
    return lines;
  }
  // A line of the page says what a line of compare does.
  static void expect_same_comparison(const json& drawn, const json& said) {
    const auto part = [&said](const char* name, const char* member) {
      return said[name].is_null() ? json() : said[name][member];
    };
    EXPECT_EQ(drawn["difference"], part("absolute", "value"));
    EXPECT_EQ(drawn["ci"], part("absolute", "ci"));
    EXPECT_EQ(drawn["relative"], part("relative", "value"));
    EXPECT_EQ(drawn["relative_ci"], part("relative", "ci"));
    EXPECT_EQ(drawn["p"], said["p"]);
  }
  [[nodiscard]] static bool has_charts(const std::string& page) { return page.find(R"(id="rows">)") != std::string::npos; }
};

TEST_F(ReportPage, holds_every_row_as_it_is_and_what_its_metrics_mean) {
  const Ended ended = run("report rows.jsonl --output report.html");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.out, "");
  const std::string page = scratch().get("report.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  if (!has_charts(page)) GTEST_SKIP() << "built without npm";
  EXPECT_EQ(ended.err, "");
  const auto rows = lines_of(scratch().get("rows.jsonl"));
  const auto lines = lines_in(page);
  ASSERT_EQ(lines.size(), rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(lines[i], support::parsed_json(rows[i]));
  const json& about = lines.back();
  EXPECT_EQ(about["schema"], "recmeter.page/1");
  EXPECT_EQ(about["title"], "A log of 2023-11-14");
  EXPECT_TRUE(run("version").out.starts_with("recmeter " + about["version"].get<std::string>() + "\n"));
  std::vector<std::string> keys;
  for (const json& definition : about["definitions"]) {
    keys.push_back(definition["key"]);
    EXPECT_EQ(definition["name"], keys.back().substr(0, keys.back().find('@')));
    EXPECT_FALSE(definition["formula"].get<std::string>().empty());
  }
  for (const auto& [key, value] : lines.front()["metrics"].items()) {
    EXPECT_NE(std::find(keys.begin(), keys.end(), key), keys.end()) << key;
  }
}

TEST_F(ReportPage, says_what_a_metric_with_an_option_means) {
  scratch().put("rbp.yaml", "metrics: {cutoffs: [3], names: [{name: rbp, p: 0.5}]}\n");
  ASSERT_EQ(run("replay --config rbp.yaml good.jsonl -o rbp.jsonl").code, 0);
  ASSERT_EQ(run("report rbp.jsonl --output rbp.html").code, 0);
  const auto lines = lines_in(scratch().get("rbp.html"));
  if (lines.empty()) GTEST_SKIP() << "built without npm";
  const json& definitions = lines.back()["definitions"];
  ASSERT_EQ(definitions.size(), 1U) << definitions;
  EXPECT_EQ(definitions[0]["key"], "rbp{p=0.5}@3");
  EXPECT_EQ(definitions[0]["name"], "rbp");
}

TEST_F(ReportPage, is_called_by_its_evaluator_else_by_its_logs_else_by_its_days) {
  const auto title = [&](const std::string& rows, const std::string& more) {
    EXPECT_EQ(run("report " + rows + more + " -o report.html").code, 0);
    const auto lines = lines_in(scratch().get("report.html"));
    return lines.empty() ? "" : lines.back()["title"].get<std::string>();
  };
  if (title("rows.jsonl", "").empty()) GTEST_SKIP() << "built without npm";
  EXPECT_EQ(title("rows.jsonl", ""), "A log of 2023-11-14");
  scratch().put("days.jsonl", impression(1, 0) + impression(2, 2 * 86'400'000));
  ASSERT_EQ(run("replay days.jsonl -o days_rows.jsonl").code, 0);
  EXPECT_EQ(title("days_rows.jsonl", ""), "A log of 2023-11-14 to 2023-11-16");
  EXPECT_EQ(title("rows.jsonl", " --report run.json"), "good.jsonl");
  scratch().put("named.yaml", "name: shop\n");
  ASSERT_EQ(run("replay --config named.yaml good.jsonl -o named.jsonl").code, 0);
  EXPECT_EQ(title("named.jsonl", ""), "shop");
  std::string files;
  for (const char* name : {"one.jsonl", "two.jsonl", "three.jsonl", "four.jsonl"}) {
    scratch().put(name, scratch().get("good.jsonl"));
    files += std::string(" ") + name;
  }
  ASSERT_EQ(run("replay" + files + " -o many.jsonl --report many.json").code, 0);
  EXPECT_EQ(title("many.jsonl", " --report many.json"), "one.jsonl, two.jsonl, three.jsonl, and 1 more");
}

TEST_F(ReportPage, of_a_program_without_charts_is_a_table) {
  ASSERT_EQ(run("report rows.jsonl --output report.html").code, 0);
  const std::string page = scratch().get("report.html");
  if (has_charts(page)) GTEST_SKIP() << "built with npm";
  EXPECT_NE(page.find("<td>2023-11-14T00:09:00Z</td>"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST_F(ReportPage, is_the_same_by_any_way_in_and_out) {
  ASSERT_EQ(run("report rows.jsonl -o report.html").code, 0);
  const std::string page = scratch().get("report.html");
  EXPECT_EQ(run("report rows.jsonl").out, page);
  EXPECT_EQ(run("report rows.jsonl -o -").out, page);
  scratch().put("packed.gz", gzip(scratch().get("rows.jsonl")));
  scratch().put("packed.zst", zstd(scratch().get("rows.jsonl")));
  EXPECT_EQ(run("report packed.gz").out, page);
  EXPECT_EQ(run("report packed.zst").out, page);
  Call piped = call("report -");
  piped.input = "rows.jsonl";
  EXPECT_EQ(test::run(piped).out, page);
}

TEST_F(ReportPage, shows_the_report_of_the_run) {
  ASSERT_EQ(run("report rows.jsonl --report run.json -o report.html").code, 0);
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) {
    EXPECT_NE(page.find("recmeter.report/1"), std::string::npos);
    return;
  }
  const auto lines = lines_in(page);
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 2], json_in("run.json"));
}

// The newest window against the one before, of each mean over lists; nothing of a change that chance may make.
TEST_F(ReportPage, says_what_changed_last_and_why) {
  scratch().put("c.yaml",
                "join: {horizons: [1m]}\nwindows: [{name: minute, size: 1m}]\n"
                "metrics: {cutoffs: [3], names: [mrr, distinct_items]}\n");
  // Ten lists a second; of five in the last minute `last` have a click, of those before four.
  const auto whys_of = [this](int last) {
    std::string log;
    for (int list = 0; list < 1800; ++list) {
      const std::int64_t at = 100 * list;
      log += impression(list, at) + (list % 5 < (list < 1200 ? 4 : last) ? click(list, at) : "");
    }
    scratch().put("log.jsonl", log + impression(2000, 3'600'000));
    EXPECT_EQ(run("replay -c c.yaml log.jsonl -o rows.jsonl").code, 0);
    EXPECT_EQ(run("report rows.jsonl -o report.html").code, 0);
    std::vector<json> whys;
    for (const json& line : lines_in(scratch().get("report.html"))) {
      if (line["schema"] == "recmeter.why/1") whys.push_back(line);
    }
    return whys;
  };
  const std::vector<json> whys = whys_of(2);
  if (!has_charts(scratch().get("report.html"))) GTEST_SKIP() << "built without npm";
  ASSERT_EQ(whys.size(), 1U) << "distinct_items is no mean over lists";
  const json of_command = support::parsed_json(run("--json why mrr@3 rows.jsonl").out);
  EXPECT_EQ(whys.front(), of_command);
  EXPECT_TRUE(whys.front()["words"].get<std::string>().starts_with("mrr@3 fell by 50 %")) << whys.front();
  EXPECT_TRUE(whys_of(4).empty());
}

// Five clicks, then two: the command says so, and the page has no card of it.
TEST_F(ReportPage, makes_no_news_of_a_handful_of_clicks) {
  scratch().put("c.yaml",
                "join: {horizons: [1m]}\nwindows: [{name: minute, size: 1m}]\nmetrics: {cutoffs: [3], names: [mrr]}\n");
  std::string log;
  for (int list = 0; list < 1200; ++list) {
    const std::int64_t at = 100 * list;
    const bool is_acted_on = list < 600 ? list % 120 == 0 : list == 700 || list == 800;
    log += impression(list, at) + (is_acted_on ? click(list, at) : "");
  }
  scratch().put("log.jsonl", log + impression(2000, 3'600'000));
  ASSERT_EQ(run("replay -c c.yaml log.jsonl -o rows.jsonl").code, 0);
  const Ended why = run("why mrr@3 rows.jsonl");
  EXPECT_EQ(why.code, 0) << why.err;
  EXPECT_TRUE(
      why.out.starts_with("mrr@3 against the window before: 5 lists with something relevant, then 2: too few to say."))
      << why.out;
  ASSERT_EQ(run("report rows.jsonl -o report.html").code, 0);
  for (const json& line : lines_in(scratch().get("report.html"))) EXPECT_NE(line["schema"], "recmeter.why/1") << line;
}

// Lists of three items: the table of a replay has columns at 3, and the page begins there.
TEST_F(ReportPage, begins_at_the_cutoff_that_half_of_the_lists_reach) {
  scratch().put("c.yaml", "metrics: {cutoffs: [2, 3, 5, 10], names: [precision, mrr]}\n");
  ASSERT_EQ(run("replay -c c.yaml good.jsonl -o rows.jsonl --lists lists.jsonl").code, 0);
  const auto cutoff_with = [this](const std::string& more) {
    EXPECT_EQ(run("report rows.jsonl -o report.html" + more).code, 0);
    for (const json& line : lines_in(scratch().get("report.html"))) {
      if (line["schema"] == "recmeter.page/1") return line.contains("cutoff") ? line["cutoff"] : json();
    }
    return json();
  };
  const json cutoff = cutoff_with(" --lists lists.jsonl");
  if (!has_charts(scratch().get("report.html"))) GTEST_SKIP() << "built without npm";
  EXPECT_EQ(cutoff, 3);
  EXPECT_TRUE(cutoff_with("").is_null()) << "rows do not say how long lists are";
}

// By the lists of the log: the interval needs the users, whom rows do not have.
TEST_F(ReportPage, compares_variants_by_the_lists_of_the_log) {
  generate("--lists 4000 --users 600 --seed 7");
  scratch().put("variants.yaml", "segments: [[variant]]\nmetrics: {names: [precision, distinct_items], cutoffs: [10]}\n");
  ASSERT_EQ(run("replay --config variants.yaml log.jsonl -o v.jsonl --lists lists.jsonl").code, 0);
  const Ended ended = run("report v.jsonl --lists lists.jsonl -o report.html");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) GTEST_SKIP() << "built without npm";
  std::vector<json> pairs;
  for (const json& line : lines_in(page)) {
    if (line["schema"] == "recmeter.comparison/1") pairs.push_back(line);
  }
  ASSERT_EQ(pairs.size(), 2U) << "distinct_items is no mean over lists; each of the two is compared with the other";
  const json& pair = pairs.front();
  EXPECT_EQ(pair["metric"], "precision@10");
  EXPECT_EQ(pair["a"], pairs.back()["b"]);
  double sums[2] = {0, 0};
  double counts[2] = {0, 0};
  for (const std::string& line : lines_of(scratch().get("lists.jsonl"))) {
    if (line.empty()) continue;
    const json list = support::parsed_json(line);
    const std::size_t side = list["segments"]["variant"] == pair["a"]["variant"] ? 0 : 1;
    sums[side] += list["metrics"]["precision@10"].get<double>();
    counts[side] += 1;
  }
  EXPECT_EQ(pair["a_lists"], counts[0]);
  EXPECT_EQ(pair["b_lists"], counts[1]);
  const double relative = pair["relative"];
  EXPECT_NEAR(relative, sums[0] / counts[0] / (sums[1] / counts[1]) - 1, 1e-7);
  EXPECT_LT(pair["relative_ci"][0].get<double>(), relative);
  EXPECT_GT(pair["relative_ci"][1].get<double>(), relative);
}

// Two intervals of one difference would be one too many.
TEST_F(ReportPage, has_the_interval_that_compare_has) {
  generate("--lists 4000 --users 600 --seed 7");
  scratch().put("variants.yaml", "segments: [[variant]]\nmetrics: {names: [precision, mrr], cutoffs: [5, 10]}\n");
  ASSERT_EQ(run("replay --config variants.yaml log.jsonl -o v.jsonl --lists lists.jsonl").code, 0);
  ASSERT_EQ(run("report v.jsonl --lists lists.jsonl -o report.html").code, 0);
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) GTEST_SKIP() << "built without npm";
  const auto lines = lines_in(page);
  std::size_t compared = 0;
  for (const std::string control : {"A", "B"}) {
    for (const std::string& text :
         lines_of(run("compare --by variant --control " + control + " --format json lists.jsonl").out)) {
      if (text.empty()) continue;
      const json said = support::parsed_json(text);
      const auto drawn = std::ranges::find_if(lines, [&](const json& line) {
        return line["schema"] == "recmeter.comparison/1" && line["metric"] == said["metric"] &&
               line["b"]["variant"] == control && line["a"]["variant"] == said["arm"];
      });
      ASSERT_NE(drawn, lines.end()) << text;
      expect_same_comparison(*drawn, said);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8U);
}

// Ten clicks are too few for a relative difference: both have the absolute one, and say the same.
TEST_F(ReportPage, has_the_difference_and_the_sentence_that_compare_has_of_few_events) {
  std::string log;
  for (int list = 0; list < 4000; ++list) {
    const std::string arm = list % 2 == 0 ? "bts" : "random";
    std::string shown = impression(list, 100 * list);
    shown.insert(shown.rfind('}'), R"(,"segments":{"policy":")" + arm + "\"}");
    log += shown + (list % 2 == 0 && list % 200 == 0 ? click(list, 100 * list) : "");
  }
  scratch().put("few.jsonl", log);
  scratch().put("policies.yaml", "segments: [[policy]]\nmetrics: {names: [precision], cutoffs: [3]}\n");
  ASSERT_EQ(run("replay --config policies.yaml few.jsonl -o f.jsonl --lists lists.jsonl").code, 0);
  ASSERT_EQ(run("report f.jsonl --lists lists.jsonl -o report.html").code, 0);
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) GTEST_SKIP() << "built without npm";
  const json said = support::parsed_json(lines_of(run("compare --by policy --format json lists.jsonl").out).front());
  const std::string sentence = lines_of(run("compare --by policy lists.jsonl").out).front();
  const auto lines = lines_in(page);
  const auto drawn = std::ranges::find_if(
      lines, [](const json& line) { return line["schema"] == "recmeter.comparison/1" && line["a"]["policy"] == "random"; });
  ASSERT_NE(drawn, lines.end());
  expect_same_comparison(*drawn, said);
  EXPECT_TRUE((*drawn)["relative"].is_null()) << *drawn;
  EXPECT_LT((*drawn)["ci"][1].get<double>(), 0);
  EXPECT_EQ((*drawn)["words"], sentence);
}

TEST_F(ReportPage, takes_each_list_of_a_placeholder_user_as_one_of_a_user_of_its_own) {
  generate("--lists 4000 --users 600 --seed 7");
  scratch().put("nobody.jsonl", with_users(scratch().get("log.jsonl"), "anonymous"));
  scratch().put("variants.yaml",
                "join: {not_users: [anonymous]}\nsegments: [[variant]]\nmetrics: {names: [precision], cutoffs: [10]}\n");
  ASSERT_EQ(run("replay --config variants.yaml nobody.jsonl -o v.jsonl --lists lists.jsonl").code, 0);
  ASSERT_EQ(run("report v.jsonl --lists lists.jsonl -o report.html").code, 0);
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) GTEST_SKIP() << "built without npm";
  const auto lines = lines_in(page);
  const auto pair = std::ranges::find(lines, "recmeter.comparison/1", [](const json& line) { return line["schema"]; });
  ASSERT_NE(pair, lines.end());
  EXPECT_FALSE((*pair)["relative_ci"].is_null()) << *pair;
}

TEST_F(ReportPage, says_what_is_wrong_with_lists) {
  ASSERT_EQ(run("replay good.jsonl -o rows.jsonl --lists lists.jsonl").code, 0);
  const Ended none = run("report rows.jsonl --lists lists.jsonl -o report.html");
  EXPECT_EQ(none.code, 0) << "a log without arms has a page, too";
  EXPECT_NE(none.err.find("no segment key with two to ten values"), std::string::npos) << none.err;
  EXPECT_TRUE(std::filesystem::remove(scratch().path("report.html")));
  const Ended rows = run("report rows.jsonl --lists rows.jsonl -o report.html");
  EXPECT_EQ(rows.code, 1);
  EXPECT_NE(rows.err.find("rows.jsonl, line 1: this is not a list with its metrics"), std::string::npos) << rows.err;
  EXPECT_FALSE(std::filesystem::exists(scratch().path("report.html")));
}

TEST_F(ReportPage, takes_nothing_from_rows_as_markup) {
  const std::string hostile = "</script><img src=x onerror=alert(1)>";
  std::string row = lines_of(scratch().get("rows.jsonl")).front();
  const std::size_t at = row.find(R"("segment":{})");
  ASSERT_NE(at, std::string::npos);
  row.replace(at, 12, R"("segment":{"v":")" + hostile + R"("})");
  scratch().put("hostile.jsonl", row + "\n");
  const std::string page = run("report hostile.jsonl").out;
  EXPECT_EQ(page.find("<img"), std::string::npos);
  if (!has_charts(page)) return;
  const auto lines = lines_in(page);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0]["segment"]["v"], hostile);
}

TEST_F(ReportPage, refuses_what_is_no_row_and_says_which_line) {
  const std::string row = lines_of(scratch().get("rows.jsonl")).front();
  const auto refused = [&](const std::string& line, const std::string& why) {
    scratch().put("wrong.jsonl", row + "\n" + line + "\n" + row + "\n");
    const Ended ended = run("report wrong.jsonl -o old.json");
    EXPECT_EQ(ended.code, 1) << line;
    expect_clean_messages(ended.err);
    expect_says(ended, {"wrong.jsonl, row 2: ", why, "recmeter replay --output"});
    EXPECT_EQ(scratch().get("old.json"), "what stood there\n");
  };
  refused(row.substr(0, row.size() - 5), "it is no JSON object");
  refused("[1]", "it is no JSON object");
  refused("{}", "it has no schema");
  refused(R"({"schema":"recmeter.window/2"})", "its schema is recmeter.window/2, not recmeter.window/1");
  refused(impression(1, 0).substr(0, impression(1, 0).size() - 1), "it has no schema");
  for (const std::string key : {"window", "start", "horizon", "segment", "stage", "matured", "lists", "metrics"}) {
    auto without = support::parsed_ordered_json(row);
    without.erase(key);
    refused(without.dump(), "its " + key);
  }
}

TEST_F(ReportPage, refuses_inputs_and_outputs_that_cannot_be) {
  const auto refused = [&](const std::string& arguments, int code, const std::vector<std::string>& parts) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.code, code) << arguments << "\n" << ended.err;
    EXPECT_EQ(ended.out, "");
    expect_clean_messages(ended.err);
    expect_says(ended, parts);
  };
  refused("report", 2, {"ROWS"});
  refused("report nowhere.jsonl -o r.html", 1, {"nowhere.jsonl"});
  refused("report empty.jsonl -o r.html", 1, {"empty.jsonl has no row"});
  refused("report cut.gz -o r.html", 1, {"cut.gz"});
  refused("report rows.jsonl -o rows.jsonl", 2, {"rows.jsonl", "--output"});
  refused("report rows.jsonl -r run.json -o run.json", 2, {"run.json", "--output"});
  refused("report rows.jsonl -r good.jsonl -o r.html", 1, {"good.jsonl is not the report of a run"});
  refused("report rows.jsonl -r nowhere -o r.html", 1, {"nowhere"});
  refused("report rows.jsonl -o nowhere/r.html", 1, {"nowhere/r.html"});
  const auto names = scratch().names();
  EXPECT_EQ(std::find(names.begin(), names.end(), "r.html"), names.end());
}

TEST_F(ReportPage, has_the_curves_as_they_are) {
  ASSERT_EQ(run("replay good.jsonl -o rows.jsonl --curves curves.jsonl").code, 0);
  const Ended ended = run("report rows.jsonl --curves curves.jsonl -o report.html");
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) GTEST_SKIP() << "built without npm";
  std::string curves;
  for (const json& line : lines_in(page)) {
    if (line["schema"] == "recmeter.curve/1") curves += line.dump() + "\n";
  }
  std::string wanted;
  for (const std::string& line : lines_of(scratch().get("curves.jsonl"))) wanted += support::parsed_json(line).dump() + "\n";
  EXPECT_EQ(curves, wanted);
  const Ended wrong = run("report rows.jsonl --curves rows.jsonl -o other.html");
  EXPECT_EQ(wrong.code, 1);
  expect_says(wrong, {"rows.jsonl", "no line of recmeter.curve/1", "replay --curves"});
  const Ended other = run("report rows.jsonl --learning-curves curves.jsonl -o other.html");
  EXPECT_EQ(other.code, 1);
  expect_says(other, {"curves.jsonl", "no line of recmeter.learning_curve/1", "prequential --learning-curves"});
}

TEST_F(ReportPage, has_the_looks_at_experiments_as_they_are) {
  scratch().put("c.yaml", R"(join: {horizons: [30m]}
metrics: {cutoffs: [5], names: [hit_rate]}
experiments:
  - name: ranker
    arms: {key: variant, values: [A, B], control: A}
    start: 2023-11-14T02:00:00Z
    duration: 6h
    primary: [{metric: "hit_rate@5", mde: 0.05}]
)");
  generate("--lists 5000 --hours 9 --seed 3 --users 900");
  ASSERT_EQ(run("replay log.jsonl -c c.yaml -o of.jsonl --experiments looks.jsonl").code, 0);
  const Ended ended = run("report of.jsonl --experiments looks.jsonl -o report.html");
  EXPECT_EQ(ended.code, 0) << ended.err;
  const std::string page = scratch().get("report.html");
  if (!has_charts(page)) {
    EXPECT_NE(page.find("The looks at experiments, 6, are shown by recmeter compare"), std::string::npos);
    return;
  }
  std::vector<json> looks;
  for (json& line : lines_in(page)) {
    if (line["schema"] == "recmeter.experiment/1") looks.push_back(std::move(line));
  }
  ASSERT_EQ(looks.size(), 6U);
  EXPECT_EQ(looks[5], support::parsed_json(lines_of(scratch().get("looks.jsonl"))[5]));
  const Ended wrong = run("report of.jsonl --experiments of.jsonl -o other.html");
  EXPECT_EQ(wrong.code, 1);
  expect_says(wrong, {"of.jsonl, row 1: `schema` is missing or wrong"});
}

TEST_F(ReportPage, warns_of_rows_whose_values_should_not_be_compared) {
  auto other = support::parsed_ordered_json(lines_of(scratch().get("rows.jsonl")).front());
  other["config"] = "0123456789abcdef";
  scratch().put("mixed.jsonl", scratch().get("rows.jsonl") + other.dump() + "\n");
  const Ended ended = run("report mixed.jsonl -o report.html");
  EXPECT_EQ(ended.code, 0);
  expect_says(ended, {"mixed.jsonl has rows of 2 evaluators or configurations"});
}

TEST_F(ReportPage, has_recommenders_side_by_side_though_each_has_a_definition_of_its_own) {
  generate("--lists 600 --users 50 --seed 7");
  scratch().put("two.yaml", "recommenders: [{name: top, kind: popularity}, {name: knn, kind: item_knn}]\n");
  ASSERT_EQ(run("prequential -c two.yaml log.jsonl -f jsonl -o two.jsonl -r two.json").code, 0);
  const Ended alike = run("report two.jsonl --report two.json -o report.html");
  EXPECT_EQ(alike.code, 0);
  EXPECT_EQ(alike.err.find("configurations"), std::string::npos) << alike.err;
  scratch().put("other.yaml", "recommenders: [{name: top, kind: popularity, period: 1h}]\n");
  ASSERT_EQ(run("prequential -c other.yaml log.jsonl -f jsonl -o other.jsonl").code, 0);
  scratch().put("both.jsonl", scratch().get("two.jsonl") + scratch().get("other.jsonl"));
  expect_says(run("report both.jsonl -o report.html"), {"both.jsonl has rows of 2 evaluators or configurations"});
}

}  // namespace
}  // namespace recmeter::test
