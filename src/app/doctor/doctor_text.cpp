#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/console/text_layout.h"
#include "app/doctor/doctor_run.h"
#include "recmeter/result/render.h"

namespace recmeter::doctor {
namespace {

constexpr std::size_t bar_columns = 24;

std::string bar(double share) {
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_columns) + 0.5);
  return std::string(filled, '#') + std::string(bar_columns - std::min(filled, bar_columns), '.');
}

std::string sureness_of(const Finding& finding) {
  if (finding.sureness == Sureness::silent) return "silent";
  if (!finding.hidden_by.empty()) return "follows from " + finding.hidden_by;
  return finding.sureness == Sureness::certain ? "certain" : "likely";
}

// The finding, why it is likely, and the remedy, where it is told.
std::string finding_text(const Finding& finding, std::size_t width) {
  std::string text = fmt::format("  {}, {}, {}{}\n", finding.check->code, to_string(finding.check->weight),
                                 sureness_of(finding), finding.file.empty() ? "" : ", in " + finding.file);
  const auto line = [&](std::string_view name, const std::string& says) {
    if (!says.empty()) text += "    " + wrapped(fmt::format("{:<7}{}", name, says), width, 11) + "\n";
  };
  line("found", finding.statistic);
  line("cause", finding.cause);
  if (finding.is_told()) line("do", finding.remedy);
  return text;
}

std::string findings_text(const Diagnosis& diagnosis, bool all, std::size_t width) {
  std::string text;
  for (const Finding& finding : diagnosis.findings) {
    if (all || finding.is_told()) text += finding_text(finding, width) + "\n";
  }
  return text;
}

// A log that is short gets no clean bill.
std::string verdict_text(const DoctorRun& run) {
  const Diagnosis& diagnosis = run.diagnosis;
  std::array<std::size_t, 3> told{};
  for (const Finding& finding : diagnosis.findings)
    told[static_cast<std::size_t>(finding.check->weight)] += finding.is_told() ? 1U : 0U;
  const auto several = [](std::size_t count, const char* of) {
    return fmt::format("{} {}{}", count, of, count == 1 ? "" : "s");
  };
  const std::string few =
      fmt::format("{} of {} checks had too few records to say anything", diagnosis.checks_short, diagnosis.checks);
  if (std::accumulate(told.begin(), told.end(), std::size_t{0}) > 0) {
    const std::string found =
        fmt::format("Found: {}, {}, {}", several(told[0], "error"), several(told[1], "warning"), several(told[2], "note"));
    return found + (diagnosis.checks_short > 0 ? "; " + few + ".\n\n" : "\n\n");
  }
  if (!run.exceeded.empty()) return "Replay would end with exit code 3 on this log.\n\n";
  if (diagnosis.checks == 0) return "There was nothing to check.\n\n";
  if (diagnosis.checks_short > 0) return fmt::format("Nothing was found wrong with this log, but {}.\n\n", few);
  return "Nothing was found wrong with this log.\n\n";
}

// The reasons for which replay would end so, where no error says them.
std::string exceeded_text(const DoctorRun& run, std::size_t width) {
  if (run.diagnosis.gravest() == Weight::error) return "";
  std::string text;
  for (const std::string& sentence : run.exceeded) text += "  " + wrapped("replay: " + sentence, width, 4) + "\n\n";
  return text;
}

std::string curve_text(const DelayCurve& curve, std::size_t width) {
  if (curve.feedback == 0 || curve.points.back().credited == 0) return "";
  std::string text =
      fmt::format("Credit by horizon, of {} feedback{}\n\n  {:<8} {:>12} {:>8} {:>8}  {:<{}}  rows are final after\n",
                  grouped(curve.feedback), curve.is_named ? "" : " (lists found by user and item, some by chance)", "horizon",
                  "credited", "share", "lost", "", bar_columns);
  for (const CurvePoint& point : curve.points) {
    text += fmt::format("{} {:<8} {:>12} {:>8} {:>8}  {}  {}\n", point.horizon == curve.advised ? '>' : ' ',
                        render_duration(point.horizon), grouped(point.credited), percent(point.share),
                        percent(1 - point.share), bar(point.share), span_text(point.final_after.ms));
    if (point.credited == curve.points.back().credited && point.horizon >= curve.advised) break;  // nothing more comes
  }
  const std::string why = fmt::format(
      "Advised: {}, {}.", render_duration(curve.advised),
      curve.slowest() != nullptr
          ? fmt::format(
                "the shortest that keeps 99 % of each action, and {} needs it; a shorter one loses what the column says, "
                "with a longer one rows are final later",
                curve.slowest()->name)
      : !curve.is_named   ? "the usual choice: most feedback names no list, so delays cannot be told from chance"
      : !curve.has_delays ? "the usual choice: the log does not say how long after its list feedback comes"
                          : "the usual choice: too few actions are on an item of the list they name");
  return text + "\n  " + wrapped(why, width, 2) + "\n\n";
}

std::string profile_text(const Profile& profile) {
  std::string text = "Profile\n\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<20} {}\n", name, value);
  };
  const auto spread = [](const Spread& of) {
    return fmt::format("{} times, {} items; Gini {:.2f}, the top 1 % of items have {}", grouped(of.total), grouped(of.items),
                       of.gini, percent(of.top_share));
  };
  line("users", grouped(profile.users));
  line("items",
       fmt::format("{} ({:.3g} users an item)", grouped(profile.items),
                   profile.items == 0 ? 0 : static_cast<double>(profile.users) / static_cast<double>(profile.items)));
  line("lists", fmt::format("{} of {:.1f} items", grouped(profile.lists), profile.list_length));
  line("actions", fmt::format("{}; a user has {:.2f}, median {}, most {}", grouped(profile.actions), profile.actions_per_user,
                              profile.actions_per_user_median, grouped(profile.actions_per_user_max)));
  line("density", fmt::format("{} of all user-item pairs", percent(profile.density)));
  line("shown", spread(profile.shown));
  line("acted on", spread(profile.acted));
  if (!profile.ratings.empty()) {
    std::string ratings;
    for (const auto& [value, count] : profile.ratings) {
      if (ratings.size() < 100) ratings += fmt::format("{}{}: {}", ratings.empty() ? "" : ", ", value, grouped(count));
    }
    line("ratings", ratings);
  }
  std::string days;
  for (const auto& [day, count] : profile.new_users) {
    if (days.size() > 60) {
      days += ", ...";
      break;
    }
    days += fmt::format("{}{} {}", days.empty() ? "" : ", ", render_utc(EventTime{day * one_day.ms}).substr(5, 5),
                        grouped(count));
  }
  line("new users by day", days);
  return text;
}

}  // namespace

std::string text_of(const DoctorRun& run, bool all, std::size_t width) {
  const Diagnosis& diagnosis = run.diagnosis;
  std::string text =
      fmt::format("{} events, {} lists, {} feedback of which {} credited\n", grouped(diagnosis.events),
                  grouped(run.report.lists), grouped(run.report.events.feedback), grouped(run.report.feedback.credited));
  if (diagnosis.sampled_one_in > 1)
    text +=
        fmt::format("looked at one user in {}, and one list id in {}\n", diagnosis.sampled_one_in, diagnosis.sampled_one_in);
  text += verdict_text(run);
  return text + exceeded_text(run, width) + findings_text(diagnosis, all, width) + curve_text(diagnosis.curve, width) +
         profile_text(diagnosis.profile);
}

}  // namespace recmeter::doctor
