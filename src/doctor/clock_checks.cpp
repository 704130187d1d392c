// Checks of clocks in local time that were set an hour forward or back, in a night in which summer time begins or ends.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "doctor/judges.h"
#include "recmeter/result/render.h"

namespace recmeter::doctor {
namespace {

constexpr double usual_min = 30;  // events of a usual hour
constexpr std::int64_t shift_grain_ms = 15 * one_minute.ms;
constexpr std::int64_t shift_error_ms = 90'000;
constexpr std::string_view of_zone = "the name of its zone, such as Europe/Berlin or America/New_York";

// Inputs whose times say nothing of a zone, read as those of clocks that are never set.
const InputFacts* local_input(const Evidence& evidence) {
  const auto is_local = [](const InputFacts& input) {
    const TimeForm& time = input.time;
    const bool is_text = time.unit == TimeUnit::iso || time.unit == TimeUnit::pattern;
    const bool has_offset = time.pattern.find("%z") != std::string::npos;
    return is_text && !has_offset && time.zone != nullptr && !time.zone->is_named();
  };
  const auto at = std::ranges::find_if(evidence.inputs, is_local);
  return at == evidence.inputs.end() ? nullptr : &*at;
}

// How far the input's clocks are ahead of UTC, in hours; nothing where it is none in whole hours.
std::optional<std::int64_t> hours_ahead(const InputFacts& input) {
  constexpr std::int64_t any = 500'000 * one_hour.ms;
  const auto utc = input.time.zone->utc_ms(any);
  if (!utc || (any - *utc) % one_hour.ms != 0) return std::nullopt;
  return (any - *utc) / one_hour.ms;
}

std::chrono::sys_days day_of(std::int64_t hour) {
  return std::chrono::floor<std::chrono::days>(std::chrono::sys_time<std::chrono::hours>(std::chrono::hours(hour)));
}

// Spring and autumn of both hemispheres.
bool may_set_clocks(std::chrono::sys_days day) {
  const auto month = static_cast<unsigned>(std::chrono::year_month_day(day).month());
  return month == 3 || month == 4 || (month >= 9 && month <= 11);
}

// Sunday before four, by the clock that wrote the times.
bool is_of_such_night(std::int64_t local_hour) {
  const std::chrono::sys_days day = day_of(local_hour);
  const bool is_sunday = std::chrono::weekday(day) == std::chrono::Sunday;
  return is_sunday && local_hour - day.time_since_epoch().count() * 24 < 4 && may_set_clocks(day);
}

double all_of(const Hours& hours, std::int64_t hour) {
  const auto at = hours.find(hour);
  return at == hours.end() ? 0 : static_cast<double>(at->second.lists + at->second.feedback);
}

// The events of the hour's neighbours, two on each side: the median.
double usual_total(const Hours& hours, std::int64_t hour) {
  std::array<double, 4> around{all_of(hours, hour - 2), all_of(hours, hour - 1), all_of(hours, hour + 1),
                               all_of(hours, hour + 2)};
  std::ranges::sort(around);
  return (around[1] + around[2]) / 2;
}

bool has_usual_total(const Hours& hours, std::int64_t hour, double usual) {
  return all_of(hours, hour) > 0.5 * usual && all_of(hours, hour) < 1.5 * usual;
}

// Feedback of the hour behind a gap that is on lists before it; of lost lists it names those that are not there.
bool goes_on_behind(const Evidence& evidence, std::int64_t gap) {
  std::uint64_t across = 0;
  std::uint64_t unknown = 0;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.action->ts / one_hour.ms != gap + 1) continue;
    if (action.is_named() && !action.is_known) {
      ++unknown;
    } else if (action.in_list) {
      const std::int64_t shown = action.action->ts - action.delay.ms;
      across += shown / one_hour.ms < gap ? 1U : 0U;
    }
  }
  return unknown <= across;
}

std::string hour_text(std::int64_t hour) {
  return render_utc(EventTime{hour * one_hour.ms}).substr(0, 16);
}

// --- steps of the delay

struct Run {
  std::int64_t shift = 0;  // of feedback from its lists, in quarters of an hour
  std::int64_t begin = 0;  // the first hour
  std::uint64_t hours = 0;
  std::uint64_t actions = 0;
};

// Hours of one shift, as the shortest delays of each hour say. A single hour with another is chance.
std::vector<Run> runs_of(const Evidence& evidence, std::size_t file) {
  constexpr std::size_t of_hour_min = 10;
  std::map<std::int64_t, std::vector<std::int64_t>> hours;
  for (const JoinedAction& action : evidence.log.actions()) {
    if (action.action->file != file || !action.in_list || !action.is_of_user || !action.is_named()) continue;
    hours[action.action->ts / one_hour.ms].push_back(action.delay.ms);
  }
  std::vector<Run> runs;
  for (auto& [hour, delays] : hours) {
    if (delays.size() < of_hour_min) continue;
    const auto at = delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 10);
    std::ranges::nth_element(delays, at);
    const std::int64_t shift = std::llround(static_cast<double>(*at) / shift_grain_ms) * shift_grain_ms;
    if (std::abs(*at - shift) > shift_error_ms) continue;
    if (runs.empty() || runs.back().shift != shift) runs.push_back({.shift = shift, .begin = hour});
    ++runs.back().hours;
    runs.back().actions += delays.size();
  }
  std::vector<Run> steady;
  for (const Run& run : runs) {
    if (run.hours < 2) continue;
    if (!steady.empty() && steady.back().shift == run.shift) {
      steady.back().hours += run.hours;
      steady.back().actions += run.actions;
    } else {
      steady.push_back(run);
    }
  }
  return steady;
}

