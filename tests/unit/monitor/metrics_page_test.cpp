#include "app/monitor/metrics_page.h"

#include <gtest/gtest.h>

#include <ctime>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "unit/monitor/shown_run.h"

namespace recmeter {
namespace {

using test::minute_ms;
using test::minute_row;
using test::shown_config;
using test::ShownRun;
using test::zero_ms;

std::string page(const ShownRun& run, const MetricsPageFacts& facts = {}, ExpositionFormat format = ExpositionFormat::text) {
  return metrics_page(run.schema, *run.snapshot.snapshot(), facts, format);
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

// What the sample is, to its last digits.
double value_of(const std::string& text, const std::string& sample) {
  const std::size_t at = ("\n" + text).find("\n" + sample + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + sample.size()));
}

// A page with every family there is.
std::string whole_page(ExpositionFormat format = ExpositionFormat::text) {
  ShownRun run;
  run.show(minute_row(0, "A"));
  run.snapshot.take(render(test::look_row(1, 0.1)));
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  status.brokers_reachable = 3;
  status.registries = {{.url = "http://registry:8081", .is_up = false, .asked = 3, .unknown = 7}};
  status.last_checkpoint = status.last_gap = EventTime{zero_ms};
  status.row_latency.add(Duration{2'000});
  status.files_lost = {{.setting = "publish.file.path", .count = 2, .last_row = 17},
                       {.setting = "dead_letter.file", .count = 1}};
  run.stands(status);
  return page(run, {.state_bytes = 5, .server = http::ServerCounts(), .process = process_facts()}, format);
}

// Names by TYPE, as OpenMetrics has them: without _total.
std::set<std::string> families_of(const std::string& text) {
  std::set<std::string> families;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) families.insert(line.substr(7, line.find(' ', 7) - 7));
  }
  return families;
}

bool is_of_a_metric(const std::string& family) {
  return family.starts_with("recmeter_precision") || family.starts_with("recmeter_mrr");
}

TEST(MetricsPage, has_the_newest_window_of_each_stage) {
  ShownRun run;
  for (std::int64_t n = 0; n < 3; ++n) run.show(minute_row(n, "A"));
  for (std::int64_t n = 3; n < 5; ++n) run.show(minute_row(n, "A", Stage::provisional, 0.5));
  const std::string text = page(run);
  const std::string labels = R"(window="minute",horizon="30m",segment_variant="A"})";
  EXPECT_TRUE(has_line(text, R"(recmeter_window_lists{stage="final",)" + labels + " 102")) << text;
  EXPECT_TRUE(has_line(text, R"(recmeter_window_lists{stage="provisional",)" + labels + " 104"));
  EXPECT_TRUE(has_line(text, R"(recmeter_window_matured{stage="provisional",)" + labels + " 0.5"));
  EXPECT_TRUE(has_line(text, R"(recmeter_window_incomplete{stage="provisional",)" + labels + " 0"));
  const std::string of = R"({stage="final",k="3",unit="list",)" + labels;
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_precision" + of), 0.202);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_precision_low" + of), 0.182);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_precision_high" + of), 0.222);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_precision_numerator" + of), 20.2);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_precision_denominator" + of), 100);
  EXPECT_EQ(text.find("recmeter_precision" + of + " 0.201\n"), std::string::npos);
}

TEST(MetricsPage, has_the_options_that_a_key_writes_as_labels) {
  Config config = shown_config();
  config.spec.metrics.requests.push_back({.name = "mrr", .as = {}, .options = {.action = "click"}});
  config.spec.metrics.requests.push_back({.name = "income", .as = {}, .options = {.action = "click", .cap = 2.5}});
  const auto schema = published_schema_of(config, "1.2.3");
  ASSERT_TRUE(schema);
  ShownRun run;
  Row row = minute_row(0, "");
  row.metrics.push_back(row.metrics.front());
  row.metrics.back().key = "mrr{action=click}@1";
  row.metrics.back().value = 0.5;
  row.metrics.push_back(row.metrics.front());
  row.metrics.back().key = "income{action=click,cap=2.5}";
  row.metrics.back().value = 0.25;
  run.show(row);
  const std::string text = metrics_page(*schema, *run.snapshot.snapshot(), {}, ExpositionFormat::text);
  const std::string labels = R"({stage="final",k="1",action="click",unit="list",window="minute",horizon="30m"})";
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_mrr_by_action" + labels), 0.5) << text;
  const std::string capped = R"({stage="final",action="click",cap="2.5",unit="pooled",window="minute",horizon="30m"})";
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_income_by_action" + capped), 0.25) << text;
}

