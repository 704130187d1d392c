#include "app/compare/experiment_text.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/compare/comparison_table.h"
#include "recmeter/experiment/missing_text.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::string_view better_alone = "better, without guardrails";  // is written as `better`

// By the reason of a verdict, without its metric; {0}: the arms, {1}: the metric.
struct ReasonSentence {
  std::string_view reason;
  std::string_view text;
};
constexpr std::array<ReasonSentence, 12> reason_sentences{{
    {"srm", "Hold: the arms do not have the shares that were planned; find the cause before you believe a number"},
    {"mixed_users", "Hold: too many users have seen more than one arm; mend the assignment before you believe a number"},
    {"incomplete", "Hold: lists are missing, so nothing can be concluded"},
    {"guardrail_worse", "Stop {0}: {1}, a guardrail, is worse"},
    {"worse", "Stop {0}: {1} is worse"},
    {"min_duration", "Hold {0}: {1} is better, but the shortest duration is not over"},
    {"guardrail_unsure", "Hold {0}: it is better, but {1}, a guardrail, may be hurt"},
    {"better", "Ship {0}: {1} is better, and no guardrail is hurt"},
    {better_alone, "Ship {0}: {1} is better"},
    {"no_effect", "Stop {0}: no difference that is worth acting on"},
    {"time_up", "Stop {0}: the time is over, and no difference was found"},
    {"undecided", "Hold: it is not decided yet"},
}};

// "B", "B or C"; of those of which `is_so`.
template <class IsSo>
std::string arms_text(const ExperimentRow& row, IsSo&& is_so) {
  std::string out;
  for (const ArmRow& arm : row.arms) {
    if (is_so(arm)) out += (out.empty() ? "" : " or ") + arm.arm;
  }
  return out;
}

std::string lists_text(std::uint64_t lists) {
  return fmt::format("{} list{}", lists, lists == 1 ? "" : "s");
}

// Of an arm without lists, and where they may be instead.
std::string no_data_sentence(const ExperimentRow& row) {
  const std::string empty = arms_text(row, [](const ArmRow& arm) { return arm.lists == 0; });
  if (empty.empty()) return "Hold: there is no look yet";
  std::string text = "Hold: no list is of " + empty;
  if (row.nobody_lists > 0) {
    text += fmt::format("; {} of the arms {} of placeholder users, who are in no arm", lists_text(row.nobody_lists),
                        row.nobody_lists == 1 ? "is" : "are");
  }
  if (row.other_lists > 0) {
    text += fmt::format("; {} name{} no arm: check how the arms are spelt", lists_text(row.other_lists),
                        row.other_lists == 1 ? "s" : "");
  }
  return text;
}

// A metric of the row and the comparison of the arm; null: the row has no such.
struct Named {
  const MetricRow* metric = nullptr;
  const ComparisonRow* comparison = nullptr;
};

Named named_in(const ExperimentRow& row, std::string_view metric, std::string_view arm) {
  const auto of = std::ranges::find(row.metrics, metric, &MetricRow::metric);
  if (of == row.metrics.end()) return {};
  const auto at = std::ranges::find(of->comparisons, arm, &ComparisonRow::arm);
  return {&*of, at == of->comparisons.end() ? nullptr : &*at};
}

// Says what this look alone says of a metric, which an earlier one may have said otherwise.
std::string not_comparable_sentence(const Named& named, std::string_view arm, std::string_view metric) {
  const auto missing = named.comparison == nullptr ? std::nullopt : named.comparison->missing;
  return fmt::format("Hold {0}: the time is over, and {0} cannot be compared in {1}: {2}", arm, metric,
                     missing_text(missing));
}

std::string differed_sentence(const ExperimentRow& row, const Named& named, std::string_view arm, std::string_view metric) {
  const auto* before = named.comparison == nullptr || !named.comparison->before ? nullptr : &*named.comparison->before;
  std::string values;
  if (before != nullptr && before->arm && before->control) {
    values = fmt::format(" ({} {:.3g}, {} {:.3g})", arm, *before->arm, row.arms.front().arm, *before->control);
  }
  return fmt::format("Hold: the arms differed in {} before the start already{}; begin when both began, or leave `cuped` out",
                     metric, values);
}

