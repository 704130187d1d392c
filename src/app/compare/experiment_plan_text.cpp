// An ExperimentPlan as a table, in Markdown or as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/compare/comparison_table.h"
#include "app/compare/experiment_plan.h"
#include "recmeter/result/json_writer.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

std::string count_text(double count) {
  const auto rounded = static_cast<std::uint64_t>(std::llround(count));
  constexpr std::uint64_t exact_max = 10'000;
  if (rounded < exact_max) return fmt::format("{}", rounded);
  return fmt::format("{:.3g} thousand", count / 1000);
}

double whole_days(double days) {
  return std::max(1.0, std::ceil(days));
}

std::string head_of(const ExperimentPlan& plan, const PlanRule& rule, std::string_view key) {
  const std::string told = key.empty() ? "" : fmt::format(", told apart by {},", key);
  return fmt::format("{} equal arms{} to find a change of {:g} %, by {} lists of {} users from {} to {}.\n\n",
                     plan.arms == 2 ? "Two" : std::to_string(plan.arms), told, 100 * rule.mde, plan.lists, plan.users,
                     render_utc(plan.first), render_utc(plan.last));
}

ComparisonTable table_of(const ExperimentPlan& plan) {
  ComparisonTable table{{{"metric", "value", "days", "users by then"}}};
  for (const MetricPlanRow& row : plan.metrics) {
    table.rows.push_back({row.metric, value_text(row.value),
                          row.days ? fmt::format("{:.0f}", whole_days(*row.days)) : row.why,
                          row.users ? count_text(*row.users) : ""});
  }
  return table;
}

std::string notes_of(const ExperimentPlan& plan) {
  std::string out =
      "Days until 80 of 100 experiments in which the change is there have found it, at some look or at the last one: the "
      "`duration` to configure, with this metric alone as the primary. Several primaries share what may go wrong and take "
      "longer. "
      "Take a week at least, for people differ by the day.\n";
  if (std::ranges::any_of(plan.metrics, [](const MetricPlanRow& row) { return row.least && !row.days; })) {
    out += fmt::format(
        "Never: the same users come again, and their tastes do not average out; one user has {} of the {} lists. Show it to "
        "more users, or look for a larger change.\n",
        plan.most_lists, plan.lists);
  }
  constexpr double day_at_least = 0.9;
  if (plan.log_days < day_at_least) {
    out += fmt::format("The log has {:.0f} hours: a day, or better a week, tells more.\n", std::ceil(24 * plan.log_days));
  }
  if (plan.sampled < 1) out += fmt::format("It goes by one of {:.0f} users.\n", 1 / plan.sampled);
  return out;
}

}  // namespace

std::string plan_text(const ExperimentPlan& plan, const PlanRule& rule, std::string_view key) {
  return head_of(plan, rule, key) + table_of(plan).text() + "\n" + notes_of(plan);
}

std::string plan_markdown(const ExperimentPlan& plan, const PlanRule& rule, std::string_view key) {
  return head_of(plan, rule, key) + table_of(plan).markdown() + "\n" + notes_of(plan);
}

std::string plan_json(const ExperimentPlan& plan, const PlanRule& rule) {
  std::string out;
  for (const MetricPlanRow& row : plan.metrics) {
    JsonWriter json(out, 0);
    json.begin_object();
    json.member("schema", "recmeter.experiment_plan/1");
    json.member("metric", row.metric);
    json.member("arms", static_cast<std::uint64_t>(plan.arms));
    json.member("mde", rule.mde);
    json.member("alpha", rule.alpha);
    json.member("value", row.value);
    json.member("days", row.days ? std::optional(whole_days(*row.days)) : std::nullopt);
    json.member("users", row.users ? std::optional(std::round(*row.users)) : std::nullopt);
    json.member("missing", row.days ? std::optional<std::string_view>() : std::optional(row.why));
    json.member("lists", row.lists);
    json.member("log_days", plan.log_days);
    json.end_object();
    out += '\n';
  }
  return out;
}

}  // namespace recmeter
