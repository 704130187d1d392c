// NIST's trec_eval on its own test data, against our engine from bytes to rows: equal to every digit it prints.
//
// What can be matched, and as what (R: relevant documents of the topic, n: documents retrieved):
//   P_k            precision@k          also when k > n: both divide by k
//   set_P, Rprec   precision@n, precision@R
//   recip_rank     mrr@1000             trec_eval does not cut it; 1000 lies beyond every list
//   map, infAP     map_user@1000        with `ap_denominator: relevant`; infAP is map where no judgment is a sample
//   map_cut_k      map_user@k           likewise: trec_eval divides by R, not by min(R, k)
//   ndcg           ndcg_user@1000       1000 lies beyond every list and every R
//   ndcg_cut_k     ndcg_user@k
//   recall_k, set_recall    recall@k, recall@n
//   success_k      hit_rate@k
//   set_F          f1@n
//
// What cannot, and why: bpref, gm_bpref, unj_k, num_nonrel_judged_ret tell judged from unjudged documents, and feedback is
// unary: not clicked is not "judged not relevant". iprec_at_recall and 11pt_avg interpolate, rbp, utility, G, binG, Rndcg,
// ndcg_rel, relative_P, set_map, Rprec_mult are measures recmeter does not have; gm_map is a mean of another kind (geometric,
// with trec_eval's own floor). num_* are counts of the input, not of a list.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gzip_file.h"
#include "support/engine_run.h"
#include "support/parsed_json.h"
#include "support/shared_data.h"
#include "trec_run.h"

