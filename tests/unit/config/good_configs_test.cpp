// What is right loads, and into the right values.
#include <gtest/gtest.h>

#include "loading.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/preset.h"
#include "recmeter/metric/registry.h"

namespace recmeter::testing {
namespace {

// The configuration, or a failed test and the defaults.
Config good(std::string_view yaml) {
  auto config = load(yaml);
  if (config) return std::move(*config);
  ADD_FAILURE() << yaml << "\n" << all_text(config.error());
  return {};
}

std::vector<std::string> names_of(const Config& config) {
  std::vector<std::string> names;
  for (const MetricRequest& request : config.spec.metrics.requests) names.push_back(request.as.value_or(request.name));
  return names;
}

TEST(Defaults, are_the_documented_ones) {
  for (const char* empty : {"", "\n", "# nothing\n", "---\n", "{}\n", "~\n", "join:\nlimits:\nkafka:\n"}) {
    const Config config = good(empty);
    EXPECT_EQ(config.threads, 0U);
    EXPECT_EQ(config.spec.name, "default");
    EXPECT_TRUE(config.inputs.empty());
    EXPECT_EQ(config.spec.join.key.by, JoinKey::By::user);
    EXPECT_EQ(config.spec.join.credit, Credit::last_touch);
    EXPECT_EQ(config.spec.join.horizons, std::vector<Duration>{Duration{1'800'000}});
    ASSERT_EQ(config.spec.join.actions.size(), 2U);
    EXPECT_EQ(config.spec.join.actions[0].name, "click");
    EXPECT_EQ(config.spec.join.actions[0].gain, 1);
    EXPECT_EQ(config.spec.join.actions[1].name, "purchase");
    EXPECT_EQ(config.spec.join.actions[1].gain, 3);
    EXPECT_EQ(config.spec.join.actions[1].after, 0U);
    EXPECT_EQ(config.spec.join.assemble, Duration{10'000});
    EXPECT_EQ(config.command_line.allowed_lateness, Duration{60'000});
    EXPECT_EQ(config.spec.time.max_step, Duration{3'600'000});
    ASSERT_EQ(config.spec.windows.size(), 3U);
    EXPECT_EQ(config.spec.windows[0].name, "hour");
    EXPECT_EQ(config.spec.windows[0].size, Duration{3'600'000});
    EXPECT_EQ(config.spec.windows[1].name, "day");
    EXPECT_EQ(config.spec.windows[1].size, Duration{86'400'000});
    EXPECT_EQ(config.spec.windows[2].name, "all");
    EXPECT_TRUE(config.spec.windows[2].is_whole());
    EXPECT_TRUE(config.spec.segments.empty());
    EXPECT_FALSE(config.spec.catalog.has_value());
    EXPECT_EQ(config.spec.metrics.cutoffs, (std::vector<std::uint32_t>{1, 5, 10}));
    EXPECT_EQ(names_of(config), (std::vector<std::string>{"precision", "hit_rate", "mrr", "map_list", "ndcg_list", "recall",
                                                          "distinct_items"}));
    EXPECT_EQ(config.spec.metrics.confidence, 0.95);
    EXPECT_EQ(config.spec.limits.distinct_items, 4'000'000U);
    EXPECT_EQ(config.kafka.brokers, "localhost:9092");
    EXPECT_EQ(config.kafka.session, Duration{45'000});
    EXPECT_EQ(config.kafka.memory, std::size_t{256} << 20);
    EXPECT_FALSE(config.dead_letter.has_value());
    EXPECT_EQ(config.state.dir, "state");
    EXPECT_FALSE(config.publish.file.has_value());
    EXPECT_FALSE(config.publish.kafka.has_value());
    EXPECT_EQ(config.publish.http.port, 8080);
  }
}

TEST(Inputs, are_topics_files_and_plain_names) {
  const Config config = good(
      "inputs:\n  - impressions\n  - logs/day.jsonl\n  - day.zst\n  - \"-\"\n  - topic: [a, b]\n  - file: [c.gz, d]\n    "
      "format: kcat\n");
  ASSERT_EQ(config.inputs.size(), 6U);
  EXPECT_EQ(config.inputs[0].topics, std::vector<std::string>{"impressions"});
  EXPECT_EQ(config.inputs[1].files, std::vector<std::string>{"logs/day.jsonl"});
  EXPECT_EQ(config.inputs[2].files, std::vector<std::string>{"day.zst"});
  EXPECT_EQ(config.inputs[3].files, std::vector<std::string>{"-"});
  EXPECT_EQ(config.inputs[4].topics, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(config.inputs[5].files, (std::vector<std::string>{"c.gz", "d"}));
  EXPECT_EQ(config.inputs[5].format, InputFormat::kcat);
}

TEST(Inputs, map_fields_types_and_units) {
  const Config config = good(R"(
join: {actions: {click: {gain: 1}}}
inputs:
  - topic: a
    fields: {user_id: user.id, item_id: product.sku, type: event_name, items.item_id: sku, items.value: price.eur}
    types: {product_click: click, list_view: impression, click: click}
    unit: rfc3339
    position_base: 0
)");
  ASSERT_EQ(config.inputs.size(), 1U);
  const FieldTable& table = config.inputs[0].fields;
  EXPECT_EQ(table.paths[static_cast<std::size_t>(Field::user_id)], (std::vector<std::string>{"user", "id"}));
  EXPECT_EQ(table.paths[static_cast<std::size_t>(Field::ts)], std::vector<std::string>{"ts"});
  EXPECT_EQ(table.entry_item_id, std::vector<std::string>{"sku"});
  EXPECT_EQ(table.entry_value, (std::vector<std::string>{"price", "eur"}));
  EXPECT_EQ(table.types.at("list_view"), "impression");
  EXPECT_EQ(table.time.unit, TimeUnit::rfc3339);
  EXPECT_EQ(table.position_base, 0);
}

TEST(Inputs, may_swap_two_fields) {
  const Config config = good("inputs:\n  - fields: {list_id: user_id, user_id: list_id}\n");
  EXPECT_EQ(config.command_line.fields.paths[static_cast<std::size_t>(Field::list_id)], std::vector<std::string>{"user_id"});
}

TEST(Inputs, without_a_place_tell_how_the_command_line_is_read) {
  const Config config = good("time: {allowed_lateness: 2m}\ninputs:\n  - {unit: s, idle_after: 1s}\n  - topic: a\n");
  EXPECT_EQ(config.command_line.fields.time.unit, TimeUnit::seconds);
  EXPECT_EQ(config.command_line.idle_after, Duration{1000});
  EXPECT_EQ(config.command_line.allowed_lateness, Duration{120'000});
  EXPECT_EQ(config.inputs[1].allowed_lateness, Duration{120'000});
  EXPECT_EQ(config.inputs[1].fields.time.unit, TimeUnit::milliseconds);
}

TEST(Join, has_actions_in_the_order_of_the_text) {
  const Config config = good(R"(
join:
  key: user
  credit: every_touch
  horizons: [1d, 30m]
  actions:
    buy: {gain: 2.5, after: look, horizon: 1d}
    look:
    mail.open: {gain: 0}
  skew: 1m
  not_users: [anonymous, 0, no]
)");
  const JoinRule& rule = config.spec.join;
  EXPECT_EQ(rule.credit, Credit::every_touch);
  ASSERT_EQ(rule.actions.size(), 3U);
  EXPECT_EQ(rule.actions[0].name, "buy");
  EXPECT_EQ(rule.actions[0].gain, 2.5);
  EXPECT_EQ(rule.actions[0].after, 1U);
  EXPECT_EQ(rule.actions[0].horizon, Duration{86'400'000});
  EXPECT_EQ(rule.actions[1].gain, 1);
  EXPECT_EQ(rule.actions[2].name, "mail.open");
  EXPECT_TRUE(rule.key.not_users.contains("no"));
  EXPECT_TRUE(rule.key.not_users.contains("0"));
}

TEST(Join, by_list_leaves_user_metrics_out_of_the_default_list) {
  const Config config = good("join: {key: list}\n");
  EXPECT_EQ(names_of(config),
            (std::vector<std::string>{"precision", "hit_rate", "mrr", "map_list", "ndcg_list", "distinct_items"}));
}

TEST(Windows, roll_and_shift) {
  const Config config =
      good("windows:\n  - {name: h, size: 1h, slide: 5m, offset: 90s}\n  - {name: d, size: 1d, offset: 9h}\n");
  ASSERT_EQ(config.spec.windows.size(), 2U);
  EXPECT_EQ(config.spec.windows[0].slide, Duration{300'000});
  EXPECT_EQ(config.spec.windows[0].offset, Duration{90'000});
  EXPECT_EQ(config.spec.windows[1].slide, config.spec.windows[1].size);
}

TEST(Segments, keep_values_as_rows_show_them) {
  const Config config = good(R"yaml(
segments:
  - [variant]
  - {keys: [variant, surface], keep: [[A, home], ["(none)", no]]}
  - {keys: [country], keep: [NO, 1, "\\(other)", "\\\\x"]}
)yaml");
  ASSERT_EQ(config.spec.segments.size(), 3U);
  EXPECT_TRUE(config.spec.segments[0].keep.empty());
  EXPECT_EQ(config.spec.segments[1].keep[1], (std::vector<std::string>{"(none)", "no"}));
  EXPECT_EQ(config.spec.segments[2].keep[0], std::vector<std::string>{"NO"});
  EXPECT_EQ(config.spec.segments[2].keep[2], std::vector<std::string>{"\\(other)"});
}

TEST(Catalog, is_a_size_or_a_file) {
  EXPECT_EQ(good("catalog: {size: 100000}\n").spec.catalog->size, 100'000U);
  const Config config = good("catalog: {file: items.txt}\nmetrics: {names: [catalog_coverage]}\n");
  EXPECT_EQ(config.spec.catalog->items.size(), 3U);
}

TEST(Metrics, count_popularity_over_the_configured_period) {
  const auto day = good("metrics: {names: [novelty]}\n").spec.metrics.popularity;
  EXPECT_EQ(day.period_ms, 86'400'000);
  EXPECT_EQ(day.step_ms, 300'000);
  EXPECT_EQ(day.top, 100U);
  const auto hour =
      good("metrics: {names: [serendipity], popularity: {period: 1h, step: 20s, top: 7}}\n").spec.metrics.popularity;
  EXPECT_EQ(hour.period_ms, 3'600'000);
  EXPECT_EQ(hour.step_ms, 20'000);
  EXPECT_EQ(hour.top, 7U);
}

TEST(Metrics, know_what_ranks_get) {
  const Examination none = good("metrics: {names: [mrr]}\n").spec.metrics.examination;
  EXPECT_FALSE(none.is_known());
  const Examination known =
      good("metrics: {cutoffs: [2], names: [coec], examination: {first: 0.4, by_rank: [1, 2.5, 0.45]}}\n")
          .spec.metrics.examination;
  EXPECT_EQ(known.first, 0.4);
  EXPECT_EQ(known.by_rank, (std::vector<double>{1, 2.5, 0.45}));
}

TEST(Metrics, carry_their_options) {
  const Config config = good(R"(
metrics:
  cutoffs: [20, 3]
  gain: exp2
  beta: 0.5
  names:
    - ndcg_list
    - {name: ndcg_list, as: ndcg_linear, gain: linear, unit: list}
    - {name: map_list, ap_denominator: relevant}
    - {name: fbeta, beta: 3}
    - {name: fbeta, as: f_half}
    - empty_list_share
  confidence: 0.9
  preset: none
)");
  const MetricSpec& metrics = config.spec.metrics;
  EXPECT_EQ(metrics.cutoffs, (std::vector<std::uint32_t>{20, 3}));
  ASSERT_EQ(metrics.requests.size(), 6U);
  EXPECT_EQ(metrics.requests[0].options.gain, GainKind::exp2);
  EXPECT_EQ(metrics.requests[1].options.gain, GainKind::linear);
  EXPECT_EQ(metrics.requests[1].as, "ndcg_linear");
  EXPECT_EQ(metrics.requests[2].options.ap_denominator, ApDenominator::relevant);
  EXPECT_EQ(metrics.requests[3].options.beta, 3);
  EXPECT_EQ(metrics.requests[4].options.beta, 0.5);
  EXPECT_EQ(metrics.confidence, 0.9);
}

TEST(Metrics, take_every_option_of_theirs) {
  const Config config = good(R"(
metrics:
  names:
    - {name: ndcg_list, as: ndcg_exp, gain: exp2, unit: user, ideal: shown}
    - {name: ndcg_list, unit: pooled, gain: binary, ideal: ones}
    - {name: map_list, ap_denominator: k, over: nonempty}
    - {name: map_list, as: map_list, cut: none}
    - {name: precision, precision_denominator: shown, over: user_relevant}
    - {name: recall, recall_denominator: min}
    - {name: recall, recall_denominator: min, unit: user}
    - {name: dcg, gain: exp2, discount: log2_max2}
    - {name: ap_11, level: 0.333}
)");
  const auto& requests = config.spec.metrics.requests;
  ASSERT_EQ(requests.size(), 9U);
  EXPECT_EQ(requests[8].options.level, 333U);
  EXPECT_EQ(requests[7].options.discount, Discount::log2_max2);
  EXPECT_EQ(requests[0].options.unit, Unit::user);
  EXPECT_EQ(requests[0].options.ideal, IdealDcg::shown);
  EXPECT_EQ(requests[1].options.gain, GainKind::binary);
  EXPECT_EQ(requests[1].options.ideal, IdealDcg::ones);
  EXPECT_EQ(requests[2].options.over, Over::nonempty);
  EXPECT_EQ(requests[3].options.cut, Cut::none);
  EXPECT_EQ(requests[4].options.precision_denominator, PrecisionDenominator::shown);
  EXPECT_EQ(requests[5].options.recall_denominator, RecallDenominator::min);
  const auto plan = MetricPlan::make(config.spec.metrics);
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  std::vector<std::string> keys;
  for (const PlannedMetric& metric : plan->metrics()) {
    if (metric.cutoff == 5 || metric.cutoff == PlannedMetric::no_cut) keys.push_back(metric.key + " " + metric.definition_id);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{
                      "ndcg_exp@5/user ndcg_list{gain=exp2,unit=user,ideal=shown}",
                      "ndcg_list@5/pooled ndcg_list{gain=binary,unit=pooled,ideal=ones}",
                      "map_list@5 map_list{ap_denominator=k,over=nonempty}", "map_list map_list{cut=none}",
                      "precision@5 precision{precision_denominator=shown,over=user_relevant}",
                      "recall@5 recall{recall_denominator=min}", "recall@5/user recall{unit=user,recall_denominator=min}",
                      "dcg@5 dcg{gain=exp2,discount=log2_max2}", "ap_11{level=0.333}@5 ap_11{level=0.333}"}));
}

std::vector<std::string> keys_of(const Config& config) {
  const auto plan = MetricPlan::make(config.spec.metrics, {.catalog_size = 9, .actions = config.spec.join.actions});
  if (!plan) {
    ADD_FAILURE() << plan.error().context;
    return {};
  }
  std::vector<std::string> keys;
  for (const PlannedMetric& metric : plan->metrics()) keys.push_back(metric.key);
  return keys;
}

TEST(Metrics, are_cut_at_r_where_the_cutoffs_say_so) {
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_of(good("metrics: {cutoffs: [5, R], names: [precision, ndcg_user, auc, {name: mrr, cut: none}]}\n"
                         "catalog: {size: 9}\n")),
            (Keys{"precision@5", "precision@R", "ndcg_user@5", "ndcg_user@R", "auc", "mrr"}));
  const Config alone = good("metrics: {cutoffs: [R], names: [precision, {name: recall, unit: pooled}]}\n");
  EXPECT_TRUE(alone.spec.metrics.cutoffs.empty());
  EXPECT_EQ(keys_of(alone), (Keys{"precision@R", "recall@R/pooled"}));
  EXPECT_EQ(keys_of(good("metrics: {cutoffs: [5], names: [precision, {name: precision, cut: R}]}\n")),
            (Keys{"precision@5", "precision@R"}));
}

TEST(Metrics, of_the_list_alone_need_neither_users_nor_a_catalogue) {
  const Config config = good(R"(
join: {key: list, actions: {click: {}, buy: {after: click}}}
metrics:
  names:
    - {name: fallout, universe: list}
    - {name: auc, universe: list, action: buy}
    - {name: precision, cut: R, universe: list}
)");
  for (const MetricRequest& request : config.spec.metrics.requests) EXPECT_EQ(request.options.universe, Universe::list);
  const auto plan = MetricPlan::make(config.spec.metrics, {.actions = config.spec.join.actions});
  ASSERT_TRUE(plan.has_value()) << plan.error().context;
  EXPECT_FALSE(plan->needs(ListPart::missed));
}

// Nobody asked for those of the default list one by one.
TEST(Metrics, of_the_default_list_are_cut_at_r_where_they_can_be) {
  const auto keys = keys_of(good("metrics: {cutoffs: [5, R]}\n"));
  EXPECT_EQ(keys, (std::vector<std::string>{"precision@5", "precision@R", "hit_rate@5", "mrr@5", "map_list@5", "ndcg_list@5",
                                            "recall@5", "recall@R", "distinct_items@5"}));
  EXPECT_EQ(keys_of(good("metrics: {cutoffs: [R]}\n")), (std::vector<std::string>{"precision@R", "recall@R"}));
}

TEST(Presets, give_their_names_and_ours_their_definitions) {
  const Config config = good(R"(
metrics:
  preset: trec_eval
  names: [map_cut, recip_rank, recall, {name: ndcg_list, as: mine}, {name: mrr, preset: none}, {name: NDCG, preset: rectools}]
)");
  const auto& requests = config.spec.metrics.requests;
  ASSERT_EQ(requests.size(), 6U);
  EXPECT_EQ(requests[0].name, "map_user");
  EXPECT_EQ(requests[0].as, "map_cut");
  EXPECT_EQ(requests[0].options.ap_denominator, ApDenominator::relevant);
  EXPECT_EQ(requests[1].options.cut, Cut::none);
  EXPECT_EQ(requests[2].as, std::nullopt);
  EXPECT_EQ(requests[2].options.over, Over::nonempty);
  EXPECT_EQ(requests[3].as, "mine");
  EXPECT_EQ(requests[4].options.over, std::nullopt);
  EXPECT_EQ(requests[5].options.ideal, IdealDcg::ones);
  EXPECT_EQ(config.presets, (std::set<std::string>{"rectools", "trec_eval"}));
}

// ranx writes the persistence of rbp into its name.
TEST(Presets, take_the_persistence_as_ranx_spells_it) {
  const auto requests = good("metrics: {preset: ranx, names: [rbp, rbp.95, {name: rbp, p: 0.5}]}\n").spec.metrics.requests;
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].options.persistence, 0.8);
  EXPECT_EQ(requests[1].options.persistence, 0.95);
  EXPECT_EQ(requests[2].options.persistence, 0.5);
  for (const MetricRequest& request : requests) {
    EXPECT_EQ(request.name, "rbp");
    EXPECT_EQ(request.options.cut, Cut::none);
  }
  for (const char* name : {"rbp.", "rbp.0", "rbp.x", "rbp.9x", "precision.95"}) {
    EXPECT_FALSE(load("metrics: {preset: ranx, names: [\"" + std::string(name) + "\"]}\n").has_value()) << name;
  }
}

TEST(Presets, have_their_part_of_the_default_list) {
  for (const Preset& preset : all_presets()) {
    const Config config = good("metrics: {preset: " + std::string(preset.name) + "}\n");
    EXPECT_GE(config.spec.metrics.requests.size(), 4U) << preset.name;
    for (const MetricRequest& request : config.spec.metrics.requests)
      EXPECT_NE(request.name, "distinct_items") << preset.name;
  }
}

// Every row loads, by the tool's name and by ours; every refusal is one.
TEST(Presets, are_sound) {
  for (const Preset& preset : all_presets()) {
    const auto entry = [&](std::string_view name) {
      return "catalog: {size: 9}\nmetrics: {names: [{name: " + std::string(name) + ", preset: " + std::string(preset.name) +
             "}]}\n";
    };
    for (const PresetName& row : preset.names) {
      const MetricRequest request = good(entry(row.name)).spec.metrics.requests.at(0);
      EXPECT_EQ(request.name, row.metric);
      std::string key(row.name);
      std::ranges::replace(key, '-', '_');
      EXPECT_EQ(request.as.value_or(request.name), key);
      EXPECT_EQ(good(entry(row.metric)).spec.metrics.requests.at(0).name, row.metric);
      // A tool's name that is also one of ours means it.
      if (find_metric(row.name) == nullptr) continue;
      EXPECT_EQ(row.name, row.metric) << preset.name;
    }
    for (const PresetRefusal& refusal : preset.refused) {
      EXPECT_EQ(preset.find(refusal.name), nullptr) << preset.name << " " << refusal.name;
      EXPECT_FALSE(load(entry(refusal.name)).has_value()) << preset.name << " " << refusal.name;
    }
  }
}

TEST(Kafka, is_read_whole) {
  const Config config = good(R"(
kafka:
  brokers: "a:9092, b:9093,c"
  group: g
  start: -3d
  on_gap: stop
  align: 1m
  memory: 64MiB
  properties: {security.protocol: SASL_SSL, sasl.password: "${SECRET}"}
)");
  EXPECT_EQ(config.kafka.brokers, "a:9092, b:9093,c");
  EXPECT_EQ(config.kafka.start, KafkaSpec::Start::ago);
  EXPECT_EQ(config.kafka.start_ago, Duration{259'200'000});
  EXPECT_EQ(config.kafka.on_gap, KafkaSpec::OnGap::stop);
  EXPECT_EQ(config.kafka.properties.at("sasl.password"), "hunter2");
  EXPECT_EQ(good("kafka: {start: latest}\n").kafka.start, KafkaSpec::Start::latest);
  EXPECT_EQ(good("kafka: {start: 2026-11-20T00:00:00Z}\n").kafka.start_time.ms, 1'795'132'800'000);
}

TEST(Outputs, are_on_when_written) {
  const Config config = good(R"(
dead_letter: {file: bad.jsonl, fates: [late]}
state: {dir: "${HOME_DIR}/state", memory: 2GiB, checkpoint_every: 250ms, durability: process, keep_results: 0s}
publish:
  every: 1s
  file: {}
  kafka: {}
  experiments: {file: looks.jsonl, topic: looks}
  http: {listen: "[::1]:0"}
)");
  EXPECT_EQ(config.publish.experiments.file, "looks.jsonl");
  EXPECT_EQ(config.publish.experiments.topic, "looks");
  EXPECT_EQ(config.dead_letter->file, "bad.jsonl");
  EXPECT_TRUE(config.dead_letter->late);
  EXPECT_FALSE(config.dead_letter->invalid);
  EXPECT_EQ(config.state.dir, "/home/me/state");
  EXPECT_EQ(config.publish.file->path, "windows.jsonl");
  EXPECT_EQ(config.publish.kafka->topic, "recmeter.windows");
  EXPECT_EQ(config.publish.http.host, "::1");
  EXPECT_EQ(config.publish.http.port, 0);
  EXPECT_EQ(good("dead_letter: {}\n").dead_letter->topic, "recmeter.dead-letter");
}

TEST(Publish, has_every_limit_of_the_server) {
  const PublishSpec::HttpLimits limits = good(R"(publish:
  http:
    listen: 0.0.0.0:8080
    force: true
    hosts: [metrics.example.org, recmeter]
    probes: 0.0.0.0:8081
    limits: {connections_max: 1, peer_connections_max: 2, header_bytes_max: 4KiB, fields_max: 10, body_bytes_max: 3KiB,
      pending_bytes_max: 2MiB, stream_bytes_max: 32KiB, header: 1s, body: 2s, idle: 3s, write: 4s, linger: 5s, heartbeat: 6s,
      retry: 7s}
)")
                                             .publish.http.limits;
  EXPECT_EQ(
      (std::vector<std::size_t>{limits.connections_max, limits.peer_connections_max, limits.header_bytes_max,
                                limits.fields_max, limits.body_bytes_max, limits.pending_bytes_max, limits.stream_bytes_max}),
      (std::vector<std::size_t>{1, 2, 4096, 10, 3072, 2 << 20, 32 << 10}));
  std::int64_t seconds = 0;
  for (const Duration time :
       {limits.header, limits.body, limits.idle, limits.write, limits.linger, limits.heartbeat, limits.retry}) {
    EXPECT_EQ(time.ms, ++seconds * 1000);
  }
}

TEST(Publish, names_hosts_and_the_address_of_probes) {
  const PublishSpec::Http http =
      good("publish: {http: {hosts: [metrics.example.org, a], probes: \"0.0.0.0:8081\"}}\n").publish.http;
  EXPECT_EQ(http.hosts, (std::vector<std::string>{"metrics.example.org", "a"}));
  EXPECT_EQ(http.probes, "0.0.0.0:8081") << "without token: they tell nothing that needs one";
}

TEST(Publish, names_the_origins_that_may_show_the_page_in_a_frame) {
  const std::vector<std::string> origins{"https://grafana.example.org", "http://10.0.0.7:3000"};
  EXPECT_EQ(
      good("publish: {http: {embed: [\"https://grafana.example.org\", \"http://10.0.0.7:3000\"]}}\n").publish.http.embed,
      origins);
}

TEST(Scalars, are_not_guessed_at) {
  EXPECT_EQ(good("name: no\n").spec.name, "no");
  EXPECT_EQ(good("name: 1e3\n").spec.name, "1e3");
  EXPECT_EQ(good("name: \"null\"\n").spec.name, "null");
  EXPECT_EQ(good("threads: \"4\"\n").threads, 4U);
  EXPECT_EQ(good("threads: ${THREADS}\n").threads, 4U);
  EXPECT_EQ(good("name: ${NOWHERE:-a.b}\n").spec.name, "a.b");
}

// One line each: loads without a fault.
TEST(GoodConfigs, load) {
  const char* const configs[] = {
      "threads: 1024\n",
      "name: A-b_c.1\n",
      "join: {horizons: [1ms], assemble: 0s}\n",
      "join: {same_list: 10s}\n",
      "join: {skew: 1m}\n",
      "join: {skew: 10m}\ntime: {allowed_lateness: 10m}\n",
      "join: {key: list, actions: {click: }}\n",
      "join: {actions: {a: {gain: 30}}}\nmetrics: {gain: exp2}\n",
      "join: {actions: {a: {gain: 1000000}}}\n",
      "join: {actions: {a: {gain: 31}}}\nmetrics: {gain: exp2, names: [precision]}\n",
      "join: {actions: {rating: {gain: 0}}}\n",
      "time: {max_step: 0s, max_future_skew: 0s, allowed_lateness: 0s}\n",
      "windows: [{name: a, size: 7d, slide: 7d}]\n",
      "windows: [{name: a, size: 1s, slide: 250ms, offset: 249ms}]\n",
      "segments: []\n",
      "inputs: []\n",
      "segments: [[a], [b], [a, b]]\n",
      "metrics: {cutoffs: [1000], confidence: 0.5}\n",
      "metrics: {cutoffs: [5000]}\nlimits: {list_items: 5000}\n",
      "limits: {list_items: 5}\n",
      "limits: {message_bytes: 256MiB, invalid_share: 1, lost_share: 0}\n",
      "ratings: {min: 0, max: 1, extremes: [0.2, 0.8], reversal: 0.5, default_vote: 0.5, half_life: 1.5}\n",
      "ratings: {extremes: [1, 4]}\n",
      "off_policy: {}\nmetrics: {names: [ips, snips, dr, {name: ess, of: snips}, {name: ess, of: ips_clipped, clip: "
      "5}]}\nlanes: {names: [B]}\n",
      "off_policy: {propensities: conditional}\nmetrics: {names: [rips, slate_ips, {name: weight_mean, of: rips}]}\nlanes: "
      "{names: [B]}\n",
      "off_policy: {logging: factored, min_ess: 0}\nmetrics: {names: [pseudo_inverse]}\nlanes: {names: [B]}\n",
      "off_policy: {logging: uniform, max_weight_share: 1}\nmetrics: {names: [replay_match, matches]}\nlanes: {names: [B]}\n",
      "off_policy: {reward: value}\nmetrics: {names: [{name: ips, action: purchase}]}\nlanes: {names: [B]}\n",
      "inputs: [{file: a, fields: {user_id: team, list_id: latency_ms, segments: teams}}]\n",
      "ratings: {min: 0, max: 1, extremes: [0.2, 0.8], reversal: 0.5, default_vote: 0.5, liked: 1}\n",
      "kafka: {properties: {}}\n",
      "publish: {http: {listen: \"localhost:9090\"}}\n",
      "publish: {http: }\n",
      "inputs: [{topic: a, types: {}, fields: {}}]\n",
      "inputs:\n- {file: \"-\", format: kcat}\n",
      "{\"threads\": 2, \"windows\": [{\"name\": \"m\", \"size\": \"1m\"}]}\n",
      "threads: 2 # two\n...\n",
  };
  for (const char* yaml : configs) (void)good(yaml);
}

}  // namespace
}  // namespace recmeter::testing
