#include "app/run/experiment_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "recmeter/experiment/missing_text.h"
#include "recmeter/result/render.h"

namespace recmeter {

namespace {

using Line = std::array<std::string, 7>;

std::string value_text(std::optional<double> value) {
  return value ? fmt::format("{:.4g}", *value) : "no list";
}

// A change on its own scale: shares of the control in percent.
std::string change_text(double change, bool is_relative) {
  return is_relative ? fmt::format("{:+.1f} %", 100 * change) : fmt::format("{:+.4g}", change);
}

Line line_of(const MetricRow& metric, std::size_t comparison) {
  const ComparisonRow& of = metric.comparisons[comparison];
  Line line{metric.metric,
            std::string(role_name(metric.role)),
            of.arm,
            value_text(metric.values[comparison + 1]),
            value_text(metric.values[0]),
            "",
            std::string(missing_text(of.missing))};
  if (!of.comparison) return line;
  if (of.comparison->theta != 0) {
    line[0] += ", adjusted by CUPED";
    line[3] = value_text(of.comparison->arm);
    line[4] = value_text(of.comparison->control);
  }
  const bool is_relative = of.comparison->relative.has_value();
  const Distance& distance = of.comparison->decisive();
  line[5] = change_text(distance.value, is_relative);
  line[6] = distance.cs ? fmt::format("{} to {}", change_text(distance.cs->first, is_relative),
                                      change_text(distance.cs->second, is_relative))
                        : "too wide to say";
  return line;
}

std::string members_text(const ExperimentRow& row) {
  std::vector<std::string> arms;
  std::uint64_t users = 0;
  for (const ArmRow& arm : row.arms) {
    users += arm.users;
    arms.push_back(arm.users > 0 && !is_draft(row) ? fmt::format("{}: {} lists of {} users", arm.arm, arm.lists, arm.users)
                                                   : fmt::format("{}: {} lists", arm.arm, arm.lists));
  }
  // Users of a draft see both teams.
  if (users > 0 && is_draft(row)) arms.push_back(fmt::format("{} users", users));
  return fmt::format("{}", fmt::join(arms, "; "));
}

// "ship, better:precision@10, since 2026-11-06T21:00:00Z; this look alone: hold, undecided"
std::string verdict_text(const ExperimentRow& row) {
  const auto text = [](const Verdict& of) { return fmt::format("{}, {}", decision_name(of.decision), of.reason); };
  if (row.counts == said_by(row)) return text(row.verdict);
  return fmt::format("{}, since {}; this look alone: {}", text(row.counts.verdict), render_utc(row.counts.at),
                     text(row.verdict));
}

}  // namespace

std::string experiment_table(const ExperimentRow& row) {
  std::vector<Line> lines{{"metric", "role", "arm", "value", row.arms.front().arm, "change", "interval for all looks"}};
  for (const MetricRow& metric : row.metrics) {
    for (std::size_t c = 0; c < metric.comparisons.size(); ++c) lines.push_back(line_of(metric, c));
  }
  std::array<std::size_t, std::tuple_size_v<Line>> widths{};
  for (const Line& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  std::string text = fmt::format("experiment {}, lists before {}: {}\n{}\n", row.experiment, render_utc(row.end),
                                 verdict_text(row), members_text(row));
  for (const Line& line : lines) {
    for (std::size_t c = 0; c + 1 < line.size(); ++c) {
      text += c < 3 ? fmt::format("{:<{}}  ", line[c], widths[c]) : fmt::format("{:>{}}  ", line[c], widths[c]);
    }
    text += line.back() + "\n";
  }
  return text;
}

}  // namespace recmeter
