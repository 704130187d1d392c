#include "config/summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "loading.h"
#include "support/parsed_json.h"

namespace recmeter::testing {
namespace {

constexpr std::string_view shop = R"(
name: shop
inputs:
  - {topic: impressions, fields: {user_id: user.id}, types: {view: impression}, unit: s}
  - file: [a.jsonl, b.jsonl]
join: {horizons: [30m, 1d], actions: {click: {gain: 1}, buy: {gain: 3, after: click, horizon: 1d}}, not_users: [anonymous]}
windows: [{name: hour, size: 1h, slide: 5m, offset: 1m}]
segments: [{keys: [variant, "a\"b"], keep: [[A, home]]}]
catalog: {file: items.txt}
metrics: {cutoffs: [5], names: [precision, {name: ndcg_list, as: n2, gain: exp2}, empty_list_share]}
kafka: {properties: {sasl.password: "${SECRET}"}}
)";

TEST(Summary, says_what_was_understood) {
  const auto config = load(shop);
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  const std::string text = summary_text(*config);
  for (const char* words :
       {"evaluator shop", "topic impressions: jsonl, time in s, lateness 1m", "user_id at user.id, view means impression",
        "file a.jsonl, b.jsonl", "files of the command line", "horizons 30m, 1d", "buy gain 3 after click within 1d",
        "nobody: anonymous", "hour: 1h every 5m, offset 1m", "by variant x a\"b, always A x home", "3 items, known by id",
        "metrics at 5, confidence 0.95", "n2@k: ndcg_list, gain exp2", "empty_list_share: 1 if n = 0", "sasl.password set",
        "a list lies in up to 12 windows of a kind and goes into 12 values",
        "a day of events makes 1,152 rows with 3,456 values"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
}

TEST(Summary, is_json_as_well) {
  const auto config = load(shop);
  ASSERT_TRUE(config.has_value());
  const auto json = support::parsed_json(summary_json(*config));
  EXPECT_EQ(json["name"], "shop");
  EXPECT_EQ(json["config"], config->spec.config_hash);
  EXPECT_EQ(json["inputs"][0]["fields"]["user_id"], "user.id");
  EXPECT_EQ(json["inputs"][1]["files"].size(), 2U);
  EXPECT_EQ(json["join"]["actions"][1]["after"], "click");
  EXPECT_EQ(json["windows"][0]["slide"], "5m");
  EXPECT_EQ(json["segments"][0]["keys"][1], "a\"b");
  EXPECT_EQ(json["segments"][0]["keep"][0][1], "home");
  EXPECT_EQ(json["catalog"]["size"], 3);
  EXPECT_EQ(json["cost"]["windows_per_list"], 12);
  EXPECT_EQ(json["cost"]["values_per_list"], 12);  // 1 window, 2 horizons, 2 combinations, 3 values
  EXPECT_EQ(json["cost"]["rows_per_day"], 1152);
  EXPECT_EQ(json["cost"]["values_per_day"], 3456);
  EXPECT_EQ(json["metrics"]["names"][1]["key"], "n2");
  EXPECT_EQ(json["metrics"]["names"][1]["gain"], "exp2");
  EXPECT_EQ(json.dump().find("hunter2"), std::string::npos);
}

TEST(Summary, of_the_defaults_is_json_too) {
  const auto config = load("");
  EXPECT_TRUE(support::parsed_json(summary_json(*config))["catalog"].is_null());
}

}  // namespace
}  // namespace recmeter::testing