TEST(MetricsPage, has_the_options_that_a_key_says_as_labels) {
  Config config = shown_config();
  config.spec.metrics.requests.push_back({.name = "rbp", .as = {}, .options = {.persistence = 0.5}});
  config.spec.metrics.requests.push_back({.name = "latency", .as = {}, .options = {.rank_share = 0.5}});
  config.spec.metrics.requests.push_back({.name = "latency", .as = {}, .options = {.slower_than = 500}});
  config.spec.metrics.requests.push_back({.name = "rbp", .as = {}, .options = {.persistence = 0.9, .action = "click"}});
  const auto schema = published_schema_of(config, "1.2.3");
  ASSERT_TRUE(schema);
  ShownRun run;
  Row row = minute_row(0, "");
  for (const char* key : {"rbp{p=0.5}@1", "latency{p=0.5}", "latency{slower_than=500}", "rbp{action=click,p=0.9}@1"}) {
    row.metrics.push_back(row.metrics.front());
    row.metrics.back().key = key;
  }
  run.show(row);
  const std::string text = metrics_page(*schema, *run.snapshot.snapshot(), {}, ExpositionFormat::text);
  const std::string labels = R"(window="minute",horizon="30m"})";
  EXPECT_NE(text.find(R"(recmeter_rbp{stage="final",k="1",p="0.5",unit="list",)" + labels), std::string::npos) << text;
  EXPECT_NE(text.find(R"(recmeter_latency{stage="final",p="0.5",)" + labels), std::string::npos) << text;
  EXPECT_NE(text.find(R"(recmeter_latency_slower_share{stage="final",slower_than="500",unit="list",)" + labels),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(recmeter_rbp_by_action{stage="final",k="1",action="click",p="0.9",unit="list",)" + labels),
            std::string::npos)
      << text;
}

TEST(MetricsPage, says_nothing_of_what_is_not_there) {
  ShownRun run;
  const std::string text = page(run);
  EXPECT_EQ(text.find("recmeter_precision"), std::string::npos);
  EXPECT_EQ(text.find("recmeter_watermark"), std::string::npos);
  Row row = minute_row(0, "");
  row.metrics[0].value.reset();
  row.metrics[0].ci.reset();
  run.show(row);
  EXPECT_EQ(page(run).find(R"(recmeter_precision{stage="final",k="1")"), std::string::npos) << "absent, not 0";
  EXPECT_NE(page(run).find(R"(recmeter_precision{stage="final",k="3")"), std::string::npos);
}

TEST(MetricsPage, has_no_window_that_is_not_the_newest) {
  ShownRun run;
  run.show(minute_row(0, "A"));
  run.stands(ShownRun::status_at(EventTime{zero_ms + 32 * minute_ms - 1}));
  EXPECT_NE(page(run).find("recmeter_window_lists"), std::string::npos);
  run.stands(ShownRun::status_at(EventTime{zero_ms + 32 * minute_ms}));
  EXPECT_EQ(page(run).find("recmeter_window_lists"), std::string::npos) << "minute 1 is final and had no lists";
}

TEST(MetricsPage, has_each_sample_once_and_each_family_in_one_piece) {
  ShownRun run;
  for (const char* variant : {"", "A", "B", "a\"b\\c\nd"}) {
    run.show(minute_row(0, variant));
    run.show(minute_row(1, variant, Stage::provisional, 0.5));
  }
  run.stands(ShownRun::status_at(EventTime{zero_ms}));
  std::set<std::string> samples;
  std::set<std::string> families;
  std::string family;
  std::istringstream lines(page(run, {.state_bytes = 5, .server = http::ServerCounts()}));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) {
      family = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(families.insert(family).second) << family;
    } else if (!line.starts_with("#")) {
      const std::string sample = line.substr(0, line.find_first_of("{ "));
      const std::set<std::string> of_family{family, family + "_bucket", family + "_sum", family + "_count"};
      EXPECT_TRUE(of_family.contains(sample)) << sample << " in " << family;
      EXPECT_TRUE(samples.insert(line.substr(0, line.rfind(' '))).second) << line;
    }
  }
  EXPECT_NE(page(run).find(R"(segment_variant="a\"b\\c\nd")"), std::string::npos);
}