// The hours from which on clocks of one side differ by an hour from those of the other; empty where they do not, or differ by
// something else.
std::vector<Run> steps_of(const Evidence& evidence, std::size_t file) {
  std::vector<Run> runs = runs_of(evidence, file);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (std::abs(runs[i].shift - runs[i - 1].shift) != one_hour.ms) return {};
    if (i > 1 && runs[i].shift != runs[i - 2].shift) return {};
  }
  return runs.size() < 2 ? std::vector<Run>() : runs;
}

// Whose clocks are set: the side whose times say nothing of a zone.
std::string side_in_local_time(const Evidence& evidence, std::size_t feedback, bool& is_known) {
  const InputFacts* const local = local_input(evidence);
  is_known = local != nullptr;
  return is_known ? local->name : "one side, " + evidence.inputs[feedback].name + " or its lists,";
}

}  // namespace

std::vector<std::int64_t> hours_that_clocks_skip(const Evidence& evidence) {
  std::vector<std::int64_t> skipped;
  const Hours& hours = evidence.facts.hours;
  const InputFacts* const local = local_input(evidence);
  const auto ahead = local == nullptr ? std::nullopt : hours_ahead(*local);
  if (!hours.empty() && ahead) {
    for (std::int64_t hour = hours.begin()->first + 2; hour + 2 <= hours.rbegin()->first; ++hour) {
      const double level = usual_total(hours, hour);
      const bool is_gap = all_of(hours, hour) == 0 && level >= usual_min && has_usual_total(hours, hour - 1, level) &&
                          has_usual_total(hours, hour + 1, level);
      if (is_gap && is_of_such_night(hour + *ahead) && goes_on_behind(evidence, hour)) skipped.push_back(hour);
    }
  }
  return skipped;
}

std::vector<std::int64_t> hours_that_a_side_skips(const Evidence& evidence) {
  std::vector<std::int64_t> skipped;
  for (std::size_t file = 0; file < evidence.inputs.size(); ++file) {
    const std::vector<Run> runs = steps_of(evidence, file);
    for (std::size_t i = 1; i < runs.size(); ++i) skipped.push_back(runs[i].begin - 1);
  }
  return skipped;
}

Judgements hour_skipped(const Evidence& evidence, double /*threshold*/) {
  const InputFacts* const local = local_input(evidence);
  if (local == nullptr) return {};
  Judged judged{.of = evidence.facts.hours.size(), .enough = 1};
  for (const std::int64_t hour : hours_that_clocks_skip(evidence)) {
    judged.sureness = Sureness::certain;
    judged.file = local->name;
    ++judged.cases;
    judged.words = {{"when", hour_text(hour)}};
  }
  return {judged};
}

// Without times that go back by an hour where the night's clocks do, a busy hour looks alike.
Judgements hour_twice(const Evidence& evidence, double threshold) {
  constexpr double most = 3;  // sessions make hours differ
  constexpr double z_min = 6;
  const Hours& hours = evidence.facts.hours;
  const InputFacts* const local = local_input(evidence);
  const auto ahead = local == nullptr ? std::nullopt : hours_ahead(*local);
  if (hours.empty() || !ahead) return {};
  Judged judged{.of = hours.size(), .enough = 1};
  for (std::int64_t hour = hours.begin()->first + 2; hour + 2 <= hours.rbegin()->first; ++hour) {
    const double level = usual_total(hours, hour);
    const double count = all_of(hours, hour);
    const bool is_double = count >= threshold * level && count <= most * level && (count - level) > z_min * std::sqrt(level);
    if (level < usual_min || !is_double || !is_of_such_night(hour + *ahead)) continue;
    if (!has_usual_total(hours, hour - 1, level) || !has_usual_total(hours, hour + 1, level)) continue;
    const bool goes_back = std::ranges::any_of(evidence.inputs, [](const InputFacts& input) {
      return input.disorder.ms > 50 * one_minute.ms && input.disorder.ms <= 61 * one_minute.ms;
    });
    judged.sureness = goes_back ? Sureness::certain : Sureness::likely;
    judged.file = local->name;
    ++judged.cases;
    judged.words = {{"when", hour_text(hour)},
                    {"times", fmt::format("{:.1f}", count / level)},
                    {"back", goes_back ? ", and times go back by an hour" : ""}};
  }
  return {judged};
}

Judgements clock_set(const Evidence& evidence, double /*threshold*/) {
  Judgements out;
  for (std::size_t file = 0; file < evidence.inputs.size(); ++file) {
    const std::vector<Run> runs = steps_of(evidence, file);
    Judged judged{.file = evidence.inputs[file].name};
    for (const Run& run : runs) {
      judged.of += run.actions;
      if (run.shift != runs.front().shift) judged.cases += run.actions;
    }
    if (judged.cases < cases_min || judged.of < records_min) {
      if (judged.of > 0) out.push_back(std::move(judged));
      continue;
    }
    const std::int64_t hour = runs[1].begin;
    const std::chrono::weekday day(day_of(hour));
    const bool is_likely_day = (day == std::chrono::Sunday || day == std::chrono::Saturday) && may_set_clocks(day_of(hour));
    judged.sureness = is_likely_day ? Sureness::certain : Sureness::likely;
    bool is_known = false;
    const std::string side = side_in_local_time(evidence, file, is_known);
    judged.words = {
        {"when", hour_text(hour)},
        {"step", signed_span(runs[1].shift - runs[0].shift)},
        {"side", side},
        {"remedy", is_known ? fmt::format("Set zone: to {}, for {}, in place of one that never changes", of_zone, side)
                            : std::string("Have both written in UTC, or with an offset as unit: rfc3339")}};
    out.push_back(std::move(judged));
  }
  return out;
}

}  // namespace recmeter::doctor
