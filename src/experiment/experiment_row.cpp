#include "recmeter/experiment/experiment_row.h"

#include <algorithm>
#include <array>

#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

void write_distance(JsonWriter& json, std::string_view name, const Distance* distance) {
  json.key(name);
  if (distance == nullptr) return json.null();
  json.begin_object();
  json.member("value", distance->value);
  json.member("ci", distance->ci);
  json.member("cs", distance->cs);
  json.end_object();
}

void write_before(JsonWriter& json, const BeforeRow& before) {
  json.begin_object("before");
  json.member("values", std::array{before.control, before.arm});
  json.member("log_e", before.log_e);
  json.member("flagged_at", before.flagged_at);
  json.end_object();
}

void write_comparison(JsonWriter& json, const ComparisonRow& row) {
  const Comparison* const of = row.comparison ? &*row.comparison : nullptr;
  const auto member = [&](std::string_view name, const auto& value) {
    json.key(name);
    of == nullptr ? json.null() : json.value(value);
  };
  const Comparison& at = of == nullptr ? Comparison() : *of;
  json.begin_object();
  json.member("arm", row.arm);
  member("adjusted", std::pair(at.control, at.arm));
  member("theta", at.theta);
  member("variance_cut", at.variance_cut);
  write_distance(json, "absolute", of == nullptr ? nullptr : &at.absolute);
  write_distance(json, "relative", of == nullptr || !at.relative ? nullptr : &*at.relative);
  member("df", at.evidence.df);
  member("z", at.evidence.z);
  member("p", at.evidence.p);
  member("log_e", at.evidence.log_e);
  member("p_always", row.p_always);
  member("mde_now", at.evidence.mde_now);
  member("mde_fixed", at.evidence.mde_fixed);
  json.member("more", row.more ? std::optional(render_duration(*row.more)) : std::nullopt);
  member("heavy", at.is_heavy());
  member("few", at.is_few);
  json.member("missing", row.missing ? std::optional(missing_name(*row.missing)) : std::nullopt);
  json.member("discovery", row.discovery);
  if (row.before) write_before(json, *row.before);
  if (row.draft) {
    json.member("wins", row.draft->wins);
    json.member("losses", row.draft->losses);
    json.member("ties", row.draft->ties);
  }
  json.end_object();
}

void write_metric(JsonWriter& json, const MetricRow& metric) {
  json.begin_object();
  json.member("metric", metric.metric);
  json.member("role", role_name(metric.role));
  json.member("better", metric.is_higher_better ? "higher" : "lower");
  if (metric.is_absolute) json.member("mde_absolute", true);
  json.member("values", metric.values);
  if (!metric.capped_share.empty()) json.member("capped_share", metric.capped_share);
  json.array("comparisons", metric.comparisons, [&](const ComparisonRow& row) { write_comparison(json, row); });
  json.end_object();
}

void write_said(JsonWriter& json, const Verdict& verdict) {
  json.member("verdict", decision_name(verdict.decision));
  json.member("reason", verdict.reason);
}

void write_verdict(JsonWriter& json, const ExperimentRow& row) {
  json.begin_object("verdict");
  write_said(json, row.verdict);
  json.begin_object("arms");
  for (const auto& [arm, verdict] : row.arm_verdicts) {
    json.begin_object(arm);
    write_said(json, verdict);
    json.end_object();
  }
  json.end_object();
  json.key("decided");
  if (!row.decided) {
    json.null();
  } else {
    json.begin_object();
    json.member("end", row.decided->end);
    write_said(json, row.decided->verdict);
    json.end_object();
  }
  json.end_object();
}

// Of two arms nobody has to say which is meant.
void write_counts(JsonWriter& json, const ExperimentRow& row) {
  json.begin_object("counts");
  write_said(json, row.counts.verdict);
  json.member("at", row.counts.at);
  if (row.arm_verdicts.size() > 1 && !row.counts.arm.empty()) json.member("arm", row.counts.arm);
  json.end_object();
}

}  // namespace

bool is_draft(const ExperimentRow& row) {
  return !row.metrics.empty() && !row.metrics.front().comparisons.empty() &&
         row.metrics.front().comparisons.front().draft.has_value();
}

CountsRow said_by(const ExperimentRow& look) {
  const auto first = std::ranges::find(look.arm_verdicts, look.verdict, &std::pair<std::string, Verdict>::second);
  return {.verdict = look.verdict, .at = look.end, .arm = first == look.arm_verdicts.end() ? std::string() : first->first};
}

CountsRow counts_of(const ExperimentRow& look) {
  if (!look.decided || voids_decision(look.verdict)) return said_by(look);
  return {.verdict = look.decided->verdict, .at = look.decided->end, .arm = look.decided->arm};
}

std::string render_json(const ExperimentRow& row) {
  std::string text;
  JsonWriter json(text, 0);
  json.begin_object();
  json.member("schema", experiment_schema);
  json.member("evaluator", row.evaluator);
  json.member("experiment", row.experiment);
  json.member("config", row.config);
  json.member("start", row.start);
  json.member("end", row.end);
  json.member("end_utc", render_utc(row.end));
  json.member("horizon", render_duration(row.horizon));
  json.member("look", row.look);
  json.member("closed", row.is_closed);
  json.member("incomplete", row.incomplete);
  json.array("arms", row.arms, [&](const ArmRow& arm) {
    json.begin_object();
    json.member("arm", arm.arm);
    json.member("lists", arm.lists);
    json.member("users", arm.users);
    json.member("allocation", arm.allocation);
    json.end_object();
  });
  json.member("mixed_users", row.mixed_users);
  json.member("mixed_lists", row.mixed_lists);
  json.member("other_lists", row.other_lists);
  json.member("nobody_lists", row.nobody_lists);
  json.member("members_sampled", row.members_sampled);
  json.begin_object("srm");
  json.member("log_e", row.sample_ratio.log_e);
  json.member("max", row.sample_ratio.max);
  json.member("flagged_at", row.sample_ratio.flagged_at);
  json.end_object();
  json.array("metrics", row.metrics, [&](const MetricRow& metric) { write_metric(json, metric); });
  write_verdict(json, row);
  write_counts(json, row);
  json.end_object();
  return text;
}

std::string render_key(const ExperimentRow& row) {
  std::string key;
  JsonWriter json(key, 0);
  json.begin_object();
  json.member("evaluator", row.evaluator);
  json.member("experiment", row.experiment);
  json.member("end", row.end.ms);
  json.end_object();
  return key;
}

SharedExperimentRow render(ExperimentRow row) {
  std::string key = render_key(row);
  std::string text = render_json(row);
  return std::make_shared<RenderedExperimentRow>(
      RenderedExperimentRow{.row = std::move(row), .key = std::move(key), .json = std::move(text)});
}

}  // namespace recmeter
