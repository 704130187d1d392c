// The lists that were shown, judged beside recommenders that were not live; and a model of one's own without a package.
#include <fstream>
#include <regex>
#include <sstream>

#include "integration/cli/workplace.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

const std::string judged = R"(
windows: [{name: hour, size: 1h}, {name: all, size: all}]
metrics: {names: [precision, hit_rate, mrr, ndcg_list, distinct_items], cutoffs: [5]}
)";

class NewAgainstLive : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    generate("--lists 1500 --users 100 --items 200 --seed 3");
  }
  void configure(const std::string& name, const std::string& rules, const std::string& others) const {
    scratch().put(name, judged + rules + "recommenders:\n  - {name: live, kind: shown}" + others);
  }
  // Of all its lists.
  [[nodiscard]] std::vector<std::string> rows_of_live(const std::string& log) const {
    const Ended ended = run("prequential --format jsonl --config live.yaml " + log);
    EXPECT_EQ(ended.code, 0) << ended.err;
    std::vector<std::string> out;
    for (const std::string& row : lines_of(ended.out)) {
      if (row.find(R"("segment":{"recommender":"live"})") != std::string::npos) out.push_back(row);
    }
    return out;
  }
};

// Values and their intervals; not what names the run.
std::string values_of(const std::string& row) {
  const json parsed = support::parsed_json(row);
  return json{parsed["start"], parsed["lists"], parsed["metrics"]}.dump();
}

TEST_F(NewAgainstLive, judges_the_lists_that_were_shown_as_a_replay_does) {
  // Rows of which some never came, and whole lists; actions that name no list.
  static const std::regex named(R"re(("type":"(?:click|purchase)".*),"list_id":"[^"]*")re");
  const std::string unnamed = std::regex_replace(scratch().get("log.jsonl"), named, "$1");
  scratch().put(
      "pieces.jsonl", unnamed + [] {
        std::string rows;
        for (int list = 0; list < 40; ++list) {
          for (const int rank : {1, 2, 4, 5}) {
            if (list % 3 == 0 && rank == 2) continue;
            rows += R"({"type":"impression","ts":)" + std::to_string(start_ms + list * 60'000 + rank) + R"(,"list_id":"p)" +
                    std::to_string(list) + R"(","user_id":"p)" + std::to_string(list % 7) + R"(","item_id":"i)" +
                    std::to_string(rank) + R"(","position":)" + std::to_string(rank) + "}\n";
          }
          rows += R"({"type":"click","ts":)" + std::to_string(start_ms + list * 60'000 + 9'000) + R"(,"user_id":"p)" +
                  std::to_string(list % 7) + R"(","item_id":"i)" + std::to_string(1 + list % 5) + "\"}\n";
        }
        return rows;
      }());
  const std::string rules = "join: {horizons: [30m], credit: every_touch, skew: 0s}\n";
  configure("live.yaml", rules, "\n  - {name: top, kind: popularity}\n");
  scratch().put("replay.yaml", judged + rules);
  std::vector<std::string> judged_lists, replayed_lists;
  for (const std::string& row : rows_of_live("pieces.jsonl")) judged_lists.push_back(values_of(row));
  const Ended replayed = run("replay --format jsonl --config replay.yaml pieces.jsonl");
  ASSERT_EQ(replayed.code, 0) << replayed.err;
  for (const std::string& row : lines_of(replayed.out)) {
    if (!row.empty() && support::parsed_json(row)["segment"].empty()) replayed_lists.push_back(values_of(row));
  }
  EXPECT_GT(judged_lists.size(), 5U);
  EXPECT_EQ(judged_lists, replayed_lists);
}

TEST_F(NewAgainstLive, ends_with_a_league_of_new_ones_against_what_was_live) {
  configure("live.yaml", "", "\n  - {name: top, kind: popularity}\n  - {name: any, kind: random}\n");
  const Ended ended = run("prequential --format table --config live.yaml --report run.json log.jsonl");
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::size_t league = ended.out.find("recommender  ");
  ASSERT_NE(league, std::string::npos) << ended.out;
  const std::string text = ended.out.substr(league);
  EXPECT_NE(text.find("against live"), std::string::npos) << text;
  for (const char* name : {"\nlive ", "\ntop ", "\nany "}) EXPECT_NE(text.find(name), std::string::npos) << text;
  EXPECT_NE(text.find("100 %\n"), std::string::npos) << "of what was shown all is judged: " << text;
  EXPECT_NE(text.find("were on the list shown then"), std::string::npos) << text;
  const json report = support::parsed_json(scratch().get("run.json"));
  for (const json& one : report["prequential"]["recommenders"]) {
    const double share = one["judged_share"]["5"];
    if (one["name"] == "live") {
      EXPECT_EQ(share, 1);
    } else {
      EXPECT_LT(share, 0.9) << one["name"];
    }
  }
  const Ended other = run("prequential --format table --config live.yaml --control top log.jsonl");
  EXPECT_NE(other.out.find("against top"), std::string::npos) << other.out;
}

