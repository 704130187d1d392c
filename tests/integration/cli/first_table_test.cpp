// The first table of `recmeter replay`: one screen with an answer, as users see it.
#include <set>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

class FirstTable : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    ASSERT_EQ(run("generate --lists 3000 --days 2 --users 500 --seed 3 --quiet -o log.jsonl").code, 0);
    scratch().put("c.yaml", "segments: [[variant]]\n");
  }
  static std::string last_line(const std::string& text) { return lines_of(text).back(); }
  // How the arms compare.
  static std::string answer(const std::string& text) {
    for (const std::string& line : lines_of(text)) {
      if (line.find(" against ") != std::string::npos) return line;
    }
    return "";
  }
  Ended table(const std::string& options = "", const std::string& columns = "") {
    Call made = call("replay -c c.yaml log.jsonl --format table " + options);
    if (!columns.empty()) made.environment = {{"COLUMNS", columns}};
    return test::run(made);
  }
};

std::size_t characters(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & '\xC0') != '\x80'; }));
}

TEST_F(FirstTable, fits_one_screen_of_any_width) {
  for (const std::size_t width : {80U, 100U, 140U}) {
    const Ended ended = table("", std::to_string(width));
    EXPECT_EQ(ended.code, 0) << ended.err;
    const auto lines = lines_of(ended.out);
    EXPECT_LE(lines.size(), 24U) << ended.out;
    for (const std::string& line : lines) EXPECT_LE(characters(line), width) << line;
    for (const char* shown :
         {"precision@10", "hit_rate@10", "mrr@10", "variant=A", "variant=B", "2023-11-14", "2023-11-15"}) {
      EXPECT_NE(ended.out.find(shown), std::string::npos) << shown << "\n" << ended.out;
    }
    for (const char* not_shown : {"precision@5", "map_list", "window hour, horizon"}) {
      EXPECT_EQ(ended.out.find(not_shown), std::string::npos) << not_shown << "\n" << ended.out;
    }
  }
}

TEST_F(FirstTable, is_100_wide_in_a_pipe_and_whole_with_all) {
  EXPECT_EQ(table().out, table("", "100").out);
  const Ended all = table("--all");
  for (const char* shown : {"precision@5", "map_list@10", "window hour, horizon 30m"}) {
    EXPECT_NE(all.out.find(shown), std::string::npos) << shown;
  }
}

TEST_F(FirstTable, ends_with_what_compare_says_of_the_arms) {
  const Ended ended = table("--lists lists.jsonl --threads 2");
  const auto pairs = run("compare --by variant --control A --format json lists.jsonl");
  for (const std::string& line : lines_of(pairs.out)) {
    const auto pair = support::parsed_json(line);
    if (pair["metric"] != "precision@10") continue;
    const auto percent = [](const auto& value) { return 100 * value.template get<double>(); };
    const double low = percent(pair["relative"]["ci"][0]);
    ASSERT_GT(low, 0) << "the seed makes B better, a little";
    char text[80];
    std::snprintf(text, sizeof text, "B against A: precision@10 %+.1f %% (%+.1f to %+.1f), better at this one look",
                  percent(pair["relative"]["value"]), low, percent(pair["relative"]["ci"][1]));
    EXPECT_TRUE(answer(ended.out).starts_with(text)) << text << "\n" << ended.out;
    return;
  }
  FAIL() << pairs.out;
}

TEST_F(FirstTable, leads_to_compare_which_says_the_same_number) {
  const Ended ended = table();
  ASSERT_EQ(last_line(ended.out), "More: recmeter compare --config c.yaml --by variant log.jsonl") << ended.out;
  const Ended compared = run(last_line(ended.out).substr(std::string_view("More: recmeter ").size()));
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_EQ(lines_of(compared.out).front(), answer(ended.out));
  scratch().put("c.yaml", R"(segments: [[variant]]
experiments:
  - {name: x, arms: {key: variant, values: [A, B], control: A}, start: 2023-11-14T00:00:00Z, duration: 1d,
     primary: [{metric: "precision@10", mde: 0.05}]}
)");
  EXPECT_EQ(last_line(table().out), "More: recmeter compare --config c.yaml log.jsonl") << "its verdict counts";
}

