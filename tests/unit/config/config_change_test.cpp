// Which keys may change over a restart, and what a change is.
#include "config/config_change.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "config/document.h"
#include "config/readers.h"
#include "loading.h"

namespace recmeter::testing {
namespace {

struct Case {
  const char* key;  // of config_keys()
  const char* before;
  const char* now;
  const char* place = "";  // of the change; empty: the key
};

constexpr const char* topic = "inputs: [{topic: a}]";

// One of every key.
constexpr const char* judged = "{off_policy: {}, metrics: {names: [ips]}, lanes: {names: [B]}}";

const std::vector<Case> cases{
    {"threads", "", "threads: 3"},
    {"name", "", "name: b"},
    {"inputs[].topic", topic, "inputs: [{topic: a}, {topic: b}]", "inputs"},
    {"inputs[].file", topic, "inputs: [{topic: a}, {file: b}]"},
    {"inputs[].format", topic, topic},   // topics have one
    {"inputs[].shape", topic, topic},    // what it fills in is compared
    {"inputs[].records", topic, topic},  // of files
    {"inputs[].root", topic, "inputs: [{topic: a, root: data}]", "inputs(a).root"},
    {"inputs[].absent", topic, "inputs: [{topic: a, absent: [NA]}]", "inputs(a).absent"},
    {"inputs[].text_numbers", topic, "inputs: [{topic: a, text_numbers: true}]", "inputs(a).text_numbers"},
    {"inputs[].entries", topic, "inputs: [{topic: a, entries: {k: v}}]", "inputs(a).entries"},
    {"inputs[].events", "inputs: [{topic: a, fields: {ts: t}, events: [{type: click}]}]",
     "inputs: [{topic: a, fields: {ts: t}, events: [{type: click, when: {e: c}}]}]", "inputs(a).events"},
    {"inputs[].events", "inputs: [{topic: a, fields: {ts: t}, events: [{type: click, fields: {items: {zip: [i, c]}}}]}]",
     "inputs: [{topic: a, fields: {ts: t}, events: [{type: click, fields: {items: {zip: [i, d]}}}]}]", "inputs(a).events"},
    {"inputs[].zone", topic, "inputs: [{topic: a, zone: UTC}]", "inputs(a).zone"},
    {"inputs[].schema", "inputs: [{topic: a, format: avro, schema: a.avsc}]",
     "inputs: [{topic: a, format: avro, schema: b.avsc}]", "inputs(a).schema"},
    {"inputs[].message", "inputs: [{topic: a, format: protobuf, schema: s, message: a.A}]",
     "inputs: [{topic: a, format: protobuf, schema: s, message: a.B}]", "inputs(a).message"},
    {"inputs[].registry.url", topic, topic},  // who is asked changes no answer
    {"inputs[].registry.user", topic, topic},
    {"inputs[].registry.password", topic, topic},
    {"inputs[].registry.ca", topic, topic},
    {"inputs[].registry.certificate", topic, topic},
    {"inputs[].registry.key", topic, topic},
    {"inputs[].csv.delimiter", "inputs: [{topic: a, format: csv, csv: {header: false}}]",
     "inputs: [{topic: a, format: csv, csv: {header: false, delimiter: ;}}]", "inputs(a).csv.delimiter"},
    {"inputs[].csv.quote", "inputs: [{topic: a, format: csv, csv: {header: false}}]",
     "inputs: [{topic: a, format: csv, csv: {header: false, quote: none}}]", "inputs(a).csv.quote"},
    {"inputs[].csv.escape", "inputs: [{topic: a, format: csv, csv: {header: false}}]",
     "inputs: [{topic: a, format: csv, csv: {header: false, escape: '\\'}}]", "inputs(a).csv.escape"},
    {"inputs[].csv.decimal", "inputs: [{topic: a, format: csv, csv: {header: false}}]",
     "inputs: [{topic: a, format: csv, csv: {header: false, decimal: ','}}]", "inputs(a).csv.decimal"},
    {"inputs[].csv.comment", topic, topic},  // of files
    {"inputs[].csv.skip", topic, topic},
    {"inputs[].csv.header", "inputs: [{topic: a, format: csv, fields: {ts: $1}}]",
     "inputs: [{topic: a, format: csv, csv: {header: false}, fields: {ts: $1}}]", "inputs(a).csv.header"},
    {"inputs[].csv.columns", "inputs: [{topic: a, format: csv, csv: {header: false}}]",
     "inputs: [{topic: a, format: csv, csv: {header: false, columns: [ts]}}]", "inputs(a).csv.columns"},
    {"inputs[].fields", topic, "inputs: [{topic: a, fields: {ts: time}}]", "inputs(a).fields.ts"},
    {"inputs[].fields", topic, "inputs: [{topic: a, fields: {items.item_id: sku}}]", "inputs(a).fields.items.item_id"},
    {"inputs[].fields", topic, "inputs: [{topic: a, fields: {items.value: eur}}]", "inputs(a).fields.items.value"},
    {"inputs[].types", topic, "inputs: [{topic: a, types: {c: click}}]", "inputs(a).types"},
    {"inputs[].unit", topic, "inputs: [{topic: a, unit: s}]", "inputs(a).unit"},
    {"inputs[].position_base", topic, "inputs: [{topic: a, position_base: 0}]", "inputs(a).position_base"},
    {"inputs[].allowed_lateness", topic, "inputs: [{topic: a, allowed_lateness: 2m}]", "inputs(a).allowed_lateness"},
    {"inputs[].idle_after", topic, "inputs: [{topic: a, idle_after: 2m}]"},
    {"join.key", "metrics: {names: [mrr]}", "{metrics: {names: [mrr]}, join: {key: list}}"},
    {"join.credit", "", "join: {credit: first_touch}"},
    {"join.horizons", "", "join: {horizons: [30m, 5m]}"},
    {"join.horizons", "join: {horizons: [30m, 5m]}", "join: {horizons: [30m, 10m]}"},
    {"join.actions", "join: {actions: {click: }}", "join: {actions: {click: , buy: }}"},
    {"join.actions", "join: {actions: {click: , buy: }}", "join: {actions: {buy: , click: }}"},
    {"join.actions.*.gain", "", "join: {actions: {click: {gain: 2}, purchase: {gain: 3, after: click}}}",
     "join.actions.click.gain"},
    {"join.actions.*.horizon", "join: {actions: {click: }}", "join: {actions: {click: {horizon: 5m}}}",
     "join.actions.click.horizon"},
    {"join.actions.*.after", "join: {actions: {click: , buy: }}", "join: {actions: {click: , buy: {after: click}}}",
     "join.actions.buy.after"},
    {"join.actions.*.from", "join: {actions: {click: , rating: }}", "join: {actions: {click: , rating: {from: 4}}}",
     "join.actions.rating.from"},
    {"join.actions.*.from", "join: {actions: {click: , rating: {from: 4}}}",
     "join: {actions: {click: , rating: {from: user_mean}}}", "join.actions.rating.from"},
    {"join.actions.*.undoes", "join: {actions: {click: , back: {gain: 0}}}",
     "join: {actions: {click: , back: {undoes: click}}}", "join.actions.back.undoes"},
    {"join.actions.*.once", "join: {actions: {click: , buy: }}", "join: {actions: {click: , buy: {once: event_id}}}",
     "join.actions.buy.once"},
    {"join.actions.*.on", "join: {actions: {click: , thumb: {gain: 0}}}", "join: {actions: {click: , thumb: {on: list}}}",
     "join.actions.thumb.on"},
    {"join.skew", "", "join: {skew: 1s}"},
    {"join.same_list", "", "join: {same_list: 1h}"},
    {"join.assemble", "", "join: {assemble: 1s}"},
    {"join.whole_lists", "", "join: {whole_lists: own}"},
    {"join.not_users", "", "join: {not_users: [a]}"},
    {"time.allowed_lateness", topic, "{inputs: [{topic: a}], time: {allowed_lateness: 2m}}", "inputs(a).allowed_lateness"},
    {"time.max_future_skew", "", "time: {max_future_skew: 1m}"},
    {"time.max_step", "", "time: {max_step: 1m}"},
    {"time.idle_after", topic, "{inputs: [{topic: a}], time: {idle_after: 2m}}"},
    {"windows[].name", "", "windows: [{name: m, size: 1m}]", "windows"},
    {"windows[].size", "", "windows: [{name: minute, size: 2m}]", "windows"},
    {"windows[].slide", "", "windows: [{name: minute, size: 1m, slide: 30s}]", "windows"},
    {"windows[].offset", "", "windows: [{name: minute, size: 1m, offset: 1s}]", "windows"},
    {"segments[].keys", "", "segments: [[variant]]", "segments"},
    {"segments[].keep", "segments: [[v]]", "segments: [{keys: [v], keep: [A]}]", "segments"},
    {"catalog.size", "catalog: {size: 3}", "catalog: {size: 4}", "catalog"},
    {"catalog.file", "catalog: {size: 3}", "catalog: {file: items.txt}", "catalog"},
    {"metrics.cutoffs", "", "metrics: {cutoffs: [1, 5]}"},
    {"metrics.names", "", "metrics: {names: [mrr]}"},
    {"metrics.names", "metrics: {names: [mrr]}", "metrics: {names: [{name: mrr, as: m}]}", "metrics.names"},
    {"metrics.gain", "", "metrics: {gain: exp2}", "metrics.names"},
    {"metrics.ap_denominator", "", "metrics: {ap_denominator: k}", "metrics.names"},
    {"metrics.beta", "metrics: {names: [fbeta]}", "metrics: {names: [fbeta], beta: 1}", "metrics.names"},
    {"metrics.confidence", "", "metrics: {confidence: 0.9}"},
    {"metrics.preset", "metrics: {names: [mrr]}", "metrics: {names: [mrr], preset: trec_eval}", "metrics.names"},
    {"metrics.popularity.period", "", "metrics: {popularity: {period: 1h}}"},
    {"metrics.popularity.step", "", "metrics: {popularity: {step: 1m}}"},
    {"metrics.popularity.top", "", "metrics: {popularity: {top: 9}}"},
    {"metrics.examination.first", "metrics: {examination: {first: 0.1, by_rank: [1]}}",
     "metrics: {examination: {first: 0.2, by_rank: [1]}}"},
    {"metrics.examination.by_rank", "metrics: {examination: {first: 0.1, by_rank: [1]}}",
     "metrics: {examination: {first: 0.1, by_rank: [1, 0.5]}}"},
    {"ratings.min", "", "ratings: {min: 0}"},
    {"ratings.max", "", "ratings: {max: 6}"},
    {"ratings.extremes", "", "ratings: {extremes: [2, 3]}"},
    {"ratings.reversal", "", "ratings: {reversal: 2}"},
    {"ratings.half_life", "", "ratings: {half_life: 2}"},
    {"ratings.default_vote", "", "ratings: {default_vote: 2}"},
    {"ratings.liked", "", "ratings: {liked: 3}"},
    {"lanes.names", "lanes: {names: [B]}", "lanes: {names: [B, C]}"},
    {"lanes.logged", "lanes: {names: [B]}", "lanes: {names: [B], logged: shadow}"},
    {"lanes.credit", "lanes: {names: [B]}", "lanes: {names: [B], credit: last_touch}"},
    {"lanes.pairs", "lanes: {names: [B]}", "lanes: {names: [B], pairs: true}"},
    {"lanes.unjudged", "lanes: {names: [B]}", "lanes: {names: [B], unjudged: drop}"},
    {"off_policy.propensities", "{off_policy: {logging: factored}, metrics: {names: [pseudo_inverse]}, lanes: {names: [B]}}",
     "{off_policy: {logging: factored, propensities: conditional}, metrics: {names: [pseudo_inverse]}, lanes: {names: [B]}}"},
    {"off_policy.reward", judged, "{off_policy: {reward: hits}, metrics: {names: [ips]}, lanes: {names: [B]}}"},
    {"off_policy.logging", judged, "{off_policy: {logging: factored}, metrics: {names: [ips]}, lanes: {names: [B]}}"},
    {"off_policy.min_ess", judged, "{off_policy: {min_ess: 0}, metrics: {names: [ips]}, lanes: {names: [B]}}"},
    {"off_policy.max_weight_share", judged,
     "{off_policy: {max_weight_share: 1}, metrics: {names: [ips]}, lanes: {names: [B]}}"},
    {"attribution.windows", "attribution: {windows: [hour]}", "attribution: {windows: [hour, day]}"},
    {"attribution.keep", "attribution: {windows: [hour]}", "attribution: {windows: [hour], keep: 9d}"},
    {"attribution.ranks", "attribution: {windows: [hour]}", "attribution: {windows: [hour], ranks: true}"},
    {"attribution.item_group", "{catalog: {file: items.txt}, attribution: {windows: [hour]}}",
     "{catalog: {file: items.txt}, attribution: {windows: [hour], item_group: genre}}"},
    {"limits.list_items", "", "limits: {list_items: 9}"},
    {"limits.id_bytes", "", "limits: {id_bytes: 9}"},
    {"limits.segment_bytes", "", "limits: {segment_bytes: 9}"},
    {"limits.message_bytes", "", "limits: {message_bytes: 2MiB}"},
    {"limits.segment_values", "", "limits: {segment_values: 9}"},
    {"limits.distinct_items", "", "limits: {distinct_items: 9}"},
    {"limits.compared_lists", "", "limits: {compared_lists: 9}"},
    {"limits.windows_per_list", "", "limits: {windows_per_list: 9}"},
    {"limits.values_per_list", "", "limits: {values_per_list: 999}"},
    {"limits.values_per_day", "", "limits: {values_per_day: 99999}"},
    {"limits.tolerated_reasons", "", "limits: {tolerated_reasons: [no_type]}"},
    {"limits.invalid_share", "", "limits: {invalid_share: 0.1}"},
    {"limits.lost_share", "", "limits: {lost_share: 0.1}"},
    {"kafka.*", "",
     "kafka: {brokers: b, group: g, start: latest, on_gap: stop, align: 1m, memory: 1MiB, properties: {debug: x}}"},
    {"dead_letter.*", "", "dead_letter: {topic: d}"},
    {"state.*", "", "state: {dir: d, memory: 64MiB, checkpoint_every: 2s, keep_results: 1d}"},
    {"publish.*", "", "publish: {every: 1s, file: {path: p}, kafka: {topic: t}, experiments: {file: e, topic: u}}"},
};

Config good(std::string_view yaml) {
  auto config = load(yaml);
  if (config) return std::move(*config);
  ADD_FAILURE() << yaml << "\n" << all_text(config.error());
  return {};
}

std::string text_of(const std::vector<ConfigChange>& changes) {
  std::string text;
  for (const ConfigChange& change : changes) {
    text += fmt::format("{} {}: {} -> {}\n", change.kind == KeyKind::meaning ? "meaning" : "additive", change.place,
                        change.was, change.is);
  }
  return text;
}

// `state.*` stands for all of a section.
bool is_of(const ConfigKey& key, std::string_view name) {
  if (!name.ends_with(".*")) return key.name == name;
  return key.name.starts_with(name.substr(0, name.size() - 1));
}

KeyKind kind_of(std::string_view name) {
  const auto keys = config_keys();
  const auto found = std::ranges::find_if(keys, [&](const ConfigKey& key) { return is_of(key, name); });
  EXPECT_NE(found, keys.end()) << name;
  return found->kind;
}

TEST(ConfigChange, of_a_key_is_of_its_kind_and_the_only_one) {
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.key) + ": " + c.now);
    const std::vector<ConfigChange> changes = config_changes(good(c.before), good(c.now));
    if (kind_of(c.key) == KeyKind::free || std::string_view(c.now) == c.before) {
      EXPECT_EQ(text_of(changes), "");
      continue;
    }
    ASSERT_EQ(changes.size(), 1U) << text_of(changes);
    EXPECT_EQ(changes[0].kind, kind_of(c.key));
    EXPECT_EQ(changes[0].place, std::string_view(c.place).empty() ? c.key : c.place);
    EXPECT_NE(changes[0].was, changes[0].is);
  }
}