TEST_F(NewAgainstLive, is_judged_at_a_rank_that_both_fill) {
  generate("--lists 1500 --users 100 --items 200 --seed 3 --list-length 5");
  const std::string others = "\n  - {name: top, kind: popularity}\n";
  const std::string cutoffs = "metrics: {names: [precision, mrr, ndcg_list], cutoffs: [5, 10]}\n";
  const auto asked = [&](const std::string& rules) {
    scratch().put("live.yaml",
                  "windows: [{name: all, size: all}]\n" + rules + "recommenders:\n  - {name: live, kind: shown}" + others);
    return run("prequential --format table --config live.yaml log.jsonl").out;
  };
  const std::string both = asked(cutoffs);
  EXPECT_NE(both.find("precision@5"), std::string::npos) << both;
  EXPECT_EQ(both.find("precision@10"), std::string::npos) << both;
  EXPECT_NE(both.find("The table ends at rank 5: most lists of live are no longer.\n"), std::string::npos) << both;
  const std::string ten = asked("metrics: {names: [precision, mrr, ndcg_list], cutoffs: [10]}\n");
  EXPECT_NE(ten.find("Most of its lists end before rank 10, where it can only lose"), std::string::npos) << ten;
  // Those that order what was shown have its items, so that precision says nothing.
  const std::string ordered = asked(cutoffs + "prequential: {at: impressions, candidates: list, exclude: none, length: 5}\n");
  EXPECT_NE(ordered.find("\nrecommender  ndcg_list@5"), std::string::npos) << ordered;
  EXPECT_EQ(ordered.find("The table ends"), std::string::npos) << ordered;
  generate("--lists 1500 --users 100 --items 200 --seed 3 --list-length 10");
  const std::string short_ones = asked(cutoffs + "prequential: {length: 5}\n");
  EXPECT_NE(short_ones.find("The table ends at rank 5: recommenders fill no more (prequential.length).\n"), std::string::npos)
      << short_ones;
}

// As a user without a compiler has it: the program, Python, and the page of the manual.
TEST_F(NewAgainstLive, the_example_of_the_manual_runs_with_the_client_that_is_printed) {
  std::ifstream page(RECMETER_SOURCE_DIR "/docs/recommenders.md");
  std::stringstream text;
  text << page.rdbuf();
  const std::string manual = text.str();
  const std::size_t begin = manual.find("# model.py\n");
  ASSERT_NE(begin, std::string::npos);
  scratch().put("model.py", manual.substr(begin, manual.find("```", begin) - begin));
  const Ended client = run("recommenders --client python");
  ASSERT_EQ(client.code, 0) << client.err;
  scratch().put("recmeter_client.py", client.out);
  configure("live.yaml", "", "\n  - {name: ours, kind: process, command: [python3, model.py]}\n");
  const Ended ended = run("prequential --format table --config live.yaml log.jsonl");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("\nours "), std::string::npos) << ended.out;
}

// A model that knows nothing but the page: without it its lists are empty.
TEST_F(NewAgainstLive, a_request_says_of_its_list_what_is_named) {
  std::string log;
  for (int list = 0; list < 200; ++list) {
    const std::string user = R"(","user_id":"u)" + std::to_string(list % 40), page = "p" + std::to_string(list % 5);
    const std::string at = std::to_string(start_ms + list * 60'000), after = std::to_string(start_ms + list * 60'000 + 9'000);
    log += R"({"type":"impression","ts":)" + at + R"(,"list_id":"l)" + std::to_string(list) + user +
           R"(","items":["a","b"],"segments":{"page":")" + page + R"("}})" + "\n" + R"({"type":"click","ts":)" + after +
           R"(,"list_id":"l)" + std::to_string(list) + user + R"(","item_id":")" + page + "\"}\n";
  }
  scratch().put("pages.jsonl", log);
  scratch().put("recmeter_client.py", run("recommenders --client python").out);
  scratch().put("model.py",
                "from recmeter_client import serve\n"
                "def lists(requests):\n"
                "    return [[request['context']['page']] if request.get('context', {}).get('list_id', '').startswith('l')"
                " else [] for request in requests]\n"
                "serve(lists)\n");
  const std::string ours = "\n  - {name: ours, kind: process, command: [python3, model.py]}\n";
  const auto hits = [&] {
    for (const std::string& row : lines_of(run("prequential --format jsonl --config live.yaml pages.jsonl").out)) {
      const bool is_whole = row.find(R"("window":"all")") != std::string::npos;
      if (!is_whole || row.find(R"("segment":{"recommender":"ours"})") == std::string::npos) continue;
      return support::parsed_json(row)["metrics"]["hit_rate@5"]["value"].get<double>();
    }
    return -1.0;
  };
  configure("live.yaml", "prequential: {exclude: none, context: [list_id, page]}\n", ours);
  EXPECT_GT(hits(), 0.9);
  configure("live.yaml", "prequential: {exclude: none}\n", ours);
  EXPECT_EQ(hits(), 0);
}

TEST_F(NewAgainstLive, is_said_to_be_of_prequential_alone) {
  configure("live.yaml", "", "\n");
  const Ended ended = run("replay --format jsonl --config live.yaml log.jsonl");
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("recmeter prequential judges them"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace recmeter::test
