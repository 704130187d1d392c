// Checks of times: how they are written, and how feedback stands to its lists.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "doctor/judges.h"
#include "recmeter/base/read_number.h"
#include "recmeter/result/render.h"

namespace recmeter::doctor {
namespace {

constexpr std::int64_t quarter_ms = 15 * one_minute.ms;
constexpr std::int64_t near_ms = 90'000;
constexpr std::int64_t year_2000_s = 946'684'800;

// --- unit

bool is_date(std::string_view text) {
  return text.size() >= 16 && text[4] == '-' && text[7] == '-' && text[0] >= '0' && text[0] <= '9';
}

std::string unit_of_text(std::string_view text) {
  const bool offset = text.ends_with('Z') || (text.size() > 19 && text.find_first_of("+-", 19) != std::string_view::npos);
  return text[10] == 'T' && offset ? "rfc3339" : "iso";
}

// In which unit a time as it was read lies between 2000 and tomorrow; "": in none.
std::string unit_of(std::string_view value, EventTime now) {
  if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
  if (is_date(value)) return unit_of_text(value);
  const std::size_t point = value.find('.');
  const auto number = read_number<std::int64_t>(value.substr(0, point));
  if (!number) return "";
  const std::int64_t newest_s = now.ms / 1000 + 86'400;
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
      {{"s", 1}, {"ms", 1000}, {"us", 1'000'000}, {"ns", 1'000'000'000}}};
  for (const auto& [name, factor] : units) {
    if (*number / factor < year_2000_s || *number / factor > newest_s) continue;
    if (point == std::string_view::npos) return std::string(name);
    return factor == 1 ? "fractional_s" : "";
  }
  return "";
}

struct BadTimes {
  std::uint64_t count = 0;
  std::string unit;  // that nearly all of them are plausible in; "": none
  std::string example;
};

BadTimes bad_times(const FileFacts& file, EventTime now) {
  BadTimes bad;
  std::map<std::string, std::uint64_t> votes;
  std::uint64_t samples = 0;
  for (const InvalidReason reason : {InvalidReason::time_out_of_range, InvalidReason::wrong_type}) {
    const auto at = static_cast<std::size_t>(reason);
    std::uint64_t of_time = 0;
    for (const InvalidSample& sample : file.samples[at]) {
      if (sample.field != "ts") continue;
      ++of_time;
      ++votes[unit_of(sample.value, now)];
      bad.example = sample.value;
    }
    samples += of_time;
    if (2 * of_time > file.samples[at].size()) bad.count += file.invalid[at];
  }
  for (const auto& [unit, count] : votes) {
    if (count * 10 >= samples * 9) bad.unit = unit;
  }
  return bad;
}

// Of each file, `most`: where more than half of its times are bad; else where fewer are.
Judgements wrong_unit(const Evidence& evidence, double threshold, bool most) {
  Judgements out;
  std::set<std::string> units;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    const BadTimes bad = bad_times(file, evidence.now);
    if (file.events == 0 || (2 * bad.count > file.events) != most) continue;
    Judged judged = share_above(bad.count, file.events, threshold);
    if (bad.unit.empty()) judged.sureness = Sureness::silent;
    judged.file = evidence.inputs[i].name;
    judged.words = {{"unit", bad.unit}, {"example", bad.example}};
    judged.settings = {{"inputs.unit", bad.unit}};
    if (bad.unit == "iso") judged.settings.push_back({"inputs.zone", "UTC"});
    units.insert(bad.unit);
    out.push_back(std::move(judged));
  }
  const bool is_one = units.size() == 1 && !units.begin()->empty();
  if (most && is_one && out.size() == evidence.inputs.size() && out.size() > 1) {
    for (std::size_t i = 1; i < out.size(); ++i) {
      out[0].cases += out[i].cases;
      out[0].of += out[i].of;
    }
    out.resize(1);
    out[0].sureness = above(out[0].cases, out[0].of, threshold);
    out[0].file.clear();
  }
  return out;
}

// --- delays

bool has_delay(const JoinedAction& action) {
  return action.in_list && action.is_of_user && action.is_named();
}

// Sorted, of the actions of a file that name a list with their item; without any, of those found by user.
std::vector<std::int64_t> delays_of(const Evidence& evidence, std::size_t file) {
  std::vector<std::int64_t> delays;
  for (const bool named : {true, false}) {
    for (const JoinedAction& action : evidence.log.actions()) {
      if (action.action->file == file && (named ? has_delay(action) : action.in_list)) delays.push_back(action.delay.ms);
    }
    if (delays.size() >= records_min) break;
    delays.clear();
  }
  std::sort(delays.begin(), delays.end());
  return delays;
}

std::int64_t quantile(const std::vector<std::int64_t>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

std::string offset_text(std::int64_t ms) {
  const std::int64_t minutes = std::abs(ms) / one_minute.ms;
  return fmt::format("{}{:02}:{:02}", ms < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

bool is_text(TimeUnit unit) {
  return unit == TimeUnit::iso || unit == TimeUnit::pattern || unit == TimeUnit::excel;
}

Judgements before(const Evidence& evidence, double threshold, bool far) {
  Tally tally(evidence);
  std::vector<std::int64_t> ahead;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (!has_delay(action)) continue;
    const std::int64_t by = -action.delay.ms;
    const bool is_case = far ? by >= quarter_ms : by > evidence.spec.join.skew.ms && by < quarter_ms;
    if (is_case) ahead.push_back(by);
    tally.add(action.action->file, is_case ? 1 : 0, 1);
  }
  Judged judged = tally.above(threshold);
  if (ahead.empty()) return {judged};
  std::sort(ahead.begin(), ahead.end());
  const std::int64_t half = quantile(ahead, 0.5);
  const bool constant = quantile(ahead, 0.9) - quantile(ahead, 0.1) < std::max<std::int64_t>(half / 2, 2000);
  const std::string skew = round_span(quantile(ahead, 0.999));
  judged.words = {
      {"half", span_text(half)},
      {"why", constant ? "By about the same time always: the clocks differ" : "By various times: they are logged late"},
      {"skew", skew}};
  if (!far) {
    judged.settings = {{"join.skew", skew}};
    for (const InputFacts& input : evidence.inputs) {
      if (quantile(ahead, 0.999) <= input.lateness.ms) continue;
      judged.settings.push_back({"time.allowed_lateness", skew});
      break;
    }
  }
  return {judged};
}

}  // namespace

Judgements unit(const Evidence& evidence, double threshold) {
  return wrong_unit(evidence, threshold, true);
}

Judgements mixed_units(const Evidence& evidence, double threshold) {
  return wrong_unit(evidence, threshold, false);
}

// Where times of two logs differ by a zone, the one whose times say nothing of it is the likelier to be in local time.
struct LocalTime {
  std::string cause;
  std::string remedy;
  std::vector<Setting> settings;
};

LocalTime local_time(const Evidence& evidence, std::size_t feedback, std::int64_t shift) {
  const InputFacts& of_feedback = evidence.inputs[feedback];
  std::size_t lists = evidence.inputs.size();
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const bool is_of_lists = evidence.facts.files[i].lists > 0 && i != feedback;
    if (is_of_lists) lists = lists == evidence.inputs.size() ? i : feedback;
  }
  const bool has_lists = lists < evidence.inputs.size() && lists != feedback;
  const bool are_lists_local = has_lists && is_text(evidence.inputs[lists].time.unit) && !is_text(of_feedback.time.unit);
  if (are_lists_local) {
    const std::string& name = evidence.inputs[lists].name;
    return {"The lists are in local time, those of " + name,
            fmt::format("Set zone: \"{}\" for {}, or the zone's name", offset_text(-shift), name),
            {}};
  }
  if (!is_text(of_feedback.time.unit)) {
    return {"One side is in local time", "Have both written in UTC, or with an offset as unit: rfc3339", {}};
  }
  LocalTime local{"It is in local time", "Set zone: \"" + offset_text(shift) + "\" for this input, or the zone's name", {}};
  const bool is_utc = of_feedback.time.zone_name == "UTC" || of_feedback.time.zone_name == "+00:00";
  if (evidence.facts.files[feedback].lists == 0 && is_utc) local.settings = {{"inputs.zone", offset_text(shift)}};
  return local;
}

Judgements zone(const Evidence& evidence, double threshold) {
  Judgements out;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const std::vector<std::int64_t> delays = delays_of(evidence, i);
    if (delays.size() < records_min) continue;
    const std::int64_t first = quantile(delays, 0.02);
    const std::int64_t shift = std::llround(static_cast<double>(first) / quarter_ms) * quarter_ms;
    const std::int64_t horizon = evidence.spec.join.longest_horizon().ms;
    const auto fit = static_cast<std::uint64_t>(std::count_if(delays.begin(), delays.end(), [&](std::int64_t delay) {
      return delay - shift >= -near_ms && delay - shift < horizon;
    }));
    Judged judged = share_above(fit, delays.size(), threshold);
    if (std::abs(shift) < 2 * quarter_ms || std::abs(first - shift) > near_ms) judged.sureness = Sureness::silent;
    const InputFacts& input = evidence.inputs[i];
    judged.file = input.name;
    LocalTime local = local_time(evidence, i, shift);
    judged.words = {{"shift", signed_span(shift)},
                    {"low", signed_span(quantile(delays, 0.005))},
                    {"high", signed_span(quantile(delays, 0.995))},
                    {"cause", local.cause},
                    {"remedy", local.remedy}};
    judged.settings = std::move(local.settings);
    out.push_back(std::move(judged));
  }
  return out;
}

Judgements before_list(const Evidence& evidence, double threshold) {
  return before(evidence, threshold, false);
}

Judgements before_list_far(const Evidence& evidence, double threshold) {
  return before(evidence, threshold, true);
}

Judgements late(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  std::int64_t back = 0;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    tally.add(static_cast<std::uint32_t>(i), file.late, file.events);
    if (file.late > 0) back = std::max(back, evidence.inputs[i].disorder.ms);
  }
  Judged judged = tally.above(threshold);
  judged.words = {{"back", span_text(back)}, {"lateness", round_span(back)}};
  judged.settings = {{"inputs.allowed_lateness", round_span(back)}};
  return {judged};
}

Judgements coarse_time(const Evidence& evidence, double /*threshold*/) {
  constexpr std::array<std::string_view, 4> names{"seconds", "minutes", "hours", "days"};
  Judgements out;
  for (std::size_t i = 0; i < evidence.inputs.size(); ++i) {
    const FileFacts& file = evidence.facts.files[i];
    const std::uint64_t timed = file.lists + file.feedback;
    if (timed < records_min) continue;
    std::size_t coarsest = 0;
    for (std::size_t g = 1; g < names.size(); ++g) coarsest = file.of_grain[g] == timed ? g : coarsest;
    out.push_back({.sureness = coarsest > 0 ? Sureness::certain : Sureness::silent,
                   .cases = file.of_grain[std::max<std::size_t>(coarsest, 1)],
                   .of = timed,
                   .file = evidence.inputs[i].name,
                   .words = {{"grain", std::string(names[std::max<std::size_t>(coarsest, 1)])}}});
  }
  return out;
}

// Of the sampled users: instants of as many of them as 30 of all are.
Judgements batch_time(const Evidence& evidence, double threshold) {
  constexpr std::uint64_t users_min = 30;
  constexpr double busy = 5;  // events a second
  const Sample& sample = evidence.log.sample();
  std::vector<std::pair<std::int64_t, std::uint64_t>> moments;
  for (const SeenList& list : sample.lists()) moments.emplace_back(list.ts, list.user.raw);
  for (const SeenAction& action : sample.actions()) moments.emplace_back(action.ts, action.user.raw);
  std::sort(moments.begin(), moments.end());
  std::uint64_t crowded = 0;
  std::uint64_t largest = 0;
  for (auto at = moments.begin(); at != moments.end();) {
    const auto end = std::find_if(at, moments.end(), [&](const auto& other) { return other.first != at->first; });
    std::uint64_t users = 0;
    for (auto user = at; user != end; ++user) users += user == at || user->second != (user - 1)->second ? 1U : 0U;
    users *= sample.one_in();
    if (users >= users_min) crowded += static_cast<std::uint64_t>(end - at);
    largest = std::max(largest, users);
    at = end;
  }
  Judged judged = share_above(crowded, moments.size(), threshold);
  const double seconds = static_cast<double>(evidence.facts.last_ms - evidence.facts.first_ms) / 1000;
  if (static_cast<double>(moments.size() * sample.one_in()) >= busy * seconds) judged.sureness = Sureness::silent;
  judged.words = {{"users", std::to_string(largest)}};
  return {judged};
}

Judgements delay_zero(const Evidence& evidence, double threshold) {
  Tally tally(evidence);
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.in_list && action.is_of_user) tally.add(action.action->file, action.delay.ms == 0 ? 1 : 0, 1);
  }
  return {tally.above(threshold)};
}

