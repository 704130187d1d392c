// Rows and reports as JSON: the keys and their order are [I4] and [I5].
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
  json.key(metric.key);
  json.begin_object();
  json.key("value");
  json.number(metric.value);
  json.key("se");
  json.number(metric.se);
  json.key("ci");
  if (metric.ci) {
    json.begin_array();
    json.number(metric.ci->first);
    json.number(metric.ci->second);
    json.end_array();
  } else {
    json.null();
  }
  if (metric.has_evidence) {
    json.key("given_relevant");
    json.number(metric.given_relevant);
    json.key("relevant_share");
    json.number(metric.relevant_share);
  }
  if (!metric.definition_id.empty()) {
    json.key("definition");
    json.string(metric.definition_id);
  }
  json.end_object();
}

void write_feedback(JsonWriter& json, const std::vector<ActionCount>& actions) {
  json.begin_object();
  for (const ActionCount& action : actions) {
    json.key(action.action);
    json.begin_object();
    json.key("credited");
    json.integer(action.credited);
    json.key("repeated");
    json.integer(action.repeated);
    json.end_object();
  }
  json.end_object();
}

void write_segment(JsonWriter& json, const Row& row) {
  json.key("segment");
  json.begin_object();
  for (const auto& [key, value] : row.segment) {
    json.key(key);
    json.string(value);
  }
  json.end_object();
}

void write_identity(JsonWriter& json, std::string_view schema, const Row& row) {
  json.key("schema");
  json.string(schema);
  json.key("evaluator");
  json.string(row.evaluator);
  json.key("config");
  json.string(row.config);
  json.key("window");
  json.string(row.window);
  json.key("start");
  json.integer(row.start.ms);
  json.key("end");
  json.integer(row.end.ms);
  json.key("start_utc");
  json.string(render_utc(row.start));
  json.key("horizon");
  json.string(render_duration(row.horizon));
  write_segment(json, row);
}

void write_count(JsonWriter& json, std::string_view name, std::uint64_t count) {
  json.key(name);
  json.integer(count);
}

void write_events(JsonWriter& json, const EventCounts& events) {
  json.begin_object();
  write_count(json, "read", events.read);
  write_count(json, "invalid", events.invalid);
  write_count(json, "ignored", events.ignored);
  write_count(json, "future", events.future);
  write_count(json, "late", events.late);
  write_count(json, "duplicate", events.duplicate);
  write_count(json, "impressions", events.impressions);
  write_count(json, "feedback", events.feedback);
  write_count(json, "undecided", events.undecided);
  write_count(json, "late_after_idle", events.late_after_idle);
  write_count(json, "future_by_clock", events.future_by_clock);
  json.end_object();
}

void write_feedback_counts(JsonWriter& json, const FeedbackCounts& feedback) {
  json.begin_object();
  write_count(json, "credited", feedback.credited);
  write_count(json, "repeated", feedback.repeated);
  write_count(json, "organic", feedback.organic);
  write_count(json, "not_in_list", feedback.not_in_list);
  write_count(json, "unmatched", feedback.unmatched);
  write_count(json, "pending", feedback.pending);
  json.end_object();
}

void write_partition(JsonWriter& json, const PartitionReport& partition) {
  json.key("name");
  json.string(partition.name);
  write_count(json, "records", partition.records);
  json.key("events");
  write_events(json, partition.events);
  json.key("watermark");
  if (partition.watermark) {
    json.integer(partition.watermark->ms);
  } else {
    json.null();
  }
  json.key("disorder");
  json.begin_object();
  json.key("max");
  json.integer(partition.disorder.max.ms);
  json.key("p50");
  json.integer(partition.disorder.p50.ms);
  json.key("p999");
  json.integer(partition.disorder.p999.ms);
  json.end_object();
}

