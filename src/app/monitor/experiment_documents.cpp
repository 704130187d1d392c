#include "app/monitor/experiment_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "config/metric_names.h"
#include "recmeter/result/json_writer.h"

namespace recmeter {

namespace {

// What is asked for, as places in each row of an experiment.
struct Asked {
  std::size_t metric = 0;
  std::size_t arm = 1;
};

// One comparison at one look.
struct Look {
  const ExperimentRow* row;
  const ComparisonRow* comparison;
  std::uint64_t lists;  // of the arm
};

template <class Names>
Error unknown(std::string_view what, const std::string& name, const Names& names) {
  return {Errc::config_invalid, fmt::format("{}={}: name one of {}", what, name, fmt::join(names, ", "))};
}

Error unknown_metric(const std::string& name, const std::vector<std::string>& keys) {
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  const std::string question = config::metric_question(name, views);
  return question.empty() ? unknown("metric", name, keys)
                          : Error{Errc::config_invalid, fmt::format("metric={}: {}", name, question)};
}

Result<Asked> asked_of(const ExperimentRow& row, const ExperimentRequest& request) {
  std::vector<std::string> metrics, arms;
  for (const MetricRow& metric : row.metrics) metrics.push_back(metric.metric);
  for (std::size_t a = 1; a < row.arms.size(); ++a) arms.push_back(row.arms[a].arm);
  const auto metric = request.metric.empty() ? metrics.begin() : std::ranges::find(metrics, request.metric);
  if (metric == metrics.end()) return tl::unexpected(unknown_metric(request.metric, metrics));
  const auto arm = request.arm.empty() ? arms.begin() : std::ranges::find(arms, request.arm);
  if (arm == arms.end()) return tl::unexpected(unknown("arm", request.arm, arms));
  return Asked{.metric = static_cast<std::size_t>(metric - metrics.begin()),
               .arm = static_cast<std::size_t>(arm - arms.begin()) + 1};
}

std::vector<Look> looks_of(const ExperimentLog& log, const Asked& asked, const TimeRange& range) {
  std::vector<Look> looks;
  for (const SharedExperimentRow& shown : log.rows) {
    const ExperimentRow& row = shown->row;
    if (row.end < range.from || row.end >= range.to) continue;
    looks.push_back({&row, &row.metrics[asked.metric].comparisons[asked.arm - 1], row.arms[asked.arm].lists});
  }
  return looks;
}

// A series has one scale, that of its newest look: looks at few events are absolute. Null: the look is not on it.
const Distance* distance_of(const Look& look, bool is_relative) {
  const auto& comparison = look.comparison->comparison;
  if (!comparison) return nullptr;
  if (!is_relative) return &comparison->absolute;
  return comparison->relative ? &*comparison->relative : nullptr;
}

bool is_relative(const ExperimentRow& newest, const Asked& asked) {
  const auto& comparison = newest.metrics[asked.metric].comparisons[asked.arm - 1].comparison;
  return comparison && comparison->relative;
}

void write_columns(JsonWriter& json, const std::vector<Look>& looks, const ExperimentRow& newest, bool is_relative) {
  const auto number = [&](std::string_view name, auto&& of) {
    json.array(name, looks, [&](const Look& look) {
      const auto& comparison = look.comparison->comparison;
      json.value(comparison ? std::optional<double>(of(*comparison)) : std::nullopt);
    });
  };
  const auto ends = [&](std::string_view low, std::string_view high, std::optional<Interval> Distance::* which) {
    json.array(low, looks, [&](const Look& look) {
      const Distance* const of = distance_of(look, is_relative);
      json.value(of != nullptr && of->*which ? std::optional((of->*which)->first) : std::nullopt);
    });
    json.array(high, looks, [&](const Look& look) {
      const Distance* const of = distance_of(look, is_relative);
      json.value(of != nullptr && of->*which ? std::optional((of->*which)->second) : std::nullopt);
    });
  };
  json.begin_object("columns");
  json.array("end", looks, [&](const Look& look) { json.integer(look.row->end.ms); });
  json.array("look", looks, [&](const Look& look) { json.integer(look.row->look); });
  json.array("lists", looks, [&](const Look& look) { json.integer(look.lists); });
  json.array("difference", looks, [&](const Look& look) {
    const Distance* const of = distance_of(look, is_relative);
    json.value(of != nullptr ? std::optional(of->value) : std::nullopt);
  });
  ends("ci_low", "ci_high", &Distance::ci);
  ends("cs_low", "cs_high", &Distance::cs);
  number("log_e", [](const Comparison& of) { return of.evidence.log_e; });
  json.array("verdict", looks, [&](const Look& look) { json.string(decision_name(look.row->verdict.decision)); });
  json.array("reason", looks, [&](const Look& look) { json.string(look.row->verdict.reason); });
  json.array("counts", looks, [&](const Look& look) { json.string(decision_name(look.row->counts.verdict.decision)); });
  json.array("counts_reason", looks, [&](const Look& look) { json.string(look.row->counts.verdict.reason); });
  json.array("counts_at", looks, [&](const Look& look) { json.integer(look.row->counts.at.ms); });
  json.array("srm_log_e", looks, [&](const Look& look) { json.value(std::optional(look.row->sample_ratio.log_e)); });
  json.begin_object("users");
  for (std::size_t a = 0; a < newest.arms.size(); ++a) {
    json.array(newest.arms[a].arm, looks,
               [&](const Look& look) { json.integer(static_cast<std::int64_t>(look.row->arms[a].users)); });
  }
  json.end_object();
  json.end_object();
}

}  // namespace

std::string experiments_document(const LiveSnapshot& snapshot) {
  std::string out = R"({"experiments":[)";
  for (const ExperimentLog& log : *snapshot.experiments) {
    if (out.back() == '}') out += ',';
    out += log.rows.back()->json;
  }
  return out + "]}";
}

Result<std::string> experiment_document(const LiveSnapshot& snapshot, const ExperimentRequest& request) {
  const std::vector<ExperimentLog>& logs = *snapshot.experiments;
  const auto log = std::ranges::find(logs, request.name, &ExperimentLog::name);
  if (log == logs.end()) {
    std::vector<std::string> names;
    for (const ExperimentLog& one : logs) names.push_back(one.name);
    if (names.empty()) return failure(Errc::config_invalid, "no experiment has had a look yet");
    return tl::unexpected(unknown("experiment", request.name, names));
  }
  const ExperimentRow& newest = log->rows.back()->row;
  const auto asked = asked_of(newest, request);
  if (!asked) return tl::unexpected(asked.error());
  const MetricRow& metric = newest.metrics[asked->metric];
  std::string out;
  JsonWriter json(out, 0);
  json.begin_object();
  json.member("experiment", newest.experiment);
  json.member("metric", metric.metric);
  json.member("role", role_name(metric.role));
  json.member("better", metric.is_higher_better ? "higher" : "lower");
  json.member("control", newest.arms.front().arm);
  json.member("arm", newest.arms[asked->arm].arm);
  json.array("allocation", newest.arms, [&](const ArmRow& arm) { json.value(std::optional(arm.allocation)); });
  write_columns(json, looks_of(*log, *asked, request.range), newest, is_relative(newest, *asked));
  json.end_object();
  return out;
}

std::string experiment_of(const LiveSnapshot& snapshot, const SegmentPairs& a, const SegmentPairs& b) {
  if (a.size() != 1 || b.size() != 1 || a.front().first != b.front().first) return {};
  for (const ExperimentLog& log : *snapshot.experiments) {
    const auto has = [&](const std::string& value) {
      return std::ranges::find(log.rows.back()->row.arms, value, &ArmRow::arm) != log.rows.back()->row.arms.end();
    };
    if (log.key == a.front().first && has(a.front().second) && has(b.front().second)) return log.name;
  }
  return {};
}

}  // namespace recmeter
