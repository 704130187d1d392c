// A value that cannot be read is one fault: what is judged together with others is judged only where it was read.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "config/document.h"
#include "loading.h"
#include "one_fault.h"

namespace recmeter::testing {
namespace {

// Most of what can be written. Few values are defaults, and many are right only beside others.
constexpr std::string_view everything = R"(
threads: 2
name: shop
inputs:
  - {topic: imp, fields: {user_id: user.id, type: event}, types: {x: click, y: impression}, unit: s,
      allowed_lateness: 3m, idle_after: 6m, format: jsonl, position_base: 0}
  - {topic: fb, unit: rfc3339, allowed_lateness: 4m, zone: UTC}
join:
  key: user
  credit: last_touch
  horizons: [20s, 2h]
  actions:
    click: {gain: 1, horizon: 90m}
    buy: {gain: 3, after: click, horizon: 100m}
    return: {undoes: buy}
    rating: {gain: 2, from: 4}
  skew: 2m
  same_list: 15s
  assemble: 12s
  not_users: [anonymous, "0"]
time: {allowed_lateness: 2m, max_future_skew: 4m, max_step: 2h, idle_after: 4m}
windows:
  - {name: hour, size: 1h}
  - {name: rolling, size: 3h, slide: 30m, offset: 10m}
  - {name: all, size: all}
segments:
  - [variant]
  - {keys: [variant, surface], keep: [[A, home]]}
catalog: {size: 100}
metrics:
  cutoffs: [1, 5, 20]
  names: [precision, fallout, mae, error_rate, {name: ndcg_list, as: n2, gain: linear}, {name: income, action: buy},
      coec, {name: rated_auc, from: 3}, novelty, {name: recall, over: user_relevant}, snips, {name: dr, action: buy},
      {name: ess, of: snips}, judged_share, {name: reward, action: buy}, {name: action_rate, action: click},
      {name: gini}, {name: rbp, p: 0.7}, {name: latency, p: 0.5}]
  gain: linear
  ap_denominator: min
  beta: 2
  confidence: 0.9
  popularity: {period: 20m, step: 10m, top: 50}
  examination: {first: 0.2, by_rank: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}
ratings: {min: 1, max: 10, extremes: [2, 9], reversal: 8, half_life: 5, default_vote: 7, liked: 8}
off_policy: {propensities: marginal, reward: grade, logging: factored, min_ess: 100, max_weight_share: 0.2}
limits: {list_items: 25, id_bytes: 100, segment_bytes: 100, message_bytes: 1MiB, segment_values: 100,
    distinct_items: 1000, compared_lists: 100, windows_per_list: 100, tolerated_reasons: [no_type], invalid_share: 0.3,
    lost_share: 0.1}
lanes: {names: [B, C], logged: as_logged, credit: last_touch, pairs: false, unjudged: irrelevant}
prequential: {at: every, every: 2h, active: 8d, targets: [click, buy], learn: [click], step: 1m, delay: 1m,
    history: step, candidates: recent, recent: 1h, exclude: known, length: 10, warmup: 5, seed: 3}
recommenders:
  - {name: top, kind: popularity, period: 7d, count: users}
  - {name: knn, kind: item_knn, k: 20, half_life: 1d}
  - {name: f, kind: isgd, factors: 5, learning_rate: 0.1, regularization: 0.02, iterations: 2, seed: 1}
experiments:
  - name: r7
    arms: {key: variant, values: [A, B], control: A}
    allocation: [0.4, 0.6]
    start: 2026-11-01T00:00:00Z
    duration: 28d
    min_duration: 20d
    every: 1h
    horizon: 2h
    assign: user
    primary: [{metric: "precision@5", better: higher, mde: 0.02}]
    guardrails: [{metric: "fallout@5", margin: 0.01}]
    secondary: ["precision@20"]
    alpha: 0.04
    fdr: 0.2
    cuped: {before: 7d}
    mixed_share: 0.02
  - name: d8
    teams: {a: A, b: B}
    start: 2026-11-01T00:00:00Z
    duration: 28d
    every: 2h
    horizon: 20s
    primary: [{metric: "team_draft{action=click}", mde: {absolute: 0.02}}]
kafka: {brokers: "localhost:9092", group: g, start: -3d, on_gap: latest, align: 6m, memory: 300MiB}
dead_letter: {topic: dl, fates: [invalid, future]}
state: {dir: st, memory: 2GiB, checkpoint_every: 2s, keep_results: 8d}
publish:
  every: 6s
  file: {path: w.jsonl, provisional: true, rotate: 2d}
  kafka: {topic: rows}
  experiments: {file: looks.jsonl}
  http: {listen: 127.0.0.1:8090, probes: 127.0.0.1:8091, limits: {connections_max: 100, peer_connections_max: 90}}
)";

constexpr std::string_view messages = R"(
inputs:
  - {topic: a, format: avro, registry: {url: "http://r:1", user: u, password: p}, allowed_lateness: 3m}
  - {topic: b, format: protobuf, schema: s.proto, message: shop.Shown}
  - {topic: c, format: csv, csv: {delimiter: ";", quote: none, escape: "\\", decimal: ",", header: false,
      columns: [u, i, t]}, absent: [NA], text_numbers: true}
  - {file: d.json, format: json, records: hits.hits, root: payload, zone: UTC, unit: {pattern: "%Y-%m-%d"}}
  - {file: e.jsonl, events: [{type: impression, when: {event: shown}}, {type: click, when: {event: clicked},
      entries: {kind: item}}]}
join: {horizons: [" 1m"], actions: {click: {gain: 1}}, not_users: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]}
windows: [{name: w, size: 200m, slide: 1s}]
limits: {windows_per_list: 20000, id_bytes: 300}
lanes: {names: [B], credit: last_touch}
off_policy: {propensities: conditional, reward: value, logging: uniform}
metrics: {names: [{name: rips, action: click}, {name: replay_match, action: click}, {name: ndcg_list, action: click,
    grade: value}]}
)";