void write_invalid_reasons(JsonWriter& json, const Report& report) {
  json.begin_object();
  for (std::size_t i = 0; i < report.invalid_reasons.size(); ++i) {
    if (report.invalid_reasons[i] == 0) continue;
    write_count(json, to_string(static_cast<InvalidReason>(i)), report.invalid_reasons[i]);
  }
  json.end_object();
}

// The JSON of the row, and where its pieces are.
void write_row(const Row& row, RenderedRow& to) {
  JsonWriter json(to.json, 0);
  json.begin_object();
  write_identity(json, row_schema, row);
  json.key("stage");
  json.string(to_string(row.stage));
  json.key("revision");
  if (row.revision) {
    json.integer(*row.revision);
  } else {
    json.null();
  }
  to.facts_at = to.json.size();
  json.key("matured");
  json.number(row.matured);
  json.key("incomplete");
  json.begin_array();
  for (const std::string& reason : row.incomplete) json.string(reason);
  json.end_array();
  json.key("lists");
  json.integer(row.lists);
  json.key("feedback");
  write_feedback(json, row.feedback);
  json.key("metrics");
  json.begin_object();
  to.metrics_at = to.json.size();
  for (const MetricValue& metric : row.metrics) {
    write_metric(json, metric);
    to.metric_ends.push_back(to.json.size());
  }
  json.end_object();
  json.end_object();
}

}  // namespace

std::string render_key(const Row& row) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.key("evaluator");
  json.string(row.evaluator);
  json.key("window");
  json.string(row.window);
  json.key("start");
  json.integer(row.start.ms);
  json.key("horizon");
  json.string(render_duration(row.horizon));
  write_segment(json, row);
  json.end_object();
  return out;
}

std::string render_key_start(std::string_view evaluator) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.key("evaluator");
  json.string(evaluator);
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
    const auto count = [&json](std::string_view key, std::optional<std::uint64_t> value) {
      json.key(key);
      if (value) {
        json.integer(*value);
      } else {
        json.null();
      }
    };
    json.begin_object();
    write_identity(json, curve_schema, row);
    json.key("stage");
    json.string(to_string(row.stage));
    count("lists", row.lists);
    count("k", point.k);
    count("tp", point.tp);
    count("fp", point.fp);
    count("fn", point.fn);
    count("tn", point.tn);
    json.key("recall");
    json.number(point.recall);
    json.key("fpr");
    json.number(point.fpr);
    json.key("precision");
    json.number(point.precision);
    json.end_object();
    out += '\n';
  }
  return out;
}

void write_members(JsonWriter& json, const Report& report, const std::function<void(std::size_t partition)>& more_of) {
  json.key("schema");
  json.string(report_schema);
  json.key("complete");
  json.boolean(report.complete);
  write_count(json, "records", report.records);
  json.key("events");
  write_events(json, report.events);
  json.key("feedback");
  write_feedback_counts(json, report.feedback);
  write_count(json, "lists", report.lists);
  json.key("invalid_reasons");
  write_invalid_reasons(json, report);
  json.key("partitions");
  json.begin_array();
  for (std::size_t p = 0; p < report.partitions.size(); ++p) {
    json.begin_object();
    write_partition(json, report.partitions[p]);
    if (more_of) more_of(p);
    json.end_object();
  }
  json.end_array();
  json.key("rows");
  json.begin_object();
  write_count(json, "final", report.rows_final);
  write_count(json, "truncated", report.rows_truncated);
  write_count(json, "provisional", report.rows_provisional);
  json.end_object();
  if (!report.warnings.empty()) {
    json.key("warnings");
    json.begin_array();
    for (const std::string& warning : report.warnings) json.string(warning);
    json.end_array();
  }
  write_count(json, "sums_bytes_max", report.sums_bytes_max);
  write_count(json, "exposure_bytes_max", report.exposure_bytes_max);
  write_count(json, "popularity_bytes_max", report.popularity_bytes_max);
  json.key("wall_seconds");
  json.number(report.wall_seconds);
  json.key("events_per_second");
  json.number(report.events_per_second);
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
