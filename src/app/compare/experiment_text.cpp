#include "app/compare/experiment_text.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/compare/comparison_table.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

constexpr std::string_view better_alone = "better, without guardrails";  // is written as `better`

// By the reason of a verdict, without its metric; {0}: the arms, {1}: the metric.
struct ReasonSentence {
  std::string_view reason;
  std::string_view text;
};
constexpr std::array<ReasonSentence, 13> reason_sentences{{
    {"no_data", "Wait: there is no list yet"},
    {"srm", "Hold: the arms do not have the shares that were planned; find the cause before you believe a number"},
    {"mixed_users", "Hold: too many users have seen more than one arm; mend the assignment before you believe a number"},
    {"incomplete", "Hold: lists are missing, so nothing can be concluded"},
    {"guardrail_worse", "Stop {0}: {1}, a guardrail, is worse"},
    {"worse", "Stop {0}: {1} is worse"},
    {"min_duration", "Hold: the shortest duration is not over"},
    {"guardrail_unsure", "Hold {0}: it is better, but {1}, a guardrail, may be hurt"},
    {"better", "Ship {0}: {1} is better, and no guardrail is hurt"},
    {better_alone, "Ship {0}: {1} is better"},
    {"no_effect", "Stop {0}: no difference that is worth acting on"},
    {"time_up", "Stop {0}: the time is over, and no difference was found"},
    {"undecided", "Hold: it is not decided yet"},
}};

std::string sentence_of(const ExperimentRow& row, const Verdict& verdict, std::string_view arms) {
  const std::size_t colon = std::min(verdict.reason.find(':'), verdict.reason.size());
  std::string_view reason = std::string_view(verdict.reason).substr(0, colon);
  if (reason == "better" && std::ranges::find(row.metrics, TestRole::guardrail, &MetricRow::role) == row.metrics.end()) {
    reason = better_alone;
  }
  const std::string metric = colon < verdict.reason.size() ? verdict.reason.substr(colon + 1) : "";
  const auto found = std::ranges::find(reason_sentences, reason, &ReasonSentence::reason);
  if (found == reason_sentences.end()) return fmt::format("{}: {}", decision_name(verdict.decision), verdict.reason);
  return fmt::format(fmt::runtime(found->text), arms, metric);
}

// The arms that a verdict is about: the first with it.
std::string_view arm_of(const ExperimentRow& row, const Verdict& verdict) {
  for (const auto& [arm, said] : row.arm_verdicts) {
    if (said == verdict) return arm;
  }
  return row.arm_verdicts.empty() ? "" : std::string_view(row.arm_verdicts.front().first);
}

std::string more_text(Duration more) {
  constexpr double hour = one_hour.ms;
  const auto hours = static_cast<long long>(std::ceil(static_cast<double>(more.ms) / hour));
  const long long days = (hours + 23) / 24;
  if (hours >= 48) return fmt::format("{} more days", days);
  return hours == 1 ? "1 more hour" : fmt::format("{} more hours", hours);
}