TEST_F(FirstTable, compares_nothing_without_a_control_or_within_another_range) {
  scratch().put("c.yaml", "segments: [[surface], [country]]\n");
  EXPECT_EQ(table().out.find("against"), std::string::npos) << "a surface is no arm";
  scratch().put("c.yaml", "segments: [[surface]]\n");
  EXPECT_NE(table().out.find("search against home: precision@10 "), std::string::npos) << "the only key, of two values";
  scratch().put("c.yaml", "segments: [[variant]]\n");
  ASSERT_EQ(run("generate --lists 300 --segment-values 3 --quiet -o log.jsonl").code, 0);
  EXPECT_EQ(table().out.find("against"), std::string::npos) << "none is called as controls are";
  EXPECT_NE(table("--to 2023-11-14T12:00:00Z").out.find("Lists of 2023-11-14 00:0"), std::string::npos);
}

TEST_F(FirstTable, compares_the_lists_of_the_range_alone) {
  const std::string whole = answer(table().out);
  const std::string half = answer(table("--to 2023-11-15T00:00:00Z").out);
  EXPECT_TRUE(half.starts_with("B against A: precision@10 ")) << half;
  EXPECT_NE(half, whole);
}

// Several horizons, segments and windows: as the table of a replay, but for the arms, whose lists a merge has not.
TEST_F(FirstTable, of_a_merge_answers_in_one_screen_too) {
  for (const char* part : {"0", "1"}) {
    const std::string command = std::string("replay -c c.yaml --part ") + part + "/2 --partials " + part + ".rmp log.jsonl";
    ASSERT_EQ(run(command).code, 0);
  }
  const Ended merged = run("merge 0.rmp 1.rmp --format table");
  EXPECT_EQ(merged.code, 0) << merged.err;
  const std::string replayed = table().out;
  EXPECT_EQ(replayed.substr(0, merged.out.size()), merged.out) << replayed;
  EXPECT_TRUE(answer(replayed).starts_with("B against A")) << replayed;
  EXPECT_NE(run("merge 0.rmp 1.rmp --format table --all").out.find("window hour, horizon 30m"), std::string::npos);
}

TEST_F(FirstTable, of_recommenders_answers_in_one_screen_too) {
  scratch().put("p.yaml",
                "segments: [[variant]]\nprequential: {length: 7}\n"
                "recommenders: [{name: top, kind: popularity}, {name: knn, kind: item_knn}]\n");
  const Ended ended = run("prequential -c p.yaml log.jsonl --format table");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_LE(lines_of(ended.out).size(), 24U) << ended.out;
  for (const char* shown : {"precision@5", "recommender=top", "recommender=knn", "(--all)"}) {
    EXPECT_NE(ended.out.find(shown), std::string::npos) << shown << "\n" << ended.out;
  }
  EXPECT_EQ(ended.out.find("precision@10"), std::string::npos) << "no list has ten items: " << ended.out;
  EXPECT_NE(ended.out.find("  against top, absolute  "), std::string::npos) << "the first is the control: " << ended.out;
  EXPECT_TRUE(last_line(ended.out).starts_with("More: recmeter report rows.jsonl --lists lists.jsonl")) << ended.out;
  const Ended turned = run("prequential -c p.yaml log.jsonl --format table --control knn --lists lists.jsonl");
  EXPECT_NE(turned.out.find("  against knn, absolute  "), std::string::npos) << turned.out << turned.err;
  EXPECT_EQ(last_line(turned.out), "More: recmeter compare --by recommender lists.jsonl");
  const Ended compared = run("compare --by recommender --control knn lists.jsonl");
  const std::string said = lines_of(compared.out).front();
  const std::string change = said.substr(0, said.find(" (")).substr(std::string("top against knn: precision@5 ").size());
  EXPECT_NE(turned.out.find("  " + change + "  "), std::string::npos) << "the same lists by the same code: " << said;
  expect_says(run("prequential -c p.yaml log.jsonl --control none"), {"there is no recommender none", "top, knn"});
  EXPECT_NE(run("prequential -c p.yaml log.jsonl --format table --all").out.find("precision@10"), std::string::npos);
}

