#include "app/generate/traffic_generator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "support/effort.h"
#include "unit/generate/collected_log.h"

namespace recmeter::generate {
namespace {

using Json = nlohmann::json;

// FNV-1a, 64 bit, over the lines with their line feeds.
std::uint64_t fingerprint(const CollectedLog& log) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto eat = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; };
  for (const auto& line : log.lines) {
    for (const char c : line.text) eat(c);
    eat('\n');
  }
  return hash;
}

TEST(TrafficGenerator, same_seed_same_bytes_everywhere) {
  // Golden: a change here changes every log ever made from a seed. Say so in the changelog.
  EXPECT_EQ(fingerprint(collect(small_spec(2000))), 2583385754696827793ULL);
  TrafficSpec spoilt = small_spec(2000);
  spoilt.disorder = {30'000};
  spoilt.duplicates = spoilt.late = spoilt.wrong_clocks = spoilt.malformed = 0.02;
  spoilt.rows = spoilt.placeholder_users = spoilt.heavy_user = spoilt.ratings = 0.2;
  spoilt.length_max = 20;
  spoilt.honest_end = spoilt.far_clock = true;
  EXPECT_EQ(fingerprint(collect(spoilt)), 373611466522745013ULL);
}

TEST(TrafficGenerator, different_seeds_differ) {
  TrafficSpec spec = small_spec(200);
  const std::uint64_t first = fingerprint(collect(spec));
  spec.seed = 2;
  EXPECT_NE(fingerprint(collect(spec)), first);
}

TEST(TrafficGenerator, every_honest_record_is_json_with_its_required_fields) {
  TrafficSpec spec = small_spec();
  spec.rows = 0.3;
  spec.ratings = 0.2;
  spec.empty_lists = 0.05;
  std::set<std::string> types;
  for (const auto& line : collect(spec).lines) {
    ASSERT_EQ(line.text.find(' '), std::string::npos);
    const Json record = Json::parse(line.text);
    const std::string type = record.at("type");
    types.insert(type);
    ASSERT_TRUE(record.at("ts").is_number_integer());
    ASSERT_FALSE(record.at("user_id").get<std::string>().empty());
    if (type != "impression") {
      ASSERT_FALSE(record.at("item_id").get<std::string>().empty());
      ASSERT_EQ(record.contains("value"), type == "rating");
      continue;
    }
    ASSERT_FALSE(record.at("list_id").get<std::string>().empty());
    ASSERT_TRUE(record.at("segments").contains("variant") && record.at("segments").contains("surface"));
    ASSERT_NE(record.contains("items"), record.contains("item_id"));
    if (record.contains("items")) {
      const std::set<std::string> distinct(record["items"].begin(), record["items"].end());
      ASSERT_EQ(distinct.size(), record["items"].size());
      ASSERT_EQ(record.value("scores", Json::array()).size(), distinct.size());
    } else {
      ASSERT_TRUE(record.at("position") >= 1 && record.at("position") <= 10);
    }
  }
  EXPECT_EQ(types, (std::set<std::string>{"impression", "click", "purchase", "rating"}));
}

TEST(TrafficGenerator, events_come_in_time_order_and_feedback_after_its_list) {
  std::map<std::string, std::int64_t> shown;
  std::int64_t last = 0;
  for (const auto& line : collect(small_spec()).lines) {
    const Json record = Json::parse(line.text);
    const std::int64_t ts = record["ts"];
    ASSERT_GE(ts, last);
    last = ts;
    if (record["type"] == "impression") {
      shown[record["list_id"]] = ts;
    } else if (record.contains("list_id")) {
      ASSERT_GT(ts, shown.at(record["list_id"]));
    }
  }
}

TEST(TrafficGenerator, draws_lengths_uniformly_and_as_many_actions_as_asked) {
  const std::uint64_t lists = support::effort(20'000);
  const auto n = static_cast<double>(lists);
  TrafficSpec spec = small_spec(lists);
  spec.length_min = 3;
  spec.length_max = 6;
  spec.feedback_per_list = 0.8;
  std::map<std::size_t, double> lengths;
  double actions = 0;
  for (const auto& line : collect(spec).lines) {
    const Json record = Json::parse(line.text);
    if (record["type"] == "impression") {
      ++lengths[record["items"].size()];
    } else {
      ++actions;
    }
  }
  ASSERT_EQ(lengths.size(), 4U);
  for (const auto& [length, count] : lengths) EXPECT_NEAR(count / n, 0.25, 4 * std::sqrt(0.25 * 0.75 / n)) << length;
  EXPECT_NEAR(actions / n, 0.8, 4 * std::sqrt(1.2 / n));
}

TEST(TrafficGenerator, more_segment_values_are_all_seen) {
  const auto asked = static_cast<std::uint32_t>(support::effort(400));
  TrafficSpec spec = small_spec(50ULL * asked);
  spec.users = 50 * asked;
  spec.segment_values = asked;
  std::set<std::string> values;
  for (const auto& line : collect(spec).lines) {
    const Json record = Json::parse(line.text);
    if (record["type"] == "impression") values.insert(record["segments"]["variant"]);
  }
  EXPECT_EQ(values.size(), asked);
}

TEST(TrafficGenerator, one_list_is_a_log) {
  TrafficSpec spec = small_spec(1);
  spec.feedback_per_list = 0;
  const CollectedLog log = collect(spec);
  ASSERT_EQ(log.lines.size(), 1U);
  EXPECT_EQ(Json::parse(log.lines[0].text)["type"], "impression");
}

void expect_truth_within(const Truth& truth, double standard_errors) {
  for (const VariantTruth& variant : truth.variants) {
    for (std::size_t m = 0; m < truth_metrics.size(); ++m) {
      for (std::size_t c = 0; c < truth_cutoffs.size(); ++c) {
        const double se = variant.standard_error(m, c);
        ASSERT_GT(se, 0);
        EXPECT_NEAR(variant.realised(m, c), variant.expected[m][c], standard_errors * se)
            << truth_metrics[m] << '@' << truth_cutoffs[c];
      }
    }
  }
}

TEST(Truth, is_realised_within_four_standard_errors) {
  TrafficSpec spec;
  spec.lists = support::effort(500'000, 5'000'000);
  expect_truth_within(truth_of(spec), 4);
}

TEST(Truth, holds_under_every_knob_of_the_model_and_every_loss) {
  TrafficSpec spec;
  spec.lists = support::effort(300'000, 3'000'000);
  spec.users = 500;
  spec.length_min = 1;
  spec.length_max = 25;
  spec.empty_lists = 0.1;
  spec.heavy_user = 0.3;
  spec.placeholder_users = 0.2;
  spec.rows = 0.5;
  spec.share_b = 0.2;
  spec.purchases = 0.4;
  spec.late = 0.1;
  spec.wrong_clocks = 0.1;
  spec.click_delay = {{60'000}, 2.0};
  spec.horizon = {180'000};
  spec.longest_delay = {600'000};
  expect_truth_within(truth_of(spec), 4.5);  // 30 correlated values
}

TEST(Truth, says_that_b_is_better) {
  TrafficSpec spec;
  spec.lists = 50'000;
  const Truth truth = truth_of(spec);
  for (std::size_t m = 0; m < truth_metrics.size(); ++m) {
    const double a = truth.variants[0].realised(m, 2);
    const double b = truth.variants[1].realised(m, 2);
    const double se = std::hypot(truth.variants[0].standard_error(m, 2), truth.variants[1].standard_error(m, 2));
    EXPECT_GT(b - a, 5 * se) << truth_metrics[m];
  }
}

TEST(Truth, is_valid_json) {
  TrafficSpec spec = small_spec(500);
  spec.malformed = 0.2;
  const Truth truth = truth_of(spec);
  const Json json = Json::parse(truth_json(truth));
  EXPECT_EQ(json["schema"], "recmeter.truth/1");
  EXPECT_EQ(json["report"]["events"]["read"], truth.records.records);
  EXPECT_EQ(json["variants"]["A"]["metrics"]["precision@10"]["expected"], truth.variants[0].expected[0][2]);
}

TEST(Traffic, under_disturbances_is_the_same) {
  TrafficSpec spec = small_spec(2000);
  std::multiset<std::string> honest;
  for (const auto& line : collect(spec).lines) honest.insert(line.text);
  spec.disorder = {20'000};
  spec.duplicates = 0.1;
  spec.malformed = 0.1;
  std::multiset<std::string> spoilt;
  for (const auto& line : collect(spec).lines) spoilt.insert(line.text);
  for (const std::string& line : std::set<std::string>(honest.begin(), honest.end()))
    EXPECT_TRUE(spoilt.contains(line)) << line;
}

}  // namespace
}  // namespace recmeter::generate
