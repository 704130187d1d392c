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

std::string findings_text(const Diagnosis& diagnosis, bool all, std::size_t width) {
  std::string text;
  for (const Finding& finding : diagnosis.findings) {
    if (!all && !finding.is_told()) continue;
    const std::string head =
        fmt::format("{}, {}, {}: ", finding.check->code, to_string(finding.check->weight), sureness_of(finding));
    text += wrapped(head + sentence_of(finding), width, 2).insert(0, "  ") + "\n\n";
  }
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
  }
  const std::string why = fmt::format(
      "Advised: {}, {}.", render_duration(curve.advised),
      !curve.is_named     ? "the usual choice: most feedback names no list, so delays cannot be told from chance"
      : !curve.has_delays ? "the usual choice: the log does not say how long after its list feedback comes"
      : !curve.has_enough
          ? "the usual choice: too few actions are on an item of the list they name"
          : "the shortest that keeps 99 %; a shorter one loses what the column says, with a longer one rows are final later");
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
  std::array<std::size_t, 3> told{};
  for (const Finding& finding : diagnosis.findings)
    told[static_cast<std::size_t>(finding.check->weight)] += finding.is_told() ? 1U : 0U;
  std::string text =
      fmt::format("{} events, {} lists, {} feedback of which {} credited\n", grouped(diagnosis.events),
                  grouped(run.report.lists), grouped(run.report.events.feedback), grouped(run.report.feedback.credited));
  if (diagnosis.sampled_one_in > 1)
    text +=
        fmt::format("looked at one user in {}, and one list id in {}\n", diagnosis.sampled_one_in, diagnosis.sampled_one_in);
  const std::size_t sum = std::accumulate(told.begin(), told.end(), std::size_t{0});
  text += sum == 0 ? "Nothing was found wrong with this log.\n\n"
                   : fmt::format("Found: {} {}, {} {}, {} {}\n\n", told[0], told[0] == 1 ? "error" : "errors", told[1],
                                 told[1] == 1 ? "warning" : "warnings", told[2], told[2] == 1 ? "note" : "notes");
  return text + findings_text(diagnosis, all, width) + curve_text(diagnosis.curve, width) + profile_text(diagnosis.profile);
}

}  // namespace recmeter::doctor