// What was an unknown key is missing in the events that are kept.
TEST(ConfigChange, of_the_fields_that_are_read_is_one_of_meaning) {
  const Config before = good("metrics: {names: [mrr]}");
  const Config now = good("metrics: {names: [mrr, {name: latency, p: 0.5}]}");
  EXPECT_NE(text_of(config_changes(before, now)).find("meaning latency_ms of impressions: not read -> read\n"),
            std::string::npos);
  const Config more = good("metrics: {names: [mrr, latency, {name: latency, p: 0.5}]}");
  EXPECT_EQ(text_of(config_changes(now, more)).find("meaning"), std::string::npos);
}

// Keys as config_keys() calls them: what is read of a configuration that has one of everything.
std::set<std::string> keys_that_are_read() {
  constexpr const char* everything =
      "inputs: [{topic: a, fields: {ts: t}}]\njoin: {actions: {click: {gain: 1}}}\nwindows: [{name: m, size: 1m}]\n"
      "segments: [{keys: [a], keep: [A]}]\ncatalog: {size: 3}\nmetrics: {names: [{name: mrr}, ips]}\ndead_letter: {topic: "
      "d}\n"
      "off_policy: {}\n"
      "lanes: {names: [B]}\nattribution: {windows: [m]}\n"
      "publish: {file: {path: p}, kafka: {topic: t}, experiments: {file: e}}\n";
  config::Faults faults("everything.yaml");
  const auto document = config::parse_document(everything, test_context().environment, faults);
  EXPECT_TRUE(document);
  (void)config::read_config(*document, test_context(), faults);
  EXPECT_TRUE(faults.empty()) << all_text(faults.all());
  std::set<std::string> keys;
  for (const auto& [section, names] : faults.known()) {
    for (const std::string& name : names) {
      std::string key = std::regex_replace(config::joined(section, name), std::regex(R"(\[\d+\])"), "[]");
      key = std::regex_replace(key, std::regex(R"(^join\.actions\.click\.)"), "join.actions.*.");
      key = std::regex_replace(key, std::regex(R"(^(inputs\[\]\.fields|metrics\.names)(\[\])?\..*)"), "$1");
      keys.insert(std::move(key));
    }
  }
  // Sections are known by the keys in them.
  for (const char* section : {"attribution",
                              "inputs",
                              "lanes",
                              "inputs[].csv",
                              "inputs[].registry",
                              "join",
                              "time",
                              "windows",
                              "segments",
                              "catalog",
                              "metrics",
                              "metrics.popularity",
                              "metrics.examination",
                              "ratings",
                              "off_policy",
                              "limits",
                              "kafka",
                              "dead_letter",
                              "state",
                              "publish",
                              "publish.file",
                              "publish.kafka",
                              "publish.experiments",
                              "publish.http",
                              "publish.http.limits"}) {
    EXPECT_EQ(keys.erase(section), 1U) << section;
  }
  return keys;
}