namespace {

// Counts, of one action, how many come after its longest horizon. Without a name only those are told whose delays are no
// chance.
Judged lost_by_horizon(const Evidence& evidence, std::size_t action, double threshold) {
  const Duration reach = evidence.spec.join.reach(action, evidence.spec.join.longest_horizon());
  const bool are_told = evidence.curve.actions[action].needed.has_value();
  Tally tally(evidence);
  std::uint64_t cases = 0, of = 0;
  for (const JoinedAction& joined : evidence.log.actions()) {
    if (joined.action->action != action || joined.delay.ms < 0) continue;
    if (!has_delay(joined) && !(are_told && joined.in_list && joined.is_of_user)) continue;
    const bool is_case = joined.delay >= reach;
    cases += is_case ? 1 : 0;
    ++of;
    tally.add(joined.action->file, is_case ? 1 : 0, 1);
  }
  Judged judged = tally.above(threshold);
  // A rare action is lost as well, where hardly any of it is left.
  if (are_told && wilson(cases, of).low > threshold) judged.sureness = std::max(judged.sureness, Sureness::likely);
  judged.words["action"] = evidence.spec.join.actions[action].name;
  return judged;
}

}  // namespace

Judgements horizon_short(const Evidence& evidence, double threshold) {
  const Duration longest = evidence.spec.join.longest_horizon();
  Judged judged;
  for (std::size_t action = 0; action < evidence.curve.actions.size(); ++action) {
    Judged other = lost_by_horizon(evidence, action, threshold);
    const auto badness = [](const Judged& one) { return std::pair(one.sureness, share(one.cases, one.of)); };
    if (action == 0 || badness(other) > badness(judged)) judged = std::move(other);
  }
  for (const CurvePoint& point : evidence.curve.points) {
    if (point.horizon == evidence.curve.advised) judged.words["loss"] = fmt::format("{:.1f} %", 100 * (1 - point.share));
    if (point.horizon == evidence.curve.advised) judged.words["final"] = span_text(point.final_after.ms);
  }
  judged.words["now"] = render_duration(longest);
  judged.words["horizon"] = render_duration(evidence.curve.advised);
  judged.settings = {{"join.horizons", "[" + render_duration(evidence.curve.advised) + "]"}};
  if (evidence.curve.advised <= longest) judged.sureness = Sureness::silent;
  return {judged};
}

Judgements log_short(const Evidence& evidence, double threshold) {
  if (evidence.facts.first_ms > evidence.facts.last_ms) return {};
  const std::int64_t span = evidence.facts.last_ms - evidence.facts.first_ms;
  const std::int64_t horizon = evidence.spec.join.longest_horizon().ms;
  Judged judged;
  if (static_cast<double>(span) < threshold * static_cast<double>(horizon)) judged.sureness = Sureness::certain;
  judged.words = {{"span", span_text(span)}, {"horizon", render_duration(Duration{horizon})}};
  return {judged};
}

}  // namespace recmeter::doctor