TEST(MetricsPage, leaves_out_what_is_beyond_the_cap_and_counts_it) {
  ShownRun run;
  for (const char* variant : {"A", "B"}) run.show(minute_row(0, variant));
  const std::string text = page(run, {.state_bytes = {}, .server = {}, .series_max = 10});
  EXPECT_TRUE(has_line(text, "recmeter_series_capped 38")) << "2 rows of 4 + 4 x 5 samples less 10" << text;
  EXPECT_TRUE(has_line(page(run), "recmeter_series_capped 0"));
}

TEST(MetricsPage, tells_lag_as_far_as_it_is_known) {
  ShownRun run;
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  status.partitions[0].is_caught_up = true;
  status.partitions[0].in_open_transaction = 10;
  status.partitions[0].records_lost = 7;
  run.stands(status);
  std::string text = page(run);
  const std::string of = R"({partition="clicks/0"})";
  EXPECT_TRUE(has_line(text, "recmeter_partition_lag_records" + of + " 10")) << text;
  EXPECT_TRUE(has_line(text, "recmeter_partition_open_transaction_records" + of + " 10"));
  EXPECT_EQ(value_of(text, "recmeter_partition_lag_seconds" + of), 4);
  EXPECT_TRUE(has_line(text, "recmeter_lost_records_total" + of + " 7"));
  EXPECT_EQ(text.find("recmeter_brokers_reachable"), std::string::npos) << "not known yet";
  status.partitions[0].next_offset = 100;
  status.partitions[0].in_open_transaction = 0;
  run.stands(status);
  text = page(run);
  EXPECT_TRUE(has_line(text, "recmeter_partition_lag_records" + of + " 0"));
  EXPECT_EQ(value_of(text, "recmeter_partition_lag_seconds" + of), 0);
  status.partitions[0].end_offset.reset();
  status.partitions[0].is_caught_up = false;
  status.brokers_reachable = 0;
  status.unreachable = "no broker answers";
  run.stands(status);
  text = page(run);
  EXPECT_EQ(text.find("recmeter_partition_lag_records{"), std::string::npos) << "nobody knows";
  EXPECT_EQ(value_of(text, "recmeter_partition_lag_seconds" + of), 4);
  EXPECT_TRUE(has_line(text, "recmeter_brokers_reachable 0"));
  EXPECT_TRUE(has_line(text, "recmeter_ready 0"));
}

TEST(MetricsPage, says_why_it_is_not_ready) {
  ShownRun run;
  EXPECT_TRUE(has_line(page(run), R"(recmeter_not_ready{reason="starting"} 1)"));
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  const auto reasons = [&] {
    run.stands(status);
    const std::string text = page(run);
    std::string found;
    static const std::regex one("recmeter_not_ready\\{reason=\"([a-z_]+)\"\\} 1\n");
    for (std::sregex_iterator at(text.begin(), text.end(), one); at != std::sregex_iterator(); ++at) {
      found += (found.empty() ? "" : " ") + (*at)[1].str();
    }
    EXPECT_TRUE(has_line(text, "recmeter_ready " + std::string(found.empty() ? "1" : "0"))) << text;
    EXPECT_TRUE(has_line(text, "recmeter_held " + std::string(found == "group" ? "1" : "0"))) << text;
    return found;
  };
  EXPECT_EQ(reasons(), "");
  status.is_held = true;
  EXPECT_EQ(reasons(), "group");
  status.brokers_reachable = 0;
  status.unreachable = "no broker answers";
  EXPECT_EQ(reasons(), "brokers") << "in an outage the place in the group is nobody's matter";
  status.brokers_reachable = 1;
  status.unreachable.clear();
  status.refused = "log: not allowed";
  EXPECT_EQ(reasons(), "rights");
  status.refused.clear();
  status.is_held = false;
  status.unreachable = "the registry does not answer";
  EXPECT_EQ(reasons(), "registry");
  status.unreachable.clear();
  status.restored_to = EventTime{zero_ms};
  status.has_room = false;
  status.letters_wait_since = EventTime{zero_ms};
  status.publish_trouble = "no topic";
  EXPECT_EQ(reasons(), "restoring disk dead_letters publishing");
}

