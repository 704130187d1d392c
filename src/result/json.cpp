// Rows and reports as JSON: the keys and their order are [I4] and [I5].
#include "recmeter/base/lane_names.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"
#include "recmeter/result/rendered_row.h"
#include "recmeter/result/report_json.h"

namespace recmeter {
namespace {

constexpr std::string_view row_schema = "recmeter.window/1";
constexpr std::string_view curve_schema = "recmeter.curve/1";
constexpr std::string_view report_schema = "recmeter.report/1";
constexpr std::size_t report_indent = 2;

void write_metric(JsonWriter& json, const MetricValue& metric) {
  json.begin_object(metric.key);
  json.member("value", metric.value);
  json.member("se", metric.se);
  json.member("ci", metric.ci);
  if (metric.has_evidence) {
    json.member("given_relevant", metric.given_relevant);
    json.member("relevant_share", metric.relevant_share);
  }
  if (!metric.definition_id.empty()) {
    json.member("definition", metric.definition_id);
  }
  if (!metric.refused.empty()) json.member("refused", metric.refused);
  if (metric.is_suspect) json.member("suspect", std::string_view("propensities"));
  json.end_object();
}

void write_feedback(JsonWriter& json, const std::vector<ActionCount>& actions) {
  json.begin_object("feedback");
  for (const ActionCount& action : actions) {
    json.begin_object(action.action);
    json.member("credited", action.credited);
    json.member("repeated", action.repeated);
    json.end_object();
  }
  json.end_object();
}

void write_identity(JsonWriter& json, std::string_view schema, const Row& row) {
  json.member("schema", schema);
  json.member("evaluator", row.evaluator);
  json.member("config", row.config);
  json.member("window", row.window);
  json.member("start", row.start.ms);
  json.member("end", row.end.ms);
  json.member("start_utc", render_utc(row.start));
  json.member("horizon", render_duration(row.horizon));
  json.member("segment", row.segment);
}

void write_events(JsonWriter& json, const EventCounts& events) {
  json.begin_object("events");
  json.member("read", events.read);
  json.member("invalid", events.invalid);
  json.member("ignored", events.ignored);
  json.member("future", events.future);
  json.member("late", events.late);
  json.member("duplicate", events.duplicate());
  json.begin_object("duplicates");
  for (std::size_t reason = 0; reason < duplicate_reason_count; ++reason) {
    json.member(to_string(static_cast<DuplicateReason>(reason)), events.duplicates[reason]);
  }
  json.end_object();
  json.member("impressions", events.impressions);
  json.member("feedback", events.feedback);
  json.member("undecided", events.undecided);
  json.member("late_after_idle", events.late_after_idle);
  json.member("future_by_clock", events.future_by_clock);
  if (events.candidates > 0) json.member("candidates", events.candidates);
  if (events.policies > 0) json.member("policies", events.policies);
  json.end_object();
}

void write_feedback_counts(JsonWriter& json, std::string_view name, const FeedbackCounts& feedback) {
  json.begin_object(name);
  json.member("credited", feedback.credited);
  json.member("repeated", feedback.repeated);
  json.member("organic", feedback.organic);
  json.member("not_in_list", feedback.not_in_list);
  json.member("unmatched", feedback.unmatched);
  json.member("pending", feedback.pending);
  json.end_object();
}

void write_lanes(JsonWriter& json, const Report& report) {
  if (report.lanes.empty()) return;
  json.begin_array("lanes");
  for (const LaneReport& lane : report.lanes) {
    const LaneCounts& counts = lane.counts;
    json.begin_object();
    json.member(lane.is_policy ? policy_key : recommender_key, lane.name);
    const CandidateCounts& records = lane.is_policy ? counts.policies : counts.candidates;
    json.begin_object(lane.is_policy ? "policies" : "candidates");
    json.member("joined", records.joined);
    json.member("orphaned", records.orphaned);
    json.end_object();
    if (lane.is_policy) json.member("judged_lists", counts.judged);
    if (counts.unpaired > 0) json.member("unpaired", counts.unpaired);
    write_feedback_counts(json, "feedback", counts.feedback);
    json.end_object();
  }
  json.end_array();
}

void write_gap(JsonWriter& json, const GapAtEnd& gap) {
  json.begin_object("gap_at_end");
  json.member("partition", gap.partition);
  json.member("records", gap.records);
  json.member("step", gap.step.ms);
  json.member("to", gap.to.ms);
  json.member("rows", gap.rows);
  json.end_object();
}

void write_partition(JsonWriter& json, const PartitionReport& partition) {
  json.member("name", partition.name);
  json.member("records", partition.records);
  write_events(json, partition.events);
  json.member("watermark", partition.watermark);
  json.begin_object("disorder");
  json.member("max", partition.disorder.max.ms);
  json.member("p50", partition.disorder.p50.ms);
  json.member("p999", partition.disorder.p999.ms);
  json.end_object();
}

void write_invalid_reasons(JsonWriter& json, const Report& report) {
  json.begin_object("invalid_reasons");
  for (std::size_t i = 0; i < report.invalid_reasons.size(); ++i) {
    if (report.invalid_reasons[i] == 0) continue;
    json.member(to_string(static_cast<InvalidReason>(i)), report.invalid_reasons[i]);
  }
  json.end_object();
}

// The JSON of the row, and where its pieces are.
void write_row(const Row& row, RenderedRow& to) {
  JsonWriter json(to.json, 0);
  json.begin_object();
  write_identity(json, row_schema, row);
  json.member("stage", to_string(row.stage));
  json.member("revision", row.revision);
  to.facts_at = to.json.size();
  json.member("matured", row.matured);
  json.member("incomplete", row.incomplete);
  json.member("lists", row.lists);
  write_feedback(json, row.feedback);
  json.begin_object("metrics");
  to.metrics_at = to.json.size();
  for (const MetricValue& metric : row.metrics) {
    write_metric(json, metric);
    to.metric_ends.push_back(to.json.size());
  }
  json.end_object();
  json.end_object();
}

std::vector<std::string> sorted_names(const Report& report) {
  std::vector<std::string> names;
  for (const PartitionReport& partition : report.partitions) {
    if (partition.is_sorted) names.push_back(partition.name);
  }
  return names;
}

}  // namespace

std::string render_key(const Row& row) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("evaluator", row.evaluator);
  json.member("window", row.window);
  json.member("start", row.start.ms);
  json.member("horizon", render_duration(row.horizon));
  json.member("segment", row.segment);
  json.end_object();
  return out;
}