ComparisonTable metric_table(const ExperimentRow& row) {
  ComparisonTable table{
      {{"metric", "role", "arm", row.arms.front().arm, "arm's", "difference", "all looks", "one look", "p"}}};
  for (const MetricRow& metric : row.metrics) {
    for (std::size_t i = 0; i < metric.comparisons.size(); ++i) {
      const ComparisonRow& of = metric.comparisons[i];
      const auto value = [&](std::size_t arm) {
        return value_text(arm < metric.values.size() ? metric.values[arm] : std::nullopt);
      };
      std::vector<std::string> cells{metric.metric, std::string(role_name(metric.role)), of.arm, value(0), value(i + 1)};
      if (of.comparison) {
        const Distance& at = of.comparison->decisive();
        const bool is_share = of.comparison->relative.has_value();
        cells.insert(cells.end(), {signed_text(at.value, is_share), range_text(at.cs, is_share), range_text(at.ci, is_share),
                                   fmt::format("{:.3g}", of.p_always)});
      } else {
        cells.insert(cells.end(), 4, "-");
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

ComparisonTable arm_table(const ExperimentRow& row) {
  ComparisonTable table{{{"arm", "lists", "users", "planned"}}};
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

// 640 lists against 500.
std::string draft_sentence(const ComparisonRow& of, std::string_view control) {
  const auto [wins, losses, ties] = *of.draft;
  std::string text = fmt::format("More of {}'s items were acted on in {} lists, more of {}'s in {}, as many of both in {}",
                                 of.arm, wins, control, losses, ties);
  if (!of.comparison) return text + ": too few to say more yet.";
  const Distance& at = of.comparison->absolute;
  text += fmt::format(": people prefer {} by {}", at.value < 0 ? control : of.arm,
                      signed_text(std::abs(at.value), false).substr(1));
  if (!at.cs) return text + "; how sure that is cannot be said yet.";
  const bool is_sure = at.cs->first > 0 || at.cs->second < 0;
  text += fmt::format("; {}: {} by between {}", is_sure ? "sure" : "not yet sure", of.arm, range_text(at.cs, false, "and"));
  if (!is_sure && of.more && of.more->ms > 0) text += "; at this pace " + more_text(*of.more);
  return text + ".";
}

// A line for each arm where there are several, and for each metric.
std::vector<std::string> sentences_of(const ExperimentRow& row) {
  std::vector<std::string> out;
  if (row.arm_verdicts.size() > 1) {
    for (const auto& [arm, said] : row.arm_verdicts) out.push_back(fmt::format("{}: {}.", arm, sentence_of(row, said, arm)));
  }
  for (const MetricRow& metric : row.metrics) {
    for (const ComparisonRow& of : metric.comparisons) out.push_back(metric_sentence(metric, of, row.arms.front().arm));
  }
  return out;
}

}  // namespace

Verdict standing_verdict(const ExperimentRow& row) {
  constexpr std::array<std::string_view, 4> broken{"no_data", "srm", "mixed_users", "incomplete"};
  const bool is_broken = std::ranges::find(broken, row.verdict.reason) != broken.end();
  return row.decided && !is_broken ? row.decided->verdict : row.verdict;
}

std::string verdict_sentence(const ExperimentRow& row) {
  const Verdict verdict = standing_verdict(row);
  std::string text = sentence_of(row, verdict, arm_of(row, verdict));
  if (row.decided && verdict == row.decided->verdict) text += fmt::format("; decided at {}", render_utc(row.decided->end));
  return text + ".";
}

std::string metric_sentence(const MetricRow& metric, const ComparisonRow& of, std::string_view control) {
  if (of.draft) return draft_sentence(of, control);
  if (!of.comparison) {
    return fmt::format("{} and {} cannot be compared in {} yet: too little was seen.", of.arm, control, metric.metric);
  }
  const Distance& at = of.comparison->decisive();
  const bool is_share = of.comparison->relative.has_value();
  std::string size = signed_text(std::abs(at.value), is_share).substr(1);
  std::string_view word = metric.is_higher_better ? (at.value > 0 ? "better" : "worse") : (at.value > 0 ? "higher" : "lower");
  std::string text = fmt::format("{} is {} {} than {} in {}", of.arm, size, word, control, metric.metric);
  if (!metric.is_higher_better) text += at.value > 0 ? ", where lower is better" : ", which is better";
  if (!at.cs) return text + "; how sure that is cannot be said yet.";
  const bool is_sure = at.cs->first > 0 || at.cs->second < 0;
  text += fmt::format("; {}: between {}", is_sure ? "sure" : "not yet sure", range_text(at.cs, is_share, "and"));
  if (!is_sure && of.more && of.more->ms > 0) text += "; at this pace " + more_text(*of.more);
  return text + ".";
}

std::string experiment_text(const ExperimentRow& row) {
  std::string out = place_of(row) + "\n" + verdict_sentence(row) + "\n\n";
  for (const std::string& sentence : sentences_of(row)) out += sentence + "\n";
  return out + "\n" + metric_table(row).text() + "\n" + arm_table(row).text();
}

std::string experiment_markdown(const ExperimentRow& row) {
  std::string out = fmt::format("**{}** ({})\n\n", verdict_sentence(row), place_of(row));
  for (const std::string& sentence : sentences_of(row)) out += "- " + sentence + "\n";
  return out + "\n" + metric_table(row).markdown() + "\n" + arm_table(row).markdown();
}

}  // namespace recmeter