// Tells whether there is no such thing as a share of the control, so that no relative margin can be kept.
bool has_no_margin(const Named& named) {
  return named.comparison != nullptr && !named.metric->is_absolute && named.comparison->comparison &&
         named.comparison->comparison->is_few && named.comparison->comparison->control == 0;
}

// "; one of 5.8 % is found in 80 of 100 cases": of the first primary.
std::string power_text(const ExperimentRow& row, std::string_view arm) {
  const auto primary = std::ranges::find(row.metrics, TestRole::primary, &MetricRow::role);
  if (primary == row.metrics.end()) return "";
  const auto of = std::ranges::find(primary->comparisons, arm, &ComparisonRow::arm);
  if (of == primary->comparisons.end() || !of->comparison || !of->comparison->evidence.mde_now) return "";
  const double mde = *of->comparison->evidence.mde_now;
  const bool is_share = of->comparison->relative.has_value();
  return fmt::format("; one of {} is found in 80 of 100 cases", signed_text(mde, is_share).substr(1));
}

// Empty: the words of the reason say all there is.
std::string own_sentence(const ExperimentRow& row, std::string_view reason, std::string_view metric, std::string_view arm) {
  const Named named = named_in(row, metric, arm);
  if (reason == "min_duration" && metric.empty()) return "Hold: the shortest duration is not over";  // of an earlier version
  if (reason == "not_comparable") return not_comparable_sentence(named, arm, metric);
  if (reason == "arms_differed_before") return differed_sentence(row, named, arm, metric);
  if (reason == "guardrail_unsure" && has_no_margin(named)) {
    return fmt::format(
        "Hold {}: it is better, but {} is 0 in {}, so that no relative margin can be kept; give an absolute one", arm, metric,
        row.arms.front().arm);
  }
  return "";
}

std::string sentence_of(const ExperimentRow& row, const Verdict& verdict, std::string_view arm) {
  const std::size_t colon = std::min(verdict.reason.find(':'), verdict.reason.size());
  std::string_view reason = std::string_view(verdict.reason).substr(0, colon);
  if (reason == "no_data") return no_data_sentence(row);
  if (reason == "better" && std::ranges::find(row.metrics, TestRole::guardrail, &MetricRow::role) == row.metrics.end()) {
    reason = better_alone;
  }
  const std::string metric = colon < verdict.reason.size() ? verdict.reason.substr(colon + 1) : "";
  if (std::string own = own_sentence(row, reason, metric, arm); !own.empty()) return own;
  const auto found = std::ranges::find(reason_sentences, reason, &ReasonSentence::reason);
  if (found == reason_sentences.end()) return fmt::format("{}: {}", decision_name(verdict.decision), verdict.reason);
  const std::string power = reason == "time_up" ? power_text(row, arm) : "";
  if (!arm.empty()) return fmt::format(fmt::runtime(found->text), arm, metric) + power;
  // A row of an earlier version does not say which.
  const std::string any = arms_text(row, [&](const ArmRow& of) { return &of != &row.arms.front(); });
  return fmt::format(fmt::runtime(found->text), any, metric);
}

std::string more_text(Duration more) {
  constexpr double hour = one_hour.ms;
  const auto hours = static_cast<long long>(std::ceil(static_cast<double>(more.ms) / hour));
  const long long days = (hours + 23) / 24;
  constexpr long long rough_from = 150, a_year_from = 270;
  if (days >= a_year_from) return "a year or more";
  if (days >= rough_from) return "half a year";
  if (hours >= 48) return fmt::format("{} more days", days);
  return hours == 1 ? "1 more hour" : fmt::format("{} more hours", hours);
}

// Values that are compared then are not those that were seen.
bool is_adjusted(const ComparisonRow& of) {
  return of.comparison && of.comparison->theta != 0;
}

// The p that belongs to the interval for all looks of this one: below alpha exactly where that excludes 0. Where the last
// look decides, its own p is what it decides by. [S10.40].
double p_of_all_looks(const ExperimentRow& row, const ComparisonRow& of) {
  const auto& cs = of.comparison->decisive().cs;
  const bool is_by_last = row.is_closed && cs && (cs->first > 0 || cs->second < 0);
  return is_by_last ? of.comparison->evidence.p : p_always(of.comparison->evidence.log_e);
}

