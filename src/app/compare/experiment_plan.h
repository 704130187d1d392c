// PlanLists: from the lists of a log, how long an experiment has to last to find a change, and of how many users. [S10.41].
//
// The variance of an arm falls with its lists, but not with more lists of the same users: pairs of lists of one user that lie
// a third of the log apart or more say how much of it stays. Lists of a sample of users are kept where there are many.
// Memory: 20 bytes and 4 for each metric, for each list kept. Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct PlanRule {
  double mde = 0.05;  // > 0, a share of the control
  double alpha = 0.05;
};

struct MetricPlanRow {
  std::string metric;
  std::uint64_t lists = 0;           // with a value
  std::optional<double> value = {};  // the mean
  std::optional<double> days = {};   // until 80 of 100 are decided; empty: `why`
  std::optional<double> users = {};  // of all arms, by then
  std::string why = {};
  std::optional<double> least = {};  // the least change that is ever found; empty: any is
};

struct ExperimentPlan {
  std::vector<std::string> values;  // of the key; empty: no list has any
  std::size_t arms = 2;
  EventTime first, last;
  double log_days = 0;
  std::uint64_t lists = 0;
  std::uint64_t users = 0;
  std::uint64_t most_lists = 0;  // of one user
  double sampled = 1;            // the share of users that it goes by
  std::vector<MetricPlanRow> metrics;
};

class PlanLists {
 public:
  static constexpr std::size_t lists_max = 400'000;
  static constexpr double days_max = 366;

  // `key`: the segment key of the arms; "": none. A line that is no list is an error: input_corrupt.
  [[nodiscard]] Result<void> add(std::string_view key, std::string_view json);
  // `arm`: "": none.
  void add(std::uint64_t user, EventTime ts, std::string_view arm,
           std::span<const std::pair<std::string_view, double>> metrics);

  // The time of the arm's first list; empty: it has none.
  [[nodiscard]] std::optional<EventTime> first_of(std::string_view arm) const;

  // For equal arms, as many as the key has values, at least two.
  [[nodiscard]] ExperimentPlan plan(const PlanRule& rule) const;

 private:
  struct Kept {
    std::uint64_t user;
    EventTime ts;
    std::uint32_t arm;  // 0: none
  };
  struct Chosen {
    std::vector<std::uint32_t> lists;  // by user, then time
    double span_ms = 0;
  };
  void halve();
  [[nodiscard]] Chosen chosen(bool with_arm_only) const;
  [[nodiscard]] MetricPlanRow plan_metric(std::size_t metric, const Chosen& lists, double information, std::size_t arms,
                                          double tau, double unseen) const;

  std::vector<std::string> metrics_;
  std::vector<std::string> arms_;
  std::vector<Kept> lists_;
  std::vector<std::vector<float>> values_;  // by metric, of each list; NaN: none
  unsigned zeros_ = 0;                      // users are kept whose hash ends with so many zero bits
};

[[nodiscard]] std::string plan_text(const ExperimentPlan& plan, const PlanRule& rule, std::string_view key);
[[nodiscard]] std::string plan_markdown(const ExperimentPlan& plan, const PlanRule& rule, std::string_view key);
// A line for each metric: "recmeter.experiment_plan/1".
[[nodiscard]] std::string plan_json(const ExperimentPlan& plan, const PlanRule& rule);

}  // namespace recmeter
