// The pages against the code: names are complete, examples load, worked numbers come out. Links are scripts/style.py's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "config/keys.h"
#include "config/load_config.h"
#include "docs/page.h"
#include "recmeter/event/decoder.h"
#include "recmeter/event/fate.h"
#include "recmeter/metric/estimate.h"
#include "recmeter/metric/plan.h"
#include "recmeter/metric/registry.h"
#include "recmeter/result/render.h"
#include "recmeter/result/report.h"
#include "recmeter/result/row.h"
#include "support/parsed_json.h"

namespace recmeter::docs {
namespace {

const std::array all_pages{
    "README.md",          "docs/events.md",          "docs/rows.md",         "docs/metrics.md",          "docs/semantics.md",
    "docs/interfaces.md", "docs/troubleshooting.md", "docs/architecture.md", "docs/choosing-metrics.md", "docs/logs.md",
    "docs/outputs.md",    "docs/configuration.md"};
constexpr double four_decimals = 0.5e-4;

std::set<std::string> first_words(const Page& page, std::string_view section) {
  std::set<std::string> out;
  for (const auto& row : page.table_rows(section)) {
    const auto spans = code_spans(row.front());
    if (!spans.empty()) out.insert(spans.front());
  }
  return out;
}

double number(std::string_view text) {
  double value = std::nan("");
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  EXPECT_TRUE(read.ec == std::errc() && read.ptr == text.data() + text.size()) << "'" << text << "' is no number";
  return value;
}

TEST(DocsConfiguration, every_key_stands_under_its_kind) {
  const Page page("docs/configuration.md");
  for (const auto& [section, kind] : std::map<std::string, KeyKind>{
           {"Free keys", KeyKind::free}, {"Additive keys", KeyKind::additive}, {"Meaning keys", KeyKind::meaning}}) {
    std::set<std::string> keys;
    for (const ConfigKey& key : config_keys()) {
      if (key.kind == kind) keys.emplace(key.name);
    }
    if (kind == KeyKind::meaning) keys.insert("join.horizons");  // the longest
    EXPECT_EQ(first_words(page, section), keys) << section;
  }
}

TEST(DocsInterfaces, every_key_of_the_configuration_is_shown) {
  const std::string shown = Page("docs/interfaces.md").blocks("yaml").at(0);
  for (const ConfigKey& key : config_keys()) {
    std::string name(key.name);
    name.erase(0, name.rfind('.') + 1);
    EXPECT_NE(shown.find(name), std::string::npos) << key.name;
  }
}

TEST(DocsMetrics, each_metric_of_the_registry_has_a_heading) {
  const auto headings = Page("docs/metrics.md").headings();
  for (const MetricDefinition* metric : all_metrics()) {
    EXPECT_EQ(std::count(headings.begin(), headings.end(), metric->name), 1) << metric->name;
  }
}

TEST(DocsMetrics, the_worked_average_is_the_one_computed) {
  GroupSums sums;
  const auto add = [&sums](std::size_t group, double value) {
    sums.value[group] += to_q32(value);
    ++sums.lists[group];
    sums.evidence[group] += value > 0 ? 1U : 0U;
  };
  add(1, 0.4);
  add(1, 0);
  add(2, 0.2);
  add(3, 0);
  const Estimate estimate = estimate_mean(sums, {0, 1}, 0.95);
  const std::map<std::string, std::optional<double>> computed{{"value", estimate.value},
                                                              {"relevant_share", estimate.relevant_share},
                                                              {"given_relevant", estimate.given_relevant},
                                                              {"se", estimate.se}};
  EXPECT_FALSE(estimate.ci);
  std::size_t compared = 0;
  for (const auto& row : Page("docs/metrics.md").table_rows("Averaging")) {
    const auto spans = code_spans(row.front());
    if (spans.empty() || row.size() != 3) continue;  // the definitions, and the four lists
    if (spans[0] == "ci") {
      EXPECT_EQ(row[1], "null");
      continue;
    }
    ASSERT_TRUE(computed.contains(spans[0])) << spans[0];
    EXPECT_NEAR(number(row[1]), computed.at(spans[0]).value_or(-1), four_decimals) << spans[0];
    ++compared;
  }
  EXPECT_EQ(compared, computed.size());
}

TEST(DocsTroubleshooting, names_every_fate_and_no_other) {
  std::set<std::string> fates;
  for (const Fate fate :
       {Fate::invalid, Fate::ignored, Fate::future, Fate::late, Fate::duplicate, Fate::accepted, Fate::undecided}) {
    fates.insert(std::string(to_string(fate)));
  }
  EXPECT_EQ(first_words(Page("docs/troubleshooting.md"), "Fates"), fates);
}

TEST(DocsTroubleshooting, names_every_invalid_reason_in_the_order_in_which_they_apply) {
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < invalid_reason_count; ++i) reasons.emplace_back(to_string(static_cast<InvalidReason>(i)));
  std::vector<std::string> named;
  for (const auto& row : Page("docs/troubleshooting.md").table_rows("Invalid reasons")) {
    named.push_back(code_spans(row.front()).at(0));
  }
  EXPECT_EQ(named, reasons);
}

TEST(DocsExamples, every_json_block_is_valid_json) {
  std::size_t count = 0;
  for (const char* path : all_pages) {
    for (const std::string& block : Page(path).blocks("json")) {
      EXPECT_TRUE(nlohmann::json::accept(block)) << path << ":\n" << block;
      ++count;
    }
  }
  EXPECT_GT(count, 0U);
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
  std::vector<std::string> out;
  for (const auto& [key, value] : object.items()) out.push_back(key);
  return out;
}

TEST(DocsExamples, the_row_shown_has_the_keys_that_rows_have) {
  Row row;
  row.start = EventTime{1'700'000'040'000};
  row.metrics.push_back({.key = "precision@10",
                         .value = {},
                         .se = {},
                         .ci = {},
                         .has_evidence = true,
                         .given_relevant = {},
                         .relevant_share = {}});
  const auto rendered = support::parsed_ordered_json(render_json(row));
  for (const char* path : {"docs/rows.md", "docs/interfaces.md"}) {
    const auto shown = support::parsed_ordered_json(Page(path).blocks("json").at(0));
    EXPECT_EQ(keys_of(shown), keys_of(rendered)) << path;
    EXPECT_EQ(keys_of(shown["metrics"]["precision@10"]), keys_of(rendered["metrics"]["precision@10"])) << path;
    EXPECT_EQ(shown["schema"], rendered["schema"]) << path;
    EXPECT_EQ(shown["start_utc"], rendered["start_utc"]) << path;
  }
}

TEST(DocsExamples, the_report_shown_has_the_keys_that_reports_have) {
  Report report;
  report.partitions.emplace_back();
  const auto rendered = support::parsed_ordered_json(render_json(report));
  const auto shown = support::parsed_ordered_json(Page("docs/interfaces.md").blocks("json").at(1));
  EXPECT_EQ(keys_of(shown), keys_of(rendered));
  for (const char* key : {"events", "feedback", "rows"}) EXPECT_EQ(keys_of(shown[key]), keys_of(rendered[key])) << key;
  EXPECT_EQ(keys_of(shown["partitions"][0]), keys_of(rendered["partitions"][0]));
  EXPECT_EQ(keys_of(shown["partitions"][0]["disorder"]), keys_of(rendered["partitions"][0]["disorder"]));
  EXPECT_EQ(shown["schema"], rendered["schema"]);
}

TEST(DocsExamples, the_key_shown_is_that_of_rows_in_a_topic) {
  const Row row{.evaluator = "default",
                .config = {},
                .window = "minute",
                .start = EventTime{1'700'000'040'000},
                .end = {},
                .horizon = Duration{1'800'000},
                .segment = {{"variant", "A"}},
                .revision = {},
                .incomplete = {},
                .feedback = {},
                .metrics = {}};
  const auto shown = Page("docs/outputs.md").blocks("json");
  EXPECT_NE(std::find(shown.begin(), shown.end(), render_key(row) + "\n"), shown.end()) << render_key(row);
}

TEST(DocsExamples, every_record_shown_is_decoded_to_events) {
  DecoderOptions options;
  options.actions = {"click", "purchase"};
  options.candidates = {"B"};
  options.reads.policies = true;
  options.reads.recommender = true;
  const auto decoder = make_decoder(options);
  std::set<EventKind> kinds;
  for (const char* path : all_pages) {
    for (const std::string& block : Page(path).blocks("jsonl")) {
      RecordBatch records;
      std::istringstream lines(block);
      for (std::string line; std::getline(lines, line);) {
        records.records.push_back(
            {.offset = records.bytes.size(), .size = line.size(), .broker_time = {}, .tombstone = false});
        records.bytes.insert(records.bytes.end(), line.begin(), line.end());
      }
      records.bytes.resize(records.bytes.size() + RecordBatch::padding);
      const EventBatch batch = decoder->decode(records);
      for (const Event& event : batch.events()) {
        EXPECT_EQ(event.outcome, Outcome::event) << to_string(event.reason) << " in\n" << block;
        kinds.insert(event.kind);
      }
    }
  }
  EXPECT_EQ(kinds,
            (std::set{EventKind::impression, EventKind::row, EventKind::feedback, EventKind::candidate, EventKind::policy}));
}

TEST(DocsExamples, every_configuration_shown_loads) {
  std::size_t count = 0;
  for (const char* path : all_pages) {
    for (const std::string& block : Page(path).blocks("yaml")) {
      const auto config = load_config(block, path, process_context());
      ASSERT_TRUE(config) << path << ": " << config.error().front().message << "\n" << block;
      ++count;
    }
  }
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace recmeter::docs