// Which of several differences may be believed. "": there is one.
std::string many_note(const ExperimentRow& row) {
  std::size_t tests = 0, secondaries = 0;
  for (const MetricRow& metric : row.metrics) {
    tests += metric.comparisons.size();
    secondaries += metric.role == TestRole::secondary ? metric.comparisons.size() : 0;
  }
  if (tests < 2) return "";
  std::string text = fmt::format(
      "\nThese are {} differences at once. The range for all looks allows for it among primaries and among guardrails; that "
      "for "
      "one look stands by itself.",
      tests);
  if (secondaries > 0) {
    std::string found;
    for (const MetricRow& metric : row.metrics) {
      for (const ComparisonRow& of : metric.comparisons) {
        if (!of.discovery.value_or(false)) continue;
        found += (found.empty() ? "" : ", ") + metric.metric + (metric.comparisons.size() > 1 ? " of " + of.arm : "");
      }
    }
    text += fmt::format(" Of the secondary ones {} found among all of them.", found.empty() ? "none is" : found + " is");
  }
  return text + "\n";
}

ComparisonTable metric_table(const ExperimentRow& row) {
  ComparisonTable table{
      {{"metric", "role", "arm", row.arms.front().arm, "arm's", "difference", "all looks", "p", "one look", "p"}}};
  for (const MetricRow& metric : row.metrics) {
    for (std::size_t i = 0; i < metric.comparisons.size(); ++i) {
      const ComparisonRow& of = metric.comparisons[i];
      const auto value = [&](std::size_t arm) {
        if (is_adjusted(of)) return value_text(arm == 0 ? of.comparison->control : of.comparison->arm);
        return value_text(arm < metric.values.size() ? metric.values[arm] : std::nullopt);
      };
      std::vector<std::string> cells{metric.metric + (is_adjusted(of) ? ", adjusted by CUPED" : ""),
                                     std::string(role_name(metric.role)), of.arm, value(0), value(i + 1)};
      if (of.comparison) {
        const Distance& at = of.comparison->decisive();
        const bool is_share = of.comparison->relative.has_value();
        cells.insert(cells.end(),
                     {signed_text(at.value, is_share), range_text(at.cs, is_share), p_text(p_of_all_looks(row, of)),
                      range_text(at.ci, is_share), p_text(of.comparison->evidence.p)});
      } else {
        cells.insert(cells.end(), {std::string(missing_text(of.missing)), "", "", "", ""});
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

ComparisonTable arm_table(const ExperimentRow& row) {
  ComparisonTable table{{{"arm", "lists", is_draft(row) ? "users by first list" : "users", "planned"}}};
  for (const ArmRow& arm : row.arms) {
    table.rows.push_back(
        {arm.arm, std::to_string(arm.lists), std::to_string(arm.users), fmt::format("{:.1f} %", 100 * arm.allocation)});
  }
  return table;
}

std::string place_of(const ExperimentRow& row) {
  return fmt::format("{}: look {}, {} to {}, horizon {}", row.experiment, row.look, render_utc(row.start),
                     render_utc(row.end), render_duration(row.horizon));
}

bool is_sure(const Distance& at) {
  return at.cs && (at.cs->first > 0 || at.cs->second < 0);
}

// 640 lists against 500.
std::string draft_sentence(const ComparisonRow& of, std::string_view control, bool is_last) {
  const auto [wins, losses, ties] = *of.draft;
  std::string text = fmt::format("More of {}'s items were acted on in {} lists, more of {}'s in {}, as many of both in {}",
                                 of.arm, wins, control, losses, ties);
  if (!of.comparison) return text + ": too few to say more yet.";
  const Distance& at = of.comparison->absolute;
  text += fmt::format(": people prefer {} by {}", at.value < 0 ? control : of.arm,
                      signed_text(std::abs(at.value), false).substr(1));
  const std::string range = at.cs ? fmt::format("{} by between {}", of.arm, range_text(at.cs, false, "and")) : "";
  return text + (is_sure(at) ? "; sure: " + range : doubt_text(of, range, is_last)) + ".";
}

// A line for each arm where there are several, and for each metric.
std::vector<std::string> sentences_of(const ExperimentRow& row) {
  std::vector<std::string> out;
  if (row.arm_verdicts.size() > 1) {
    for (const auto& [arm, said] : row.arm_verdicts) out.push_back(fmt::format("{}: {}.", arm, sentence_of(row, said, arm)));
  }
  for (const MetricRow& metric : row.metrics) {
    for (const ComparisonRow& of : metric.comparisons) {
      out.push_back(metric_sentence(metric, of, row.arms.front().arm, row.is_closed));
    }
  }
  return out;
}

}  // namespace

std::string verdict_sentence(const ExperimentRow& row) {
  const CountsRow& counts = row.counts;
  std::string text = sentence_of(row, counts.verdict, counts.arm);
  const bool is_decided = row.decided && counts.verdict == row.decided->verdict;
  if (is_decided) text += fmt::format("; decided at {}", render_utc(counts.at));
  text += ".";
  const CountsRow now = said_by(row);
  if (counts.verdict != now.verdict || counts.arm != now.arm) {
    text += fmt::format(" The look of {} alone says: {}.", render_utc(row.end), sentence_of(row, now.verdict, now.arm));
  } else if (row.decided && !is_decided) {
    text += fmt::format(" The decision of {}, {}, does not count.", render_utc(row.decided->end),
                        decision_name(row.decided->verdict.decision));
  }
  return text;
}

std::string doubt_text(const ComparisonRow& of, const std::string& range, bool is_last) {
  std::string text = ", which may be chance";
  if (!range.empty()) text += " (" + range + ")";
  const bool is_heavy = of.comparison && of.comparison->is_heavy();
  if (!is_last && of.more && of.more->ms > 0) {
    text += "; at this pace " + more_text(*of.more) + (is_heavy ? ": " : "");
  } else if (is_heavy) {
    text += "; ";
  }
  return text + (is_heavy ? "a few users decide it" : "");
}

std::string metric_sentence(const MetricRow& metric, const ComparisonRow& of, std::string_view control, bool is_last) {
  if (of.draft) return draft_sentence(of, control, is_last);
  if (!of.comparison) {
    return fmt::format("{} and {} cannot be compared in {}: {}.", of.arm, control, metric.metric, missing_text(of.missing));
  }
  const Distance& at = of.comparison->decisive();
  const bool is_share = of.comparison->relative.has_value();
  std::string size = signed_text(std::abs(at.value), is_share).substr(1);
  const bool is_called_so = metric.is_higher_better && is_sure(at);  // what may be chance is no better
  const std::string_view word = is_called_so ? (at.value > 0 ? "better" : "worse") : (at.value > 0 ? "higher" : "lower");
  std::string text = fmt::format("{} is {} {} than {} in {}", of.arm, size, word, control, metric.metric);
  if (!metric.is_higher_better) text += at.value > 0 ? ", where lower is better" : ", which is better";
  if (of.comparison->is_few) {
    text += fmt::format(" ({} against {})", value_text(of.comparison->arm), value_text(of.comparison->control));
  }
  if (is_adjusted(of)) text += ", adjusted by CUPED";
  // Bounds of few events are rough.
  const std::string range = !at.cs                  ? ""
                            : of.comparison->is_few ? rough_range_text(*at.cs, "and")
                                                    : range_text(at.cs, is_share, "and");
  return text +
         (is_sure(at) ? "; sure: between " + range : doubt_text(of, range.empty() ? "" : "between " + range, is_last)) + ".";
}

std::string experiment_text(const ExperimentRow& row) {
  std::string out = place_of(row) + "\n" + verdict_sentence(row) + "\n\n";
  for (const std::string& sentence : sentences_of(row)) out += sentence + "\n";
  return out + "\n" + metric_table(row).text() + many_note(row) + "\n" + arm_table(row).text();
}

std::string experiment_markdown(const ExperimentRow& row) {
  std::string out = fmt::format("**{}** ({})\n\n", verdict_sentence(row), place_of(row));
  for (const std::string& sentence : sentences_of(row)) out += "- " + sentence + "\n";
  return out + "\n" + metric_table(row).markdown() + many_note(row) + "\n" + arm_table(row).markdown();
}

}  // namespace recmeter
