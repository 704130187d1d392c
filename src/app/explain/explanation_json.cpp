#include "app/explain/explanation.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter::explain {

namespace {

constexpr std::string_view schema = "recmeter.explanation/1";

std::optional<std::string_view> if_any(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

void write_items(JsonWriter& json, const Explanation& list) {
  json.begin_array("items");
  for (const ExplainedItem& item : list.items) {
    json.begin_object();
    json.member("rank", item.rank);
    json.member("item", if_any(item.item));
    json.member("score", item.score);
    if (item.shown_after) json.member("shown_after_ms", item.shown_after->ms);
    if (item.first_rank > 0) json.member("first_rank", item.first_rank);
    json.end_object();
  }
  json.end_array();
}

void write_feedback(JsonWriter& json, const Explanation& list) {
  json.begin_array("feedback");
  for (const ExplainedFeedback& feedback : list.feedback) {
    json.begin_object();
    json.member("action", feedback.action);
    json.member("item", if_any(feedback.item));
    json.member("ts", feedback.ts.ms);
    json.member("delay_ms", feedback.delay.ms);
    json.member("list_id", if_any(feedback.list_id));
    json.member("value", feedback.value);
    json.member("input", feedback.input);
    json.member("fate", feedback.fate);
    json.member("outcome", if_any(feedback.outcome));
    json.begin_object("reasons");
    for (std::size_t h = 0; h < list.scores.size(); ++h) {
      const std::size_t at = feedback.reasons.size() == 1 ? 0 : h;
      json.member(render_duration(list.scores[h].horizon), feedback.reasons[at]);
    }
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.member("farther", list.farther);
}

void write_presets(JsonWriter& json, const WatchedMetric& metric) {
  json.begin_object("presets");
  for (const PresetAnswer& answer : metric.by_presets) {
    for (const std::string_view preset : answer.presets) json.member(preset, answer.value);
  }
  json.end_object();
}

void write_score(JsonWriter& json, const ExplainedScore& score) {
  json.begin_object();
  json.member("horizon", render_duration(score.horizon));
  json.begin_array("grades");
  for (const Hit& hit : score.hits) {
    json.begin_object();
    json.member("rank", hit.rank);
    json.member("grade", hit.grade);
    json.end_object();
  }
  json.end_array();
  json.member("relevant_in_list", score.hits.size());
  json.key("missed");
  if (score.has_missed) {
    json.begin_array();
    for (const auto& [item, grade] : score.missed) {
      json.begin_object();
      json.member("item", item);
      json.member("grade", grade);
      json.end_object();
    }
    json.end_array();
  } else {
    json.null();
  }
  json.begin_object("metrics");
  for (const WatchedMetric& metric : score.metrics) {
    json.begin_object(metric.key);
    json.member("value", metric.value);
    json.member("arithmetic", if_any(metric.arithmetic));
    json.member("of_list", metric.of_list);
    json.member("has_evidence", metric.has_evidence);
    json.member("in_mean", metric.in_mean);
    if (!metric.definition.empty()) json.member("definition", metric.definition);
    if (!metric.note.empty()) json.member("note", metric.note);
    write_presets(json, metric);
    json.end_object();
  }
  json.end_object();
  json.end_object();
}

}  // namespace

std::string json_of(const Explanation& list) {
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("schema", schema);
  json.member("list_id", list.list_id);
  json.member("user_id", if_any(list.user_id));
  json.member("ts", list.ts.ms);
  json.member("inputs", list.inputs);
  json.member("segments", list.segments);
  write_items(json, list);
  json.member("other_impressions", list.other_impressions);
  write_feedback(json, list);
  json.begin_array("horizons");
  for (const ExplainedScore& score : list.scores) write_score(json, score);
  json.end_array();
  json.end_object();
  return out + '\n';
}

}  // namespace recmeter::explain