struct Written {
  std::string path;
  std::size_t at = 0;
  std::size_t bytes = 0;
};

// Where the single values of the text stand.
std::vector<Written> single_values(const std::string& text) {
  config::Faults faults("test.yaml");
  const auto document = config::parse_document(text, test_context().environment, faults);
  std::vector<std::size_t> lines{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines.push_back(i + 1);
  }
  std::vector<Written> out;
  const std::function<void(const config::Node&, const std::string&)> visit = [&](const config::Node& node,
                                                                                 const std::string& path) {
    if (node.kind == config::Node::Kind::scalar) {
      const std::size_t at =
          lines.at(static_cast<std::size_t>(node.place.line) - 1) + static_cast<std::size_t>(node.place.column) - 1;
      const bool is_quoted = text[at] == '"';
      out.push_back({path, at, node.written.size() + (is_quoted ? 2U : 0U)});
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      visit(node.items[i], path + (node.keys.empty() ? "[" + std::to_string(i) + "]" : "." + node.keys[i]));
    }
  };
  if (document) visit(*document, "");
  return out;
}

// What no key, or hardly one, can be.
constexpr std::array bad_values{"[]", "{}", "~", "\"\"", "\"\\x01\"", "\"zzz zzz\"", "\" 1m\"", "-7", "99999999999", "1e300"};

void expect_no_second_fault(const std::string& text, std::size_t least) {
  const auto values = single_values(text);
  EXPECT_GT(values.size(), least);
  for (const Written& value : values) {
    for (const char* const bad : bad_values) {
      std::string spoilt = text;
      spoilt.replace(value.at, value.bytes, bad);
      const auto config = load(spoilt);
      if (config) continue;
      EXPECT_EQ(config.error().size(), 1U) << value.path << ": " << bad << "\n" << all_text(config.error());
    }
  }
}

TEST(FollowUps, no_second_fault_follows_from_a_value_that_cannot_be_read) {
  const std::string text(everything);
  const auto config = load(text);
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  expect_no_second_fault(text, 200);
}

