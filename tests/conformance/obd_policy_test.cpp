// What the policy `bts` of a fashion shop would be worth, from the lists that the policy `random` made (Open Bandit Dataset,
// men's campaign, small sample): the values of Open Bandit Pipeline 0.5.7.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gzip_file.h"
#include "recmeter/window/running_sums.h"
#include "support/off_policy.h"
#include "support/shared_data.h"

namespace recmeter::conformance {
namespace {

struct Shown {
  std::string list;
  std::string user;
  std::pair<int, std::string> place;  // position and item
  double propensity = 0;
  bool clicked = false;
};

struct Log {
  std::vector<Shown> random;
  std::map<std::pair<int, std::string>, double> judged;    // how likely `bts` shows the item at the position
  std::map<std::pair<int, std::string>, double> foreseen;  // (clicks + 1) / (lists + 200) of `random`
};

Log read_log(const std::string& bytes) {
  Log log;
  std::vector<Shown> bts;
  std::set<std::pair<std::string, std::string>> clicks;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) {
    const auto json = nlohmann::json::parse(line);
    if (json["type"] != "impression") {
      clicks.emplace(json["list_id"], json["item_id"]);
      continue;
    }
    auto& to = json["segments"]["policy"] == "bts" ? bts : log.random;
    to.push_back({json["list_id"], json["user_id"], {json["position"], json["item_id"]}, json["propensity"]});
  }
  std::map<int, double> shown_by_bts;
  std::map<std::pair<int, std::string>, double> shown;
  std::map<std::pair<int, std::string>, double> clicked;
  for (const Shown& each : bts) ++shown_by_bts[each.place.first];
  for (const Shown& each : bts) log.judged[each.place] += 1 / shown_by_bts[each.place.first];
  for (Shown& each : log.random) {
    each.clicked = clicks.contains({each.list, each.place.second});
    ++shown[each.place];
    clicked[each.place] += each.clicked ? 1 : 0;
  }
  const auto foresee = [&](const auto& place) {
    log.foreseen.try_emplace(place, (clicked[place] + 1) / (shown[place] + 200));
  };
  for (const auto& [place, p] : log.judged) foresee(place);
  for (const auto& [place, lists] : shown) foresee(place);
  return log;
}

class ObdPolicy : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::has_shared_data("obd/men.jsonl.gz")) {
      GTEST_SKIP() << "SKIPPED: no Open Bandit data; set RECMETER_SHARED_DATA";
    }
    const std::optional<std::string> bytes = whole_file(support::shared_data("obd/men.jsonl.gz"));
    ASSERT_TRUE(bytes);
    log_ = read_log(*bytes);
    ASSERT_EQ(log_.random.size(), 10'000U);
  }

  // Of lists of one item each. `spec`: what is refused.
  [[nodiscard]] Estimate estimate(const std::string& name, MetricOptions options = {}, OffPolicySpec spec = {}) const {
    const auto plan = MetricPlan::make({.cutoffs = {1}, .requests = {{name, {}, std::move(options)}}}, {.off_policy = spec});
    EXPECT_TRUE(plan) << plan.error().context;
    std::map<int, double> expected;
    for (const auto& [place, p] : log_.judged) expected[place.first] += p * log_.foreseen.at(place);
    PaneSums pane;
    const std::vector<Hit> hit{{1, 1}};
    for (const Shown& each : log_.random) {
      const auto judged = log_.judged.find(each.place);
      const double target = judged == log_.judged.end() ? 0 : judged->second;
      ScoredList list{.length = 1};
      if (each.clicked) list.hits = hit;
      list.policy = ListPolicy{
          {&target, 1}, {&each.propensity, 1}, {&log_.foreseen.at(each.place), 1}, {&expected.at(each.place.first), 1}};
      const UserKey user = user_key(each.user);
      pane.add({.group = user_group(user.high), .user = user}, ListValues(*plan, list), {}, true);
    }
    RunningSums sums;
    sums.enter(pane);
    return sums.estimate(plan->metrics().front(), 0.95);
  }

  Log log_;
};

// Users are some of the visitor's features here: 230 of them, whose weights are worth 42.
constexpr OffPolicySpec of_few_users{.min_ess = 40};

TEST_F(ObdPolicy, is_worth_what_open_bandit_pipeline_says) {
  EXPECT_NEAR(estimate("ips", {}, of_few_users).value.value_or(-1), 0.0056562667008354705, 1e-9);
  EXPECT_NEAR(estimate("ips_clipped", {.clip = 5}, of_few_users).value.value_or(-1), 0.005555943076239999, 1e-9);
  EXPECT_NEAR(estimate("snips", {}, of_few_users).value.value_or(-1), 0.005739864701951365, 1e-9);
  EXPECT_NEAR(estimate("dr", {}, of_few_users).value.value_or(-1), 0.0057153325693286615, 1e-9);
}

TEST_F(ObdPolicy, has_weights_like_those_of_open_bandit_pipeline) {
  EXPECT_NEAR(*estimate("ess", {.of = Estimator::snips}).value, 2869.275271787956, 1e-6);
  EXPECT_NEAR(*estimate("weight_mean", {.of = Estimator::snips}).value, 0.9854355450072764, 1e-9);
  EXPECT_NEAR(*estimate("ess_users", {.of = Estimator::snips}).value, 42.37175105983286, 1e-9);
  EXPECT_FALSE(estimate("snips").is_suspect);
}

TEST_F(ObdPolicy, is_refused_where_few_users_or_lists_carry_it) {
  EXPECT_EQ(estimate("snips").refused, "ess_users");
  EXPECT_EQ(estimate("snips", {}, {.min_ess = 2870}).refused, "ess");
  EXPECT_EQ(estimate("snips", {}, of_few_users).refused, "");
  EXPECT_TRUE(estimate("snips", {}, of_few_users).ci);
}

}  // namespace
}  // namespace recmeter::conformance
