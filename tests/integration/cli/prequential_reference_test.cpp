// MovieLens 100K judged as programs written apart from this one judge it. The file is fetched by whoever
// tests (grouplens.org/datasets/movielens/100k) and named by RECMETER_ML100K.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "integration/cli/workplace.h"
#include "support/effort.h"
#include "support/parsed_json.h"

namespace recmeter::test {
namespace {

using nlohmann::json;

struct Expected {
  std::uint64_t hits;
  double hit_rate, mrr;
};

class PrequentialOfMovieLens : public Workplace {
 protected:
  void SetUp() override {
    Workplace::SetUp();
    const char* const path = std::getenv("RECMETER_ML100K");
    if (path == nullptr) GTEST_SKIP() << "RECMETER_ML100K names no u.data of MovieLens 100K";
    std::ifstream file(path);
    std::string user, item, rating, seconds;
    while (file >> user >> item >> rating >> seconds) {
      ratings_.emplace_back(std::stoll(seconds) * 1000, user, item, rating);
    }
    ASSERT_EQ(ratings_.size(), 100'000U) << path;
    std::sort(ratings_.begin(), ratings_.end());
  }

  [[nodiscard]] std::string log_of(std::size_t count) const {
    std::ostringstream out;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& [ts, user, item, rating] = ratings_[i];
      out << R"({"type":"rating","ts":)" << ts << R"(,"user_id":")" << user << R"(","item_id":")" << item << R"(","value":)"
          << rating << "}\n";
    }
    return out.str();
  }

  // Rows of the whole log, by recommender.
  [[nodiscard]] std::map<std::string, json> judged(const std::string& log, const std::string& rules,
                                                   const std::string& recommenders, std::string& said) const {
    scratch().put("log.jsonl", log);
    scratch().put("rules.yaml",
                  "join: {horizons: [1ms], assemble: 0s, actions: {rating: {gain: 1}}}\n"
                  "time: {max_step: 0s}\nwindows: [{name: all, size: all}]\n"
                  "metrics: {names: [hit_rate, mrr, {name: recall, unit: pooled}], cutoffs: [10]}\n" +
                      rules + "recommenders:\n" + recommenders);
    const Ended ended = run(std::string("prequential --config rules.yaml log.jsonl --format jsonl") +
                            (learning_curves_ ? " --learning-curves curves.jsonl" : ""));
    EXPECT_EQ(ended.code, 0) << ended.err;
    said = ended.err;
    std::map<std::string, json> out;
    for (const std::string& line : lines_of(ended.out)) {
      if (line.empty()) continue;
      json row = support::parsed_json(line);
      out[row["segment"]["recommender"]] = row;
    }
    return out;
  }

  static void expect(const std::map<std::string, json>& rows, const std::map<std::string, Expected>& values, double targets,
                     std::uint64_t lists) {
    for (const auto& [name, expected] : values) {
      const json& metrics = rows.at(name)["metrics"];
      EXPECT_EQ(rows.at(name)["lists"], lists);
      EXPECT_NEAR(metrics["recall@10/pooled"]["value"].get<double>(), static_cast<double>(expected.hits) / targets, 1e-12)
          << name;
      EXPECT_NEAR(metrics["hit_rate@10"]["value"].get<double>(), expected.hit_rate, 1e-9) << name;
      EXPECT_NEAR(metrics["mrr@10"]["value"].get<double>(), expected.mrr, 1e-9) << name;
    }
  }

  bool learning_curves_ = false;
  std::vector<std::tuple<std::int64_t, std::string, std::string, std::string>> ratings_;  // by time, user, item
};

constexpr const char* all_recommenders =
    "  - {name: random, kind: random}\n  - {name: popularity, kind: popularity}\n"
    "  - {name: week, kind: popularity, period: 7d}\n  - {name: recency, kind: recency}\n"
    "  - {name: covisit, kind: covisit}\n  - {name: nearest, kind: item_knn}\n"
    "  - {name: all, kind: item_knn, k: 0}\n  - {name: isgd, kind: isgd, seed: 1}\n";

TEST_F(PrequentialOfMovieLens, begins_as_others_found_it) {
  std::string said;
  const auto rows = judged(log_of(5000), "", all_recommenders, said);
  EXPECT_NE(said.find("of 5000 targets 80.4 % could be recommended"), std::string::npos) << said;
  expect(rows,
         {{"random", {73, 0.028779895, 0.008430971}},
          {"popularity", {329, 0.124037292, 0.044221502}},
          {"week", {329, 0.124037292, 0.044221502}},
          {"recency", {86, 0.032833401, 0.011051113}},
          {"covisit", {364, 0.133360357, 0.049962039}},
          {"nearest", {342, 0.126874747, 0.040082743}},
          {"all", {387, 0.140251317, 0.048649636}},
          {"isgd", {82, 0.032833401, 0.010307970}}},
         5000, 2467);
}

TEST_F(PrequentialOfMovieLens, hits_by_the_day_what_others_found) {
  std::string said;
  const auto rows = judged(log_of(5000), "prequential: {step: 1d}\n",
                           "  - {name: popularity, kind: popularity}\n  - {name: nearest, kind: item_knn}\n", said);
  EXPECT_NEAR(rows.at("popularity")["metrics"]["recall@10/pooled"]["value"].get<double>(), 290.0 / 5000, 1e-12);
  EXPECT_NEAR(rows.at("nearest")["metrics"]["recall@10/pooled"]["value"].get<double>(), 285.0 / 5000, 1e-12);
}

TEST_F(PrequentialOfMovieLens, goes_on_as_others_found_it) {
  if (!support::at_length()) GTEST_SKIP() << "all 100,000 ratings: RECMETER_LONG=1";
  std::string said;
  learning_curves_ = true;
  const auto rows = judged(log_of(100'000), "",
                           "  - {name: popularity, kind: popularity}\n  - {name: week, kind: popularity, period: 7d}\n"
                           "  - {name: recency, kind: recency}\n  - {name: covisit, kind: covisit}\n"
                           "  - {name: isgd, kind: isgd, seed: 1}\n",
                           said);
  EXPECT_NE(said.find("of 100000 targets 98.3 % could be recommended"), std::string::npos) << said;
  expect(rows,
         {{"popularity", {7634, 0.138332086, 0.047735015}},
          {"week", {7122, 0.126438642, 0.045846862}},
          {"recency", {2101, 0.040474120, 0.012606781}},
          {"covisit", {13731, 0.233843727, 0.090341184}},
          {"isgd", {5192, 0.095268917, 0.031495988}}},
         100'000, 49'439);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> popularity;  // hits and targets by user_events
  for (const std::string& line : lines_of(scratch().get("curves.jsonl"))) {
    if (line.empty()) continue;
    const json point = support::parsed_json(line);
    if (point["recommender"] == "popularity" && point["by"] == "user_events") {
      popularity.emplace_back(point["hits"], point["targets"]);
    }
  }
  using Buckets = decltype(popularity);
  EXPECT_EQ(popularity,
            (Buckets{{383, 2135}, {515, 3366}, {604, 4758}, {1117, 9432}, {1860, 20808}, {1430, 21697}, {1725, 37804}}));
}

}  // namespace
}  // namespace recmeter::test
