#include "app/explain/explanation.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter::explain {

namespace {

constexpr std::string_view schema = "recmeter.explanation/1";

void member(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.string(text);
}
void number(JsonWriter& json, std::string_view key, std::optional<double> value) {
  json.key(key);
  json.number(value);
}
template <std::integral Number>
void integer(JsonWriter& json, std::string_view key, Number value) {
  json.key(key);
  json.integer(value);
}
void text_or_null(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  if (text.empty()) {
    json.null();
  } else {
    json.string(text);
  }
}

void write_items(JsonWriter& json, const Explanation& list) {
  json.key("items");
  json.begin_array();
  for (const ExplainedItem& item : list.items) {
    json.begin_object();
    integer(json, "rank", item.rank);
    text_or_null(json, "item", item.item);
    number(json, "score", item.score);
    if (item.shown_after) integer(json, "shown_after_ms", item.shown_after->ms);
    json.end_object();
  }
  json.end_array();
}

void write_feedback(JsonWriter& json, const Explanation& list) {
  json.key("feedback");
  json.begin_array();
  for (const ExplainedFeedback& feedback : list.feedback) {
    json.begin_object();
    member(json, "action", feedback.action);
    member(json, "item", feedback.item);
    integer(json, "ts", feedback.ts.ms);
    integer(json, "delay_ms", feedback.delay.ms);
    text_or_null(json, "list_id", feedback.list_id);
    number(json, "value", feedback.value);
    member(json, "input", feedback.input);
    member(json, "fate", feedback.fate);
    text_or_null(json, "outcome", feedback.outcome);
    json.key("reasons");
    json.begin_object();
    for (std::size_t h = 0; h < list.scores.size(); ++h) {
      const std::size_t at = feedback.reasons.size() == 1 ? 0 : h;
      member(json, render_duration(list.scores[h].horizon), feedback.reasons[at]);
    }
    json.end_object();
    json.end_object();
  }
  json.end_array();
  integer(json, "farther", list.farther);
}

void write_presets(JsonWriter& json, const WatchedMetric& metric) {
  json.key("presets");
  json.begin_object();
  for (const PresetAnswer& answer : metric.by_presets) {
    for (const std::string_view preset : answer.presets) number(json, preset, answer.value);
  }
  json.end_object();
}

void write_score(JsonWriter& json, const ExplainedScore& score) {
  json.begin_object();
  member(json, "horizon", render_duration(score.horizon));
  json.key("grades");
  json.begin_array();
  for (const Hit& hit : score.hits) {
    json.begin_object();
    integer(json, "rank", hit.rank);
    number(json, "grade", hit.grade);
    json.end_object();
  }
  json.end_array();
  integer(json, "relevant_in_list", score.hits.size());
  json.key("missed");
  if (score.has_missed) {
    json.begin_array();
    for (const auto& [item, grade] : score.missed) {
      json.begin_object();
      member(json, "item", item);
      number(json, "grade", grade);
      json.end_object();
    }
    json.end_array();
  } else {
    json.null();
  }
  json.key("metrics");
  json.begin_object();
  for (const WatchedMetric& metric : score.metrics) {
    json.key(metric.key);
    json.begin_object();
    number(json, "value", metric.value);
    text_or_null(json, "arithmetic", metric.arithmetic);
    json.key("of_list");
    json.boolean(metric.of_list);
    json.key("has_evidence");
    json.boolean(metric.has_evidence);
    json.key("in_mean");
    json.boolean(metric.in_mean);
    if (!metric.definition.empty()) member(json, "definition", metric.definition);
    if (!metric.note.empty()) member(json, "note", metric.note);
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
  member(json, "schema", schema);
  member(json, "list_id", list.list_id);
  text_or_null(json, "user_id", list.user_id);
  integer(json, "ts", list.ts.ms);
  json.key("inputs");
  json.begin_array();
  for (const std::string& input : list.inputs) json.string(input);
  json.end_array();
  json.key("segments");
  json.begin_object();
  for (const auto& [key, value] : list.segments) member(json, key, value);
  json.end_object();
  write_items(json, list);
  json.key("other_impressions");
  json.begin_array();
  for (const std::string& other : list.other_impressions) json.string(other);
  json.end_array();
  write_feedback(json, list);
  json.key("horizons");
  json.begin_array();
  for (const ExplainedScore& score : list.scores) write_score(json, score);
  json.end_array();
  json.end_object();
  return out + '\n';
}

}  // namespace recmeter::explain