// A day of two arms that are called neither control nor otherwise, of a key that is not called like one.
TEST_F(FirstTable, compares_the_only_two_values_of_the_only_key) {
  std::string log;
  for (int list = 0; list < 400; ++list) {
    const std::string id = std::to_string(list), ts = std::to_string(1'700'000'000'000 + list * 60'000LL);
    log += R"({"type":"impression","ts":)" + ts + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + id +
           R"(","items":["a","b"],"segments":{"page":")" + (list % 2 == 0 ? "blue" : "red") + "\"}}\n";
    if (list % 5 < 2) {
      log +=
          R"({"type":"click","ts":)" + ts + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + id + R"(","item_id":"a"})" + "\n";
    }
  }
  scratch().put("log.jsonl", log);
  scratch().put("c.yaml", "segments: [[page]]\n");
  const Ended ended = table();
  EXPECT_NE(ended.out.find("red against blue: precision@1 "), std::string::npos) << ended.out << ended.err;
  EXPECT_EQ(last_line(ended.out), "More: recmeter compare --config c.yaml --by page log.jsonl");
  EXPECT_EQ(ended.out.find("The log ends less"), std::string::npos) << "actions have the time of their list: " << ended.out;
}

TEST_F(FirstTable, compares_nothing_where_no_action_was_read) {
  std::string lists;
  for (const std::string& line : lines_of(scratch().get("log.jsonl"))) {
    if (line.find(R"("impression")") != std::string::npos) lists += line + "\n";
  }
  scratch().put("log.jsonl", lists);
  const Ended ended = table();
  EXPECT_EQ(ended.out.find("against"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("The log ends less"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("No action was read"), std::string::npos) << ended.out;
  expect_says(run("compare --by variant log.jsonl"), {"nothing to compare: no list was acted on"});
}

// Lists an hour apart: max_step holds the clock back, and nearly all are truncated; the log ends too early for the last
// alone.
TEST_F(FirstTable, says_that_lists_without_an_action_may_be_missing) {
  EXPECT_EQ(table().out.find("Every list was acted on"), std::string::npos);
  std::string log;
  for (int i = 0; i < 30; ++i) log += impression(i, i * 1000) + click(i, i * 1000 + 500);
  scratch().put("log.jsonl", log);
  EXPECT_NE(table().out.find("Every list was acted on: others may be missing in the log"), std::string::npos);
  scratch().put("log.jsonl", log + impression(99, 99'000));
  EXPECT_EQ(table().out.find("Every list was acted on"), std::string::npos);
}

TEST_F(FirstTable, says_the_share_of_lists_that_the_log_itself_cuts) {
  std::string log;
  const auto at = [](std::int64_t ms) { return std::to_string(1'700'000'000'000 + ms); };
  for (int list = 0; list < 40; ++list) {
    const std::string id = std::to_string(list), user = std::to_string(list % 12);
    log += R"({"type":"impression","ts":)" + at(list * 7'200'000LL) + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + user +
           R"(","items":["a","b"]})" + "\n";
    log += R"({"type":"click","ts":)" + at(list * 7'200'000LL + 60'000) + R"(,"list_id":"l)" + id + R"(","user_id":"u)" +
           user + R"(","item_id":"a"})" + "\n";
  }
  scratch().put("log.jsonl", log);
  const Ended ended = run("replay log.jsonl --format table");
  EXPECT_NE(
      ended.out.find("The log ends less than 30m after 2.5 % of these lists: they had less time for actions. Other rows\n"
                     "are not final, since"),
      std::string::npos)
      << ended.out;
  EXPECT_NE(ended.out.find("(set time.max_step: 119m); their values hold."), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("No margin of error: too few users (12; 25 to 30 are needed)."), std::string::npos) << ended.out;
}

// Lists of one item each, of which a third stands at each of the ranks 1 to 3, and one in ten is acted on.
TEST_F(FirstTable, looks_as_far_as_items_are_acted_on) {
  std::string log;
  const auto at = [](std::int64_t ms) { return std::to_string(1'700'000'000'000 + ms); };
  for (int list = 0; list < 900; ++list) {
    const std::string id = std::to_string(list), user = std::to_string(list % 300);
    log += R"({"type":"impression","ts":)" + at(list * 10'000LL) + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + user +
           R"(","item_id":"a","position":)" + std::to_string(1 + list % 3) + "}\n";
    if (list % 10 != 0) continue;
    log += R"({"type":"click","ts":)" + at(list * 10'000LL + 5'000) + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + user +
           R"(","item_id":"a"})" + "\n";
  }
  scratch().put("log.jsonl", log);
  scratch().put("c.yaml",
                "windows: [{name: all, size: all}]\nmetrics: {names: [precision, hit_rate], cutoffs: [1, 5, 10]}\n");
  const std::string all = run("replay -c c.yaml log.jsonl --format table").out;
  EXPECT_NE(all.find("hit_rate@5"), std::string::npos) << all;
  EXPECT_NE(all.find("0.100"), std::string::npos) << all;
  EXPECT_EQ(all.find("do not look"), std::string::npos) << all;
  scratch().put("c.yaml", "windows: [{name: all, size: all}]\nmetrics: {names: [precision, hit_rate], cutoffs: [1]}\n");
  const std::string one = run("replay -c c.yaml log.jsonl --format table").out;
  EXPECT_NE(one.find("60 of 90 items acted on stood below rank 1, where metrics @1 do not look.\n"), std::string::npos)
      << one;
}