namespace recmeter::conformance {
namespace {

using support::EngineResult;
using support::has_shared_data;
using support::shared_data;

constexpr std::int64_t hour_ms = 1'699'999'200'000;
constexpr std::uint32_t uncut = 1000;

// As trec_eval prints, "%6.4f".
std::string printed(double value) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.4f", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

// trec_eval's name -> ours; with `R` for the number of relevant documents of the topic.
std::vector<std::pair<std::string, std::string>> names_per_topic() {
  std::vector<std::pair<std::string, std::string>> names{
      {"recip_rank", "mrr@1000"}, {"map", "map_user@1000"},     {"infAP", "map_user@1000"}, {"ndcg", "ndcg_user@1000"},
      {"set_P", "precision@500"}, {"set_recall", "recall@500"}, {"set_F", "f1@500"},
  };
  for (const int k : {5, 10, 15, 20, 30, 100, 200, 500, 1000}) {
    const std::string cut = std::to_string(k);
    names.emplace_back("P_" + cut, "precision@" + cut);
    names.emplace_back("recall_" + cut, "recall@" + cut);
    names.emplace_back("map_cut_" + cut, "map_user@" + cut);
    names.emplace_back("ndcg_cut_" + cut, "ndcg_user@" + cut);
  }
  for (const int k : {1, 5, 10}) names.emplace_back("success_" + std::to_string(k), "hit_rate@" + std::to_string(k));
  return names;
}

EvaluatorSpec trec_spec(const std::vector<TrecTopic>& topics) {
  EvaluatorSpec spec;
  spec.join.horizons = {Duration{30'000}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.time.max_step = Duration{0};
  spec.windows = {{.name = "topic", .size = {60'000}, .slide = {60'000}, .offset = {0}},
                  {.name = "all", .size = {3'600'000}, .slide = {3'600'000}, .offset = {0}}};
  spec.limits.list_items = uncut;
  spec.metrics.cutoffs = {1, 5, 10, 15, 20, 30, 100, 200, 500, uncut};
  for (const TrecTopic& topic : topics) {
    const auto r = static_cast<std::uint32_t>(topic.relevant.size());
    if (std::find(spec.metrics.cutoffs.begin(), spec.metrics.cutoffs.end(), r) == spec.metrics.cutoffs.end()) {
      spec.metrics.cutoffs.push_back(r);
    }
  }
  const MetricOptions options{.gain = GainKind::linear, .ap_denominator = ApDenominator::relevant, .beta = 2};
  for (const char* name : {"precision", "mrr", "map_user", "ndcg_user", "recall", "hit_rate", "f1"}) {
    spec.metrics.requests.push_back({.name = name, .as = {}, .options = options});
  }
  return spec;
}

class TrecEval : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_shared_data("trec_eval/results.test")) {
      GTEST_SKIP() << "SKIPPED: no trec_eval data at " << shared_data("trec_eval") << "; set RECMETER_SHARED_DATA";
    }
    topics_ = parse_trec(text_of("results.test"), text_of("qrels.test"));
    ASSERT_EQ(topics_.size(), 3U);
    const EvaluatorSpec spec = trec_spec(topics_);
    const std::vector<support::BatchInput> inputs{
        {"trec", trec_events(topics_, hour_ms), FieldTable::native(), Duration{60'000}}};
    result_ = support::run_engine(spec, inputs, {.shards = 2, .lists = true});
  }

  static std::string text_of(const std::string& name) { return whole_file(shared_data("trec_eval/" + name)).value_or(""); }

  // metric -> value in the row of the window that starts at `start_ms`.
  [[nodiscard]] std::map<std::string, double> values(const std::string& window, std::int64_t start_ms) const {
    std::map<std::string, double> out;
    for (const Row& row : result_.rows) {
      if (row.window != window || row.start.ms != start_ms) continue;
      for (const MetricValue& metric : row.metrics) out[metric.key] = metric.value.value();
    }
    return out;
  }

  std::vector<TrecTopic> topics_;
  EngineResult result_;
};

TEST_F(TrecEval, agrees_on_every_topic_to_the_printed_digits) {
  const TrecAnswers answers = parse_trec_answers(text_of("out.test.aq"));
  for (std::size_t i = 0; i < topics_.size(); ++i) {
    const TrecTopic& topic = topics_[i];
    auto ours = values("topic", hour_ms + static_cast<std::int64_t>(i) * 60'000);
    ASSERT_FALSE(ours.empty()) << topic.name;
    auto names = names_per_topic();
    names.emplace_back("Rprec", "precision@" + std::to_string(topic.relevant.size()));
    for (const auto& [theirs, mine] : names) {
      ASSERT_TRUE(ours.contains(mine)) << mine;
      EXPECT_EQ(printed(ours[mine]), answers.at(theirs).at(topic.name)) << theirs << " of topic " << topic.name;
    }
  }
}

TEST_F(TrecEval, agrees_on_the_means_over_topics_to_the_printed_digits) {
  const TrecAnswers answers = parse_trec_answers(text_of("out.test.a"));
  auto ours = values("all", hour_ms);
  for (const auto& [theirs, mine] : names_per_topic()) {
    EXPECT_EQ(printed(ours[mine]), answers.at(theirs).at("all")) << theirs;
  }
}

TEST_F(TrecEval, agrees_on_every_list_written_by_lists) {
  const TrecAnswers answers = parse_trec_answers(text_of("out.test.aq"));
  std::istringstream lines(result_.lists);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto list = support::parsed_json(line);
    const auto topic = list.at("user_id").get<std::string>();
    for (const auto& [theirs, mine] : names_per_topic()) {
      EXPECT_EQ(printed(list.at("metrics").at(mine).get<double>()), answers.at(theirs).at(topic))
          << theirs << " of " << topic;
    }
  }
  EXPECT_EQ(count, topics_.size());
}

TEST_F(TrecEval, sees_the_retrieved_as_credited_and_the_others_as_organic) {
  const TrecAnswers answers = parse_trec_answers(text_of("out.test.a"));
  EXPECT_EQ(std::to_string(result_.report.feedback.credited), answers.at("num_rel_ret").at("all"));
  EXPECT_EQ(std::to_string(result_.report.feedback.credited + result_.report.feedback.organic),
            answers.at("num_rel").at("all"));
  EXPECT_EQ(std::to_string(result_.report.lists), answers.at("num_q").at("all"));
}

}  // namespace
}  // namespace recmeter::conformance