std::string render_key_start(std::string_view evaluator) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("evaluator", evaluator);
  return out + ",";
}

std::string render_json(const Row& row) {
  RenderedRow rendered;
  write_row(row, rendered);
  return std::move(rendered.json);
}

SharedRow render(Row row) {
  auto rendered = std::make_shared<RenderedRow>();
  rendered->key = render_key(row);
  write_row(row, *rendered);
  rendered->row = std::move(row);
  return rendered;
}

RowParts RenderedRow::parts() const {
  RowParts parts{.head = std::string_view(json).substr(0, metrics_at), .metrics = {}};
  std::size_t begin = metrics_at;
  for (const std::size_t end : metric_ends) {
    parts.metrics.push_back(std::string_view(json).substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string RowParts::json(std::string_view metric) const {
  std::string member;
  if (!metric.empty()) {
    append_json_string(member, metric);
    member += ':';
  }
  std::string out(head);
  for (const std::string_view one : metrics) {
    if (!one.starts_with(member)) continue;
    if (out.size() > head.size()) out += ',';
    out += one;
  }
  return out + "}}";
}

std::string render_curve(const Row& row) {
  std::string out;
  for (const CurvePoint& point : row.curve) {
    JsonWriter json(out, 0);
    json.begin_object();
    write_identity(json, curve_schema, row);
    json.member("stage", to_string(row.stage));
    json.member("lists", row.lists);
    json.member("k", point.k);
    json.member("tp", point.tp);
    json.member("fp", point.fp);
    json.member("fn", point.fn);
    json.member("tn", point.tn);
    json.member("recall", point.recall);
    json.member("fpr", point.fpr);
    json.member("precision", point.precision);
    json.end_object();
    out += '\n';
  }
  return out;
}

void write_members(JsonWriter& json, const Report& report, const std::function<void(std::size_t partition)>& more_of) {
  json.member("schema", report_schema);
  json.member("complete", report.complete);
  json.member("records", report.records);
  write_events(json, report.events);
  write_feedback_counts(json, "feedback", report.feedback);
  if (report.actions.size() > 1) {
    json.begin_object("actions");
    for (const ActionReport& action : report.actions) write_feedback_counts(json, action.name, action.feedback);
    json.end_object();
  }
  json.member("lists", report.lists);
  const FeedbackCounts& feedback = report.feedback;
  if (feedback.returned_late > 0) json.member("returned_late", feedback.returned_late);
  if (feedback.without_value > 0) json.member("without_value", feedback.without_value);
  write_lanes(json, report);
  write_invalid_reasons(json, report);
  json.begin_array("partitions");
  for (std::size_t p = 0; p < report.partitions.size(); ++p) {
    json.begin_object();
    write_partition(json, report.partitions[p]);
    if (more_of) more_of(p);
    json.end_object();
  }
  json.end_array();
  if (const std::vector<std::string> names = sorted_names(report); !names.empty()) json.member("sorted", names);
  if (!report.tzdata.empty()) json.member("tzdata", report.tzdata);
  json.begin_object("rows");
  json.member("final", report.rows_final);
  json.member("truncated", report.rows_truncated);
  json.member("provisional", report.rows_provisional);
  json.end_object();
  if (report.gap_at_end && report.gap_at_end->rows > 0) write_gap(json, *report.gap_at_end);
  if (!report.warnings.empty()) {
    json.member("warnings", report.warnings);
  }
  json.member("sums_bytes_max", report.sums_bytes_max);
  json.member("exposure_bytes_max", report.exposure_bytes_max);
  json.member("popularity_bytes_max", report.popularity_bytes_max);
  json.member("wall_seconds", report.wall_seconds);
  json.member("events_per_second", report.events_per_second);
}

std::string render_json(const Report& report) {
  std::string out;
  JsonWriter json(out, report_indent);
  json.begin_object();
  write_members(json, report);
  json.end_object();
  out.push_back('\n');
  return out;
}

}  // namespace recmeter
