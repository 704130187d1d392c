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

// Records that no rule takes, where no finding tells of them.
std::string ignored_text(const DoctorRun& run) {
  const auto& findings = run.diagnosis.findings;
  const auto is_of_ignored = [](const Finding& finding) { return std::string_view(finding.check->code) == "ignored-items"; };
  const auto found = std::ranges::find_if(findings, is_of_ignored);
  if (run.report.events.ignored == 0 || found == findings.end() || found->is_told()) return "";
  if (found->cases == 0) return fmt::format("{} ignored records hold no shown item.\n", grouped(run.report.events.ignored));
  return fmt::format("{} of the {} ignored records hold an item that their user was shown.\n", grouped(found->cases),
                     grouped(run.report.events.ignored));
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

// How actions found their lists, and what a share is of.
std::string curve_head(const DelayCurve& curve) {
  std::string text = fmt::format("Actions that a horizon credits, of the {} that {} credits (of {} in all)",
                                 grouped(curve.points.back().credited), render_duration(curve.points.back().horizon),
                                 grouped(curve.feedback));
  if (curve.is_named) return text;
  return text + fmt::format("; lists are found by user and item, {} by chance",
                            curve.chance == 0 ? "hardly any" : "some " + grouped(curve.chance));
}

// Why a horizon is advised.
std::string advice_text(const DelayCurve& curve) {
  if (const ActionDelays* slowest = curve.slowest()) {
    return fmt::format(
        "the shortest that keeps 99 % of each action{}, and {} needs it; a shorter one loses what the column says, with a "
        "longer one rows are final later",
        curve.is_named ? "" : ", but for what chance explains", slowest->name);
  }
  if (!curve.is_named) return "the usual choice: most actions name no list, so delays cannot be told from chance";
  if (!curve.has_delays) return "the usual choice: the log does not say how long after its list an action comes";
  const std::uint64_t credited = curve.points.back().credited;
  return fmt::format("the usual choice: only {} actions{}: too few to advise from",
                     credited == curve.feedback ? grouped(credited) : grouped(credited) + " of " + grouped(curve.feedback),
                     credited == curve.feedback ? "" : " are on an item of the list they name");
}

std::string curve_text(const DelayCurve& curve, std::size_t width) {
  if (curve.feedback == 0 || curve.points.back().credited == 0) return "";
  std::string text =
      wrapped(curve_head(curve), width, 0) + fmt::format("\n\n  {:<8} {:>12} {:>8} {:>8}  {:<{}}  rows are final after\n",
                                                         "horizon", "credited", "share", "lost", "", bar_columns);
  for (const CurvePoint& point : curve.points) {
    text += fmt::format("{} {:<8} {:>12} {:>8} {:>8}  {}  {}\n", point.horizon == curve.advised ? '>' : ' ',
                        render_duration(point.horizon), grouped(point.credited), percent(point.share),
                        percent(1 - point.share), bar(point.share), span_text(point.final_after.ms));
    if (point.credited == curve.points.back().credited && point.horizon >= curve.advised) break;  // nothing more comes
  }
  const std::string why = fmt::format("Advised: {}, {}.", render_duration(curve.advised), advice_text(curve));
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
      fmt::format("{} events, {} lists, {} actions of which {} credited\n", grouped(diagnosis.events),
                  grouped(run.report.lists), grouped(run.report.events.feedback), grouped(run.report.feedback.credited));
  if (diagnosis.sampled_one_in > 1)
    text +=
        fmt::format("looked at one user in {}, and one list id in {}\n", diagnosis.sampled_one_in, diagnosis.sampled_one_in);
  text += ignored_text(run) + verdict_text(run);
  return text + exceeded_text(run, width) + findings_text(diagnosis, all, width) + curve_text(diagnosis.curve, width) +
         profile_text(diagnosis.profile);
}

}  // namespace recmeter::doctor