// What no run with a state looks at, but `recmeter prequential`: no state keeps it. And experiments, whose changes are judged
// one by one (app/attach/experiment_plans.h).
bool is_of_bounded_runs(const std::string& key) {
  return key.starts_with("prequential") || key.starts_with("recommenders") || key.starts_with("limits.recommender_") ||
         key.starts_with("experiments") || key == "limits.experiment_users";
}

TEST(ConfigChange, every_key_has_a_kind_and_a_case) {
  std::set<std::string> with_kind, with_case;
  for (const ConfigKey& key : config_keys()) {
    if (is_of_bounded_runs(key.name)) {
      EXPECT_EQ(key.kind, KeyKind::free) << key.name;
      continue;
    }
    EXPECT_TRUE(with_kind.emplace(key.name).second) << key.name;
    const auto is_its = [&](const Case& c) { return is_of(key, c.key); };
    if (std::ranges::any_of(cases, is_its)) with_case.insert(key.name);
  }
  std::set<std::string> read = keys_that_are_read();
  std::erase_if(read, is_of_bounded_runs);
  EXPECT_EQ(with_kind, read);
  EXPECT_EQ(with_case, with_kind);
}

TEST(ConfigChange, of_the_longest_horizon_is_one_of_meaning) {
  const auto changes = config_changes(good("join: {horizons: [5m, 30m]}"), good("join: {horizons: [5m, 1h]}"));
  EXPECT_EQ(text_of(changes),
            "meaning the longest of join.horizons: 30m -> 1h\nadditive join.horizons: [5m, 30m] -> [5m, 1h]\n");
}