TEST(MetricsPage, has_each_topic_beside_its_partitions) {
  ShownRun run;
  RunStatus status = ShownRun::status_at(EventTime{zero_ms});
  status.report.partitions.front().events.late = 2;
  status.partitions.front().records_lost = 7;
  status.report.partitions.push_back(status.report.partitions.front());
  status.report.partitions.back().name = "clicks/1";
  status.partitions.push_back(status.partitions.front());
  status.partitions.back().next_offset = 60;
  status.partitions.back().max_time = EventTime{zero_ms};
  status.partitions.back().is_idle = true;
  run.stands(status);
  std::string text = page(run);
  const std::string of = R"({topic="clicks"})";
  EXPECT_TRUE(has_line(text, "recmeter_topic_partitions" + of + " 2")) << text;
  EXPECT_TRUE(has_line(text, "recmeter_topic_idle_partitions" + of + " 1"));
  EXPECT_TRUE(has_line(text, "recmeter_topic_lag_records" + of + " 50"));
  EXPECT_EQ(value_of(text, "recmeter_topic_lag_seconds" + of), 5);
  EXPECT_EQ(value_of(text, "recmeter_topic_time_seconds" + of), static_cast<double>(zero_ms) / 1000 + 1);
  EXPECT_TRUE(has_line(text, "recmeter_topic_lost_records_total" + of + " 14"));
  EXPECT_TRUE(has_line(text, R"(recmeter_topic_events_total{topic="clicks",fate="late"} 4)"));
  status.partitions.back().end_offset.reset();
  run.stands(status);
  text = page(run);
  EXPECT_EQ(text.find("recmeter_topic_lag_records{"), std::string::npos) << "of a partition nobody knows";
}

TEST(MetricsPage, says_what_schema_registries_are_asked_for) {
  const std::string text = whole_page();
  const std::string of = R"({registry="http://registry:8081"})";
  EXPECT_TRUE(has_line(text, "recmeter_registry_up" + of + " 0")) << text;
  EXPECT_TRUE(has_line(text, "recmeter_registry_asked" + of + " 3"));
  EXPECT_TRUE(has_line(text, "recmeter_registry_unknown" + of + " 7"));
}

TEST(MetricsPage, names_the_last_row_of_a_file_that_was_lost) {
  const std::string text = whole_page();
  EXPECT_TRUE(has_line(text, R"(recmeter_files_lost_total{file="publish.file.path"} 2)")) << text;
  EXPECT_TRUE(has_line(text, R"(recmeter_files_lost_total{file="dead_letter.file"} 1)")) << text;
  EXPECT_TRUE(has_line(text, R"(recmeter_files_lost_last_row{file="publish.file.path"} 17)")) << text;
  EXPECT_EQ(text.find(R"(recmeter_files_lost_last_row{file="dead_letter.file"})"), std::string::npos);
}

TEST(MetricsPage, has_facts_of_the_process) {
  const std::string text = whole_page();
  EXPECT_GT(value_of(text, "process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(value_of(text, "process_virtual_memory_bytes"), value_of(text, "process_resident_memory_bytes"));
  EXPECT_GE(value_of(text, "process_open_fds"), 3);
  EXPECT_GE(value_of(text, "process_max_fds"), value_of(text, "process_open_fds"));
  EXPECT_GE(value_of(text, "process_cpu_seconds_total"), 0);
  EXPECT_NEAR(value_of(text, "process_start_time_seconds"), static_cast<double>(std::time(nullptr)), 3600);
}

// docs/monitoring.md: what stands between backquotes in the first column of the tables of `Prometheus`.
TEST(MetricsPage, is_that_of_the_manual) {
  std::ifstream file(std::string(RECMETER_SOURCE_DIR) + "/docs/monitoring.md");
  std::set<std::string> documented;
  bool is_there = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) is_there = line == "## Prometheus";
    if (!is_there || !line.starts_with("| ")) continue;
    const std::string cell = line.substr(0, line.find(" | "));
    static const std::regex name("`((recmeter|process)_[a-z_]+)[{`]");
    for (std::sregex_iterator at(cell.begin(), cell.end(), name); at != std::sregex_iterator(); ++at) {
      EXPECT_TRUE(documented.insert((*at)[1]).second) << (*at)[1] << " is documented twice";
    }
  }
  std::set<std::string> families = families_of(whole_page());
  std::erase_if(families, is_of_a_metric);
  EXPECT_EQ(documented, families);
}