TEST(FollowUps, no_second_fault_follows_from_a_bad_key_of_an_input) {
  std::string text(messages);
  const std::string bad = "\" 1m\"";
  {
    const auto config = load(text);
    ASSERT_FALSE(config.has_value());
    ASSERT_EQ(config.error().size(), 1U) << all_text(config.error());
    EXPECT_EQ(config.error().front().path, "join.horizons[0]");
  }
  text.replace(text.find(bad), bad.size(), "1m");
  const auto config = load(text);
  ASSERT_TRUE(config.has_value()) << all_text(config.error());
  expect_no_second_fault(text, 50);
}

// What asks for actions that `join` says, and for ratings.
constexpr std::string_view asking = R"(
inputs: [{topic: t, types: {x: buy}}]
metrics: {names: [mae, {name: time_to, action: buy}, {name: ndcg_list, action: buy, grade: value}]}
prequential: {targets: [buy], learn: [rating], candidates: seen}
recommenders: [{name: taste, kind: user_knn}]
)";

TEST(FollowUps, nothing_is_missed_in_actions_that_cannot_be_read) {
  constexpr Mistake mistakes[] = {
      {"join", "join: fast", 1, "join", "single value"},
      {"actions", "join: {actions: fast}", 1, "join.actions", "single value"},
      {"no_actions", "join: {actions: {}}", 1, "join.actions", "names no action"},
      {"one_action", "join: {actions: {buy: fast, rating: {gain: 1}, give: {undoes: buy}}}", 1, "join.actions.buy",
       "single value"},
      {"gain", "join: {actions: {buy: {gain: much}, rating: {gain: 1}}}", 1, "join.actions.buy.gain", "not a number"},
  };
  for (Mistake mistake : mistakes) {
    SCOPED_TRACE(mistake.name);
    const std::string text = mistake.yaml + std::string(asking);
    mistake.yaml = text.c_str();
    expect_one_fault(mistake);
  }
}

TEST(FollowUps, a_misspelt_action_is_told_beside_a_gain_that_cannot_be_read) {
  const auto config = load("join: {actions: {buy: {gain: much}}}\nmetrics: {names: [{name: time_to, action: bye}]}\n");
  ASSERT_FALSE(config.has_value());
  EXPECT_EQ(config.error().size(), 2U) << all_text(config.error());
}

class FollowUpsOf : public ::testing::TestWithParam<Mistake> {};

TEST_P(FollowUpsOf, none_is_told) {
  expect_one_fault(GetParam());
}

const Mistake others[] = {
    {"horizon_with_a_space", "join: {horizons: [\" 1m\"]}", 1, "join.horizons[0]", "not a duration"},
    {"horizon_of_an_experiment",
     "join: {horizons: [\" 1m\", 2m, 3m]}\n"
     "experiments: [{name: e, arms: {key: v, values: [A, B], control: A}, start: 2026-11-01T00:00:00Z, duration: 1d, "
     "primary: [{metric: \"mrr@5\", mde: 0.1}]}]\n",
     1, "join.horizons[0]", "not a duration"},
    {"windows", "windows: fast\nmetrics: {names: [{name: mrr, unit: user}]}\n", 1, "windows", "single value"},
    {"catalog", "catalog: fast\nmetrics: {names: [gini, fallout]}\n", 1, "catalog", "single value"},
    {"lanes", "lanes: fast\noff_policy: {propensities: marginal}\nmetrics: {names: [ips]}\n", 1, "lanes", "single value"},
    {"lanes_without_names", "lanes: {}\noff_policy: {propensities: marginal}\nmetrics: {names: [ips]}\n", 1, "lanes",
     "no recommender is named"},
    {"off_policy", "off_policy: fast\nlanes: {names: [B]}\nmetrics: {names: [rips]}\n", 1, "off_policy", "single value"},
    {"ratings", "ratings: fast\nmetrics: {names: [error_rate]}\n", 1, "ratings", "single value"},
    {"limits", "limits: fast\nwindows: [{name: w, size: 200m, slide: 1s}]\n", 1, "limits", "single value"},
};

INSTANTIATE_TEST_SUITE_P(OfOthers, FollowUpsOf, ::testing::ValuesIn(others),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace recmeter::testing