TEST(ConfigChange, is_what_a_key_comes_to) {
  for (const auto& [before, now] : std::map<std::string, std::string>{
           {"", "{name: default, join: {horizons: [30m], skew: 0s}, limits: {list_items: 1000}}"},
           {"inputs: [{topic: [a, b], unit: s}]", "inputs: [{topic: b, unit: s}, {topic: a, unit: s}]"},
           {"inputs: [{topic: a, allowed_lateness: 2m}]", "{inputs: [a], time: {allowed_lateness: 2m}}"},
           {"join: {horizons: [1h]}", "join: {horizons: [60m]}"},
           {"metrics: {names: [{name: ndcg_list, gain: exp2}]}", "metrics: {names: [ndcg_list], gain: exp2}"},
           {"name: ${SECRET}", "name: hunter2"}}) {
    EXPECT_EQ(text_of(config_changes(good(before), good(now))), "") << before << " / " << now;
  }
}

TEST(ConfigChange, tells_all_of_them) {
  const auto changes = config_changes(
      good("inputs: [a, b]"),
      good("{inputs: [{topic: a, unit: s}, {topic: c}], join: {credit: every_touch}, windows: [{name: hour, size: 1h}]}"));
  EXPECT_EQ(text_of(changes),
            "meaning inputs: [a, b] -> [a, c]\nmeaning inputs(a).unit: ms -> s\n"
            "meaning join.credit: last_touch -> every_touch\n"
            "additive windows: [hour 1h by 1h at 0s, day 1d by 1d at 0s] -> [hour 1h by 1h at 0s]\n");
}

}  // namespace
}  // namespace recmeter::testing
