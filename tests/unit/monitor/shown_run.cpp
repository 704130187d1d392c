#include "unit/monitor/shown_run.h"

#include "recmeter/base/check.h"

namespace recmeter::test {

namespace {

PublishedSchema outline_for_tests() {
  auto schema = published_schema_of(shown_config(), "1.2.3");
  RECMETER_CHECK(schema.has_value(), "the configuration of the test is sound");
  return std::move(*schema);
}

MetricValue value_of(const std::string& key, double value) {
  MetricValue metric;
  metric.key = key;
  metric.value = value;
  metric.se = 0.01;
  metric.ci = {value - 0.02, value + 0.02};
  metric.has_evidence = true;
  metric.definition_id = key == "mrr@1" ? R"(mrr{text="}"})" : "mrr{gain=exp2}";
  metric.numerator = value * 100;
  metric.denominator = 100;
  auto left_out = std::make_shared<LeftOutValues>();
  for (std::size_t g = 0; g < 40; ++g) left_out->add(g, value + 0.0001 * static_cast<double>(g * 7 % 11));
  left_out->evidence_groups = 40;
  metric.left_out = left_out;
  return metric;
}

}  // namespace

Config shown_config() {
  Config config;
  EvaluatorSpec& spec = config.spec;
  spec.name = "shop";
  spec.config_hash = "0123456789abcdef";
  spec.join.horizons = {Duration{30 * minute_ms}, Duration{minute_ms}};
  spec.join.actions = {{.name = "click", .gain = 1, .after = {}, .horizon = {}}};
  spec.windows = {{.name = "minute", .size = {minute_ms}, .slide = {minute_ms}, .offset = {0}},
                  {.name = "hour", .size = {60 * minute_ms}, .slide = {5 * minute_ms}, .offset = {0}}};
  spec.segments = {{.keys = {"variant"}, .keep = {}}, {.keys = {"variant", "surface"}, .keep = {}}};
  spec.metrics.requests = {{.name = "precision"}, {.name = "mrr"}};
  spec.metrics.cutoffs = {1, 3};
  ExperimentSpec& experiment = spec.experiments.emplace_back();
  experiment.name = "ranker-7";
  experiment.arms = {.key = "variant", .values = {"A", "B"}};
  return config;
}

ExperimentRow look_row(std::int64_t look, double difference) {
  ExperimentRow row;
  row.evaluator = "shop";
  row.experiment = "ranker-7";
  row.config = "0123456789abcdef";
  row.start = EventTime{zero_ms};
  row.look = look;
  row.end = EventTime{zero_ms + look * 60 * minute_ms};
  row.horizon = Duration{30 * minute_ms};
  for (const char* arm : {"A", "B"}) row.arms.push_back({.arm = arm, .lists = 1000, .users = 100, .allocation = 0.5});
  Comparison comparison{.control = 0.2, .arm = 0.2 * (1 + difference)};
  comparison.absolute = {.value = 0.2 * difference};
  comparison.relative = {.value = difference, .ci = Interval{difference - 0.1, difference + 0.1}, .cs = Interval{-0.2, 0.3}};
  comparison.evidence.log_e = 1.5;
  for (const auto& [metric, role] : {std::pair("precision@3", TestRole::primary), std::pair("mrr@3", TestRole::secondary)}) {
    row.metrics.push_back({.metric = metric,
                           .role = role,
                           .values = {0.2, 0.2 * (1 + difference)},
                           .comparisons = {{.arm = "B", .comparison = comparison}}});
  }
  row.verdict = {.decision = Decision::hold, .reason = "undecided"};
  row.arm_verdicts = {{"B", row.verdict}};
  row.counts = said_by(row);
  return row;
}

Row minute_row(std::int64_t n, const std::string& variant, Stage stage, double matured) {
  Row row;
  row.evaluator = "shop";
  row.config = "0123456789abcdef";
  row.window = "minute";
  row.start = EventTime{zero_ms + n * minute_ms};
  row.end = EventTime{zero_ms + (n + 1) * minute_ms};
  row.horizon = Duration{30 * minute_ms};
  if (!variant.empty()) row.segment = {{"variant", variant}};
  row.stage = stage;
  if (stage == Stage::provisional) row.revision = 1;
  row.matured = matured;
  row.lists = 100 + static_cast<std::uint64_t>(n);
  row.feedback = {{"click", 10, 1}};
  const double value = 0.2 + 0.001 * static_cast<double>(n) + (variant == "B" ? 0.1 : 0);
  for (const char* key : {"precision@1", "precision@3", "mrr@1", "mrr@3"}) row.metrics.push_back(value_of(key, value));
  return row;
}

ShownRun::ShownRun() : schema(outline_for_tests()), snapshot(schema, keep_for) {}

void ShownRun::show(const Row& row) {
  const SharedRow rendered = render(row);
  snapshot.take(rendered);
  archive_.note(*rendered);
  snapshot.show();
}

void ShownRun::keep() {
  StateBatch batch;
  archive_.save(batch, EventTime{zero_ms});
  const auto written = store.write(batch, StateStore::Durability::process);
  RECMETER_CHECK(written.has_value(), "memory takes every batch");
  snapshot.kept();
  snapshot.kept();
  snapshot.show();
}

void ShownRun::stands(const RunStatus& status) {
  snapshot.take(status);
  snapshot.show();
}

RunStatus ShownRun::status_at(EventTime watermark) {
  RunStatus status;
  status.watermark = watermark;
  status.now = watermark + Duration{5'000};
  PartitionReport partition;
  partition.name = "clicks/0";
  partition.watermark = watermark;
  status.report.partitions = {partition};
  status.partitions = {{.max_time = watermark + Duration{1'000},
                        .is_idle = false,
                        .is_caught_up = false,
                        .next_offset = 90,
                        .end_offset = 100}};
  status.held_back_by = 0;
  status.report.events.read = 90;
  return status;
}

}  // namespace recmeter::test