TEST(MetricsPage, ends_open_metrics_as_that_wants) {
  ShownRun run;
  run.stands(ShownRun::status_at(EventTime{zero_ms}));
  const std::string text = page(run, {}, ExpositionFormat::open_metrics);
  EXPECT_TRUE(text.ends_with("# EOF\n"));
  EXPECT_NE(text.find("# TYPE recmeter_events counter\n"), std::string::npos);
  EXPECT_NE(text.find("recmeter_events_total{fate=\"late\"} 0\n"), std::string::npos);
  EXPECT_NE(page(run).find("# TYPE recmeter_events_total counter\n"), std::string::npos);
}

TEST(MetricNames, are_refused_where_two_would_be_one) {
  Config config = shown_config();
  EXPECT_TRUE(check_metric_names(published_schema_of(config, "").value()));
  config.spec.segments.push_back({.keys = {"store.id"}, .keep = {}});
  config.spec.segments.push_back({.keys = {"store-id"}, .keep = {}});
  const auto clash = check_metric_names(published_schema_of(config, "").value());
  ASSERT_FALSE(clash);
  EXPECT_NE(clash.error().context.find("store.id and store-id"), std::string::npos) << clash.error().context;
}

// What a metric is called must not be what the run says of itself.
TEST(MetricNames, are_refused_where_they_are_those_of_the_run) {
  for (const std::string& family : families_of(whole_page(ExpositionFormat::open_metrics))) {
    if (!family.starts_with("recmeter_") || is_of_a_metric(family)) continue;
    PublishedSchema schema = published_schema_of(shown_config(), "").value();
    schema.metrics.push_back(schema.metrics.front());
    schema.metrics.back().key = family.substr(9) + "@3";
    const auto clash = check_metric_names(schema);
    ASSERT_FALSE(clash) << family;
    EXPECT_NE(clash.error().context.find("recmeter's own figures"), std::string::npos) << clash.error().context;
  }
}

TEST(MetricsPage, has_the_newest_look_of_each_experiment) {
  ShownRun run;
  for (const std::int64_t look : {1, 2}) run.snapshot.take(render(test::look_row(look, 0.01 * static_cast<double>(look))));
  run.stands(ShownRun::status_at(EventTime{zero_ms}));
  const std::string text = page(run);
  const std::string of = R"({experiment="ranker-7",metric="precision@3",arm="B"})";
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_experiment_value" + of), 0.02);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_experiment_low" + of), -0.2);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_experiment_high" + of), 0.3);
  EXPECT_DOUBLE_EQ(value_of(text, "recmeter_experiment_log_e" + of), 1.5);
  EXPECT_TRUE(has_line(text, R"(recmeter_experiment_users{experiment="ranker-7",arm="A"} 100)"));
  EXPECT_TRUE(has_line(text, R"(recmeter_experiment_verdict{experiment="ranker-7"} 10)"));
  ExperimentRow decided = test::look_row(3, 0.01);
  decided.counts.verdict = {.decision = Decision::ship, .reason = "better:precision@3"};
  run.snapshot.take(render(decided));
  run.stands(ShownRun::status_at(EventTime{zero_ms}));
  EXPECT_TRUE(has_line(page(run), R"(recmeter_experiment_verdict{experiment="ranker-7"} 0)")) << "what counts";
  ExperimentRow few = test::look_row(4, 0.02);
  for (MetricRow& metric : few.metrics) metric.comparisons[0].comparison->is_few = true;
  run.snapshot.take(render(few));
  run.stands(ShownRun::status_at(EventTime{zero_ms}));
  for (const char* figure : {"value", "low", "high"}) {
    EXPECT_EQ(page(run).find("recmeter_experiment_" + std::string(figure) + "{"), std::string::npos) << figure;
  }
  EXPECT_DOUBLE_EQ(value_of(page(run), "recmeter_experiment_log_e" + of), 1.5);
}

}  // namespace
}  // namespace recmeter