TEST_F(FirstTable, says_that_the_order_of_lists_is_lost) {
  const auto said = [this](bool is_shuffled) {
    std::string log;
    const auto at = [](std::int64_t ms) { return std::to_string(1'700'000'000'000 + ms); };
    for (int list = 0; list < 5000; ++list) {
      const std::string id = std::to_string(list), user = std::to_string(list % 700);
      const int acted = is_shuffled ? list % 8 : list % 10 % 8;
      log += R"({"type":"impression","ts":)" + at(list * 1'000LL) + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + user +
             R"(","items":["0","1","2","3","4","5","6","7"]})" + "\n";
      log += R"({"type":"click","ts":)" + at(list * 1'000LL + 500) + R"(,"list_id":"l)" + id + R"(","user_id":"u)" + user +
             R"(","item_id":")" + std::to_string(acted) + "\"}\n";
    }
    scratch().put("log.jsonl", log);
    return run("replay -c c.yaml log.jsonl --format table")
               .out.find(
                   "Believe no metric of ranks: 50 % of the items acted on stood in the first half of their list, by chance "
                   "50 %, so "
                   "the order shown is lost.\n") != std::string::npos;
  };
  EXPECT_TRUE(said(true));
  EXPECT_FALSE(said(false));
}

TEST_F(FirstTable, says_once_that_rows_in_a_pipe_are_json) {
  const auto times_said = [this](const std::string& options) {
    const std::string command =
        "cd " + scratch().path("") + " && " + RECMETER_PROGRAM + " replay log.jsonl " + options + " 2>err.txt | cat >out.txt";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    const std::string text = scratch().get("err.txt");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("rows are JSON lines", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(times_said(""), 1U);
  EXPECT_EQ(times_said("--format jsonl"), 0U);
  EXPECT_EQ(times_said("--format csv"), 0U);
  EXPECT_EQ(times_said("--format table"), 0U);
  EXPECT_EQ(times_said("-o rows.jsonl"), 0U);
  EXPECT_EQ(run("replay log.jsonl").err.find("rows are JSON lines"), std::string::npos) << "a file is no pipe";
  EXPECT_EQ(run("replay log.jsonl").out, run("replay log.jsonl --format jsonl").out);
}

}  // namespace
}  // namespace recmeter::test
