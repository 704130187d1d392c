// Checks of the log hour by hour: parts that are missing, and steps.
#include <algorithm>
#include <cmath>

#include "doctor/judges.h"
#include "recmeter/result/render.h"

namespace recmeter::doctor {
namespace {

constexpr double events_min = 30;  // a usual hour's
constexpr std::size_t hours_min = 6;
constexpr std::int64_t gap_hours_max = 6;  // what is missing longer is a night, or a shop that closes

HourCount count_of(const Hours& hours, std::int64_t hour) {
  const auto at = hours.find(hour);
  return at == hours.end() ? HourCount() : at->second;
}

// The median of the two hours before `begin` and the two from `end` on.
double usual(const Hours& hours, std::int64_t begin, std::int64_t end, std::uint64_t HourCount::* kind) {
  std::array<std::uint64_t, 4> around{};
  for (int i = 0; i < 2; ++i) {
    around[static_cast<std::size_t>(i)] = count_of(hours, begin - 1 - i).*kind;
    around[static_cast<std::size_t>(i) + 2] = count_of(hours, end + i).*kind;
  }
  std::sort(around.begin(), around.end());
  return static_cast<double>(around[1] + around[2]) / 2;
}

struct Gap {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Sureness sureness = Sureness::silent;
};

// Runs of hours with fewer than `threshold` of the usual, in whole hours of the log.
std::vector<Gap> gaps(const Hours& hours, std::uint64_t HourCount::* kind, double threshold) {
  std::vector<Gap> out;
  if (hours.size() < hours_min) return out;
  const std::int64_t first = hours.begin()->first + 2;
  const std::int64_t last = hours.rbegin()->first - 2;
  const auto judge = [&](std::int64_t hour, double level) {
    const std::uint64_t count = count_of(hours, hour).*kind;
    const auto of = static_cast<std::uint64_t>(level);
    return level < events_min || count > of ? Sureness::silent
                                            : below(count, of, threshold, static_cast<std::uint64_t>(events_min), strict_z);
  };
  for (std::int64_t hour = first; hour < last; ++hour) {
    for (std::int64_t length = 1; length <= gap_hours_max && hour + length <= last; ++length) {
      const double level = usual(hours, hour, hour + length, kind);
      Gap gap{.begin = hour, .end = hour + length, .sureness = Sureness::certain};
      for (std::int64_t h = gap.begin; h < gap.end; ++h) gap.sureness = std::min(gap.sureness, judge(h, level));
      if (gap.sureness == Sureness::silent || judge(gap.begin - 1, level) != Sureness::silent ||
          judge(gap.end, level) != Sureness::silent)
        continue;
      out.push_back(gap);
      hour = gap.end;
      break;
    }
  }
  return out;
}

// Nothing is lost in an hour that clocks were set past.
void leave_out(std::vector<Gap>& gaps, const std::vector<std::int64_t>& skipped) {
  std::erase_if(gaps, [&](const Gap& gap) {
    return gap.end == gap.begin + 1 && std::ranges::find(skipped, gap.begin) != skipped.end();
  });
}

Judged judged_gaps(const Evidence& evidence, const std::vector<Gap>& gaps) {
  Judged judged;
  judged.of = evidence.facts.hours.size();
  judged.enough = hours_min;
  std::string when;
  for (const Gap& gap : gaps) {
    judged.sureness = std::max(judged.sureness, gap.sureness);
    judged.cases += static_cast<std::uint64_t>(gap.end - gap.begin);
    if (when.size() > 100) continue;
    if (!when.empty()) when += ", ";
    when += render_utc(EventTime{gap.begin * one_hour.ms}).substr(0, 16) + " to " +
            render_utc(EventTime{gap.end * one_hour.ms}).substr(11, 5);
  }
  judged.words = {{"when", when}};
  return judged;
}

// Feedback per list in three hours that are alike; nothing where they are not.
struct Spell {
  double rate = 0;
  double feedback = 0;
};
std::optional<Spell> spell(const Hours& hours, std::int64_t begin) {
  constexpr double steady = 0.35;
  Spell sum;
  double lists = 0;
  for (std::int64_t hour = begin; hour < begin + 3; ++hour) {
    const HourCount count = count_of(hours, hour);
    if (static_cast<double>(count.lists) < events_min) return std::nullopt;
    lists += static_cast<double>(count.lists);
    sum.feedback += static_cast<double>(count.feedback);
  }
  sum.rate = sum.feedback / lists;
  for (std::int64_t hour = begin; hour < begin + 3; ++hour) {
    const HourCount count = count_of(hours, hour);
    const double expected = sum.rate * static_cast<double>(count.lists);
    const double off = std::abs(static_cast<double>(count.feedback) - expected);
    if (off > steady * expected + 3 * std::sqrt(expected)) return std::nullopt;
  }
  return sum;
}

}  // namespace

Judgements hours_missing(const Evidence& evidence, double threshold) {
  std::vector<Gap> found = gaps(evidence.facts.hours, &HourCount::lists, threshold);
  leave_out(found, hours_that_clocks_skip(evidence));
  leave_out(found, hours_that_a_side_skips(evidence));
  return {judged_gaps(evidence, found)};
}

Judgements feedback_hours_missing(const Evidence& evidence, double threshold) {
  std::vector<Gap> found = gaps(evidence.facts.hours, &HourCount::feedback, threshold);
  std::erase_if(found, [&](const Gap& gap) {
    double lists = 0;
    for (std::int64_t hour = gap.begin; hour < gap.end; ++hour) {
      lists += static_cast<double>(count_of(evidence.facts.hours, hour).lists);
    }
    return lists < 0.5 * static_cast<double>(gap.end - gap.begin) *
                       usual(evidence.facts.hours, gap.begin, gap.end, &HourCount::lists);
  });
  leave_out(found, hours_that_clocks_skip(evidence));
  leave_out(found, hours_that_a_side_skips(evidence));
  return {judged_gaps(evidence, found)};
}

Judgements rate_step(const Evidence& evidence, double threshold) {
  constexpr double z_min = 8;
  const Hours& hours = evidence.facts.hours;
  if (hours.size() < hours_min) return {};
  Judged judged;
  double best = 0;
  for (std::int64_t hour = hours.begin()->first + 3; hour + 3 <= hours.rbegin()->first + 1; ++hour) {
    const auto before = spell(hours, hour - 3);
    const auto after = spell(hours, hour);
    if (!before || !after || before->feedback < 10 || after->feedback < 10) continue;
    const double step = std::abs(std::log(after->rate / before->rate));
    const double z = step / std::sqrt(1 / before->feedback + 1 / after->feedback);
    if (step <= std::log(threshold) || z <= z_min || z <= best) continue;
    best = z;
    judged.sureness = Sureness::certain;
    judged.words = {{"when", render_utc(EventTime{hour * one_hour.ms}).substr(0, 16)},
                    {"factor", std::to_string(after->rate / before->rate).substr(0, 4)}};
  }
  return {judged};
}

}  // namespace recmeter::doctor
