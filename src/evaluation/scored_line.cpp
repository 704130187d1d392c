#include "recmeter/evaluation/scored_line.h"

#include "recmeter/result/render.h"

namespace recmeter {

namespace {

void append_member(std::string& json, std::string_view key, bool first) {
  if (!first) json += ',';
  append_json_string(json, key);
  json += ':';
}

void append_segments(std::string& json, const EvaluatorPlan& plan, const Segmenter& segmenter, const ListView& list) {
  bool first = true;
  if (!plan.lane.empty()) {
    append_member(json, plan.lane_key(), first);
    append_json_string(json, plan.lane);
    first = false;
  }
  for (const auto& [combination, key] : plan.segment_keys) {
    append_member(json, plan.spec->segments[combination].keys[key], first);
    append_json_string(json, segmenter.values(combination, list.labels[combination])[key]);
    first = false;
  }
}

void append_values(std::string& json, const MetricPlan& metrics, const ScoredList& score) {
  bool first = true;
  for (const PlannedMetric& metric : metrics.metrics()) {
    const Family family = metric.definition->family;
    if (family == Family::exposure || family == Family::audience) continue;
    append_member(json, metric.key, first);
    const std::optional<double> value = MetricPlan::value_of(metric, score);
    if (value) {
      append_json_number(json, *value);
    } else {
      json += "null";
    }
    first = false;
  }
}

}  // namespace

ScoredLine scored_line(const EvaluatorPlan& plan, const Segmenter& segmenter, const ListView& list, std::size_t horizon,
                       const ScoredList& score) {
  const Duration length = plan.spec->join.horizons[horizon];
  ScoredLine line{.due = list.ts + length,
                  .ts = list.ts,
                  .horizon = static_cast<std::uint32_t>(horizon),
                  .list_id = std::string(list.list_id),
                  .user_id = std::string(list.user_id),
                  .json = {}};
  std::string& json = line.json;
  json = "{\"list_id\":";
  append_json_string(json, list.list_id);
  json += ",\"user_id\":";
  if (list.user_id.empty()) {
    json += "null";
  } else {
    append_json_string(json, list.user_id);
  }
  if (plan.spec->join.key.not_users.contains(list.user_id)) json += ",\"nobody\":true";
  json += ",\"ts\":" + std::to_string(list.ts.ms) + ",\"horizon\":\"" + render_duration(length) + "\",\"segments\":{";
  append_segments(json, plan, segmenter, list);
  json += "},\"items\":" + std::to_string(score.length) + ",\"relevant\":" + std::to_string(score.relevant_in_list());
  json += ",\"metrics\":{";
  append_values(json, plan.metrics, score);
  json += "}}";
  return line;
}

}  // namespace recmeter
