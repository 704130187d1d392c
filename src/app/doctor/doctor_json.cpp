#include "app/doctor/doctor_run.h"
#include "recmeter/base/event_time.h"
#include "recmeter/result/json_writer.h"

namespace recmeter::doctor {
namespace {

void write(JsonWriter& json, const Finding& finding) {
  const Check& check = *finding.check;
  json.begin_object();
  json.member("code", check.code);
  json.member("weight", to_string(check.weight));
  json.member("sureness", std::string_view(finding.sureness == Sureness::silent    ? "silent"
                                           : finding.sureness == Sureness::certain ? "certain"
                                                                                   : "likely"));
  if (!finding.hidden_by.empty()) json.member("follows_from", finding.hidden_by);
  finding.file.empty() ? (json.key("input"), json.null()) : json.member("input", finding.file);
  json.member("cases", finding.cases);
  json.member("of", finding.of);
  const Interval interval = wilson(std::min(finding.cases, finding.of), finding.of);
  json.member("share", share(finding.cases, finding.of));
  json.member("interval", std::pair(interval.low, interval.high));
  json.member("threshold", check.threshold);
  json.member("statistic", finding.statistic);
  json.member("cause", finding.cause);
  json.member("remedy", finding.remedy);
  json.array("set", finding.settings, [&](const Setting& setting) {
    json.begin_object();
    json.member("key", setting.key);
    json.member("value", setting.value);
    json.end_object();
  });
  json.end_object();
}

void write(JsonWriter& json, const DelayCurve& curve) {
  json.begin_object("delay_curve");
  json.member("feedback", curve.feedback);
  json.member("names_lists", curve.is_named);
  json.member("advised_ms", curve.advised.ms);
  json.array("horizons", curve.points, [&](const CurvePoint& point) {
    json.begin_object();
    json.member("horizon_ms", point.horizon.ms);
    json.member("credited", point.credited);
    json.member("share", point.share);
    json.member("final_after_ms", point.final_after.ms);
    json.end_object();
  });
  json.array("actions", curve.actions, [&](const ActionDelays& action) {
    json.begin_object();
    json.member("action", action.name);
    json.member("credited", action.credited);
    json.member("needed_ms", action.needed ? std::optional(action.needed->ms) : std::nullopt);
    json.end_object();
  });
  json.end_object();
}

void write(JsonWriter& json, std::string_view name, const Spread& spread) {
  json.begin_object(name);
  json.member("items", spread.items);
  json.member("total", spread.total);
  json.member("gini", spread.gini);
  json.member("top_share", spread.top_share);
  json.end_object();
}

void write(JsonWriter& json, const Profile& profile) {
  json.begin_object("profile");
  json.member("users", profile.users);
  json.member("items", profile.items);
  json.member("lists", profile.lists);
  json.member("actions", profile.actions);
  json.member("list_length", profile.list_length);
  json.member("density", profile.density);
  json.member("actions_per_user", profile.actions_per_user);
  json.member("actions_per_user_median", profile.actions_per_user_median);
  json.member("actions_per_user_max", profile.actions_per_user_max);
  write(json, "shown", profile.shown);
  write(json, "acted", profile.acted);
  json.array("ratings", profile.ratings, [&](const auto& rating) { json.value(rating); });
  json.array("new_users", profile.new_users,
             [&](const auto& day) { json.value(std::pair(day.first * one_day.ms, day.second)); });
  json.end_object();
}

}  // namespace

std::string json_of(const DoctorRun& run, bool all) {
  std::string text;
  JsonWriter json(text, 2);
  json.begin_object();
  json.member("schema", std::string_view("recmeter.doctor/1"));
  json.member("events", run.diagnosis.events);
  json.member("lists", run.report.lists);
  json.member("feedback", run.report.events.feedback);
  json.member("credited", run.report.feedback.credited);
  json.member("sampled_one_in", run.diagnosis.sampled_one_in);
  json.member("checks", static_cast<std::uint64_t>(run.diagnosis.checks));
  json.member("checks_short", static_cast<std::uint64_t>(run.diagnosis.checks_short));
  json.array("replay_fails", run.exceeded, [&](const std::string& sentence) { json.value(sentence); });
  json.begin_array("findings");
  for (const Finding& finding : run.diagnosis.findings) {
    if (all || finding.is_told()) write(json, finding);
  }
  json.end_array();
  write(json, run.diagnosis.curve);
  write(json, run.diagnosis.profile);
  json.end_object();
  return text + "\n";
}

}  // namespace recmeter::doctor
