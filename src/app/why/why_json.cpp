#include "app/why/why_run.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter::why {

namespace {

void write_side(JsonWriter& json, std::string_view name, const KeptMean& side) {
  json.begin_object(name);
  json.member("config", side.config);
  json.member("start", side.start);
  json.member("end", side.end);
  json.member("start_utc", render_utc(side.start));
  json.member("segment", side.segment);
  json.member("stage", to_string(side.stage));
  json.member("incomplete", side.incomplete);
  json.member("lists", side.mean.facts.lists);
  json.member("value", side.mean.facts.value);
  json.member("relevant_share", side.mean.facts.relevant_share);
  json.member("given_relevant", side.mean.facts.given_relevant);
  json.end_object();
}

void write_cause(JsonWriter& json, const std::optional<Cause>& cause) {
  json.key("cause");
  if (!cause) return json.null();
  json.begin_object();
  json.member("kind", to_string(cause->kind));
  json.member("key", cause->key);
  json.member("value", cause->value);
  json.member("factor", cause->factor ? std::optional(to_string(*cause->factor)) : std::nullopt);
  json.member("part", cause->part);
  json.end_object();
}

// Hidden by `--top`.
void write_rest(JsonWriter& json, std::size_t hidden, double within, double mix) {
  json.key("rest");
  if (hidden == 0) return json.null();
  json.begin_object();
  json.member("values", hidden);
  json.member("within", within);
  json.member("mix", mix);
  json.end_object();
}

void write_key(JsonWriter& json, const KeyParts& key, std::size_t top) {
  const Shown shown = shown_of(key, top);
  json.begin_object();
  json.member("key", key.key);
  json.array("parts", shown.parts, [&](const SegmentPart& part) {
    json.begin_object();
    json.member("value", part.value);
    json.member("lists", std::pair(part.a.lists, part.b.lists));
    json.member("values", std::pair(part.a.value, part.b.value));
    json.member("within", part.within.amount);
    json.member("within_ci", part.within.ci);
    json.member("mix", part.mix.amount);
    json.member("mix_ci", part.mix.ci);
    json.end_object();
  });
  write_rest(json, shown.hidden, shown.within, shown.mix);
  json.member("within", key.within);
  json.member("mix", key.mix);
  write_cause(json, key.cause);
  json.end_object();
}

void write_factor(JsonWriter& json, std::string_view name, const ChangePart& part) {
  json.begin_object(name);
  json.member("part", part.amount);
  json.member("ci", part.ci);
  json.end_object();
}

void write_item_groups(JsonWriter& json, const Answer& answer) {
  json.key("item_groups");
  if (!answer.item_groups) return json.null();
  const Answer::ItemGroups& groups = *answer.item_groups;
  const std::size_t count = groups.rows.size();
  const ShownGroups shown = shown_of(groups, answer.top);
  json.begin_object();
  json.member("key", groups.attribute);
  json.array("parts", shown.places, [&](std::size_t place) {
    const ItemGroupRows& row = groups.rows[place];
    json.begin_object();
    json.member("value", row.value);
    json.member("shown", std::pair(row.a.shown, row.b.shown));
    json.member("hits", std::pair(row.a.hits, row.b.hits));
    json.member("within", groups.parts[place]);
    json.member("mix", groups.parts[count + place]);
    json.end_object();
  });
  write_rest(json, shown.hidden, shown.within, shown.mix);
  json.member("within", groups.within());
  json.member("mix", groups.mix());
  json.member("short_lists", groups.parts.back());
  json.end_object();
}

}  // namespace

std::string json_of(const Answer& answer, std::size_t indent) {
  const Attribution& found = answer.attribution;
  std::string text;
  JsonWriter json(text, indent);
  json.begin_object();
  json.member("schema", std::string_view("recmeter.why/1"));
  json.member("metric", answer.request.metric);
  json.member("evaluator", answer.change.b.evaluator);
  json.member("window", answer.change.window);
  json.member("horizon", render_duration(answer.change.horizon));
  json.member("confidence", answer.confidence);
  json.member("words", words_of(answer));
  json.member("may_be_chance", may_be_chance(answer));
  write_side(json, "a", answer.change.a);
  write_side(json, "b", answer.change.b);
  json.member("difference", found.difference.amount);
  json.member("ci", found.difference.ci);
  json.array("by", found.by, [&](const KeyParts& key) { write_key(json, key, answer.top); });
  json.member("keys_left_out", answer.change.keys_left_out);
  json.key("factors");
  if (found.factors) {
    json.begin_object();
    write_factor(json, "relevant_share", found.factors->first);
    write_factor(json, "given_relevant", found.factors->second);
    json.end_object();
  } else {
    json.null();
  }
  json.key("ranks");
  if (answer.ranks.empty()) {
    json.null();
  } else {
    json.begin_array();
    for (std::size_t i = 0; i < answer.ranks.size(); ++i) {
      json.begin_object();
      json.member("rank", i + 1);
      json.member("part", answer.ranks[i]);
      json.end_object();
    }
    json.end_array();
  }
  write_item_groups(json, answer);
  write_cause(json, found.cause);
  json.end_object();
  return text + "\n";
}

}  // namespace recmeter::why
