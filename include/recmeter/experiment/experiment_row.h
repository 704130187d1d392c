// ExperimentRow: what an experiment says at one look, and its JSON ("recmeter.experiment/1", docs/outputs.md).
//
// Plain values; any thread. Rows are made of final lists only, so a look has one row, and equal looks have equal bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/base/result.h"
#include "recmeter/experiment/comparison.h"
#include "recmeter/experiment/draft_counts.h"
#include "recmeter/experiment/verdict.h"

namespace recmeter {

inline constexpr std::string_view experiment_schema = "recmeter.experiment/1";

struct ArmRow {
  std::string arm;
  std::uint64_t lists = 0;
  std::uint64_t users = 0;
  double allocation = 0;  // the share that was planned
};

// The same metric over the time before the start, of users that have become members since. [S10.38].
struct BeforeRow {
  std::optional<double> control = {};  // empty: no list of its users
  std::optional<double> arm = {};
  std::optional<double> log_e = {};          // empty: they cannot be compared
  std::optional<EventTime> flagged_at = {};  // the look that found that they differed
};

struct ComparisonRow {
  std::string arm;
  std::optional<Comparison> comparison = {};  // empty: they cannot be compared
  double p_always = 1;                        // of this look and those before
  std::optional<Duration> more = {};          // until the mde would be found; whole looks
  std::optional<bool> discovery = {};         // of a secondary metric
  std::optional<DraftCounts> draft = {};      // of a team draft
  std::optional<Missing> missing = {};        // why there is no comparison; empty too where members are sampled
  std::optional<BeforeRow> before = {};       // with CUPED, of primaries and guardrails, unless members are sampled
};

struct MetricRow {
  std::string metric;
  TestRole role = TestRole::primary;
  bool is_higher_better = true;
  std::vector<std::optional<double>> values = {};  // by arm, unadjusted
  std::vector<ComparisonRow> comparisons = {};     // of each arm but the control
  // Of a metric with a cap, by arm: the share of the income that it cuts away; empty: no arm has any.
  std::vector<std::optional<double>> capped_share = {};
  bool is_absolute = false;  // its mde or margin; else it is a share of the control
};

struct SampleRatioRow {
  double log_e = 0;
  double max = 0;                            // of this look and those before
  std::optional<EventTime> flagged_at = {};  // the look that found the split wrong
};

// The first look that said ship or stop.
struct DecidedRow {
  EventTime end;
  Verdict verdict;
  std::string arm = {};  // the first of which it said so; "": unknown, of a row without `counts`
};

// What counts at a look for everyone who asks what to do, or what a look says. [S10.32].
struct CountsRow {
  Verdict verdict = {};
  EventTime at;          // the look that said it
  std::string arm = {};  // the first of which it said so; "": unknown, as above
  friend bool operator==(const CountsRow&, const CountsRow&) = default;
};

struct ExperimentRow {
  std::string evaluator;
  std::string experiment;
  std::string config;  // the hash of what the numbers mean
  EventTime start;     // of the experiment
  EventTime end;       // of the look
  Duration horizon{};
  std::int64_t look = 0;   // from 1
  bool is_closed = false;  // the last one
  std::vector<std::string> incomplete = {};
  std::vector<ArmRow> arms = {};  // the control first
  std::uint64_t mixed_users = 0;
  std::uint64_t mixed_lists = 0;
  std::uint64_t other_lists = 0;
  std::uint64_t nobody_lists = 0;
  double members_sampled = 1;  // the share of users that are members
  SampleRatioRow sample_ratio = {};
  std::vector<MetricRow> metrics = {};
  Verdict verdict = {};
  std::vector<std::pair<std::string, Verdict>> arm_verdicts = {};
  std::optional<DecidedRow> decided = {};
  CountsRow counts = {};
};

// Two teams drafted its lists. A user then counts once, in the arm of its first list, and sees both.
[[nodiscard]] bool is_draft(const ExperimentRow& row);
// The verdict of this look by itself.
[[nodiscard]] CountsRow said_by(const ExperimentRow& look);
// The first decision, unless this look says that nothing can be concluded; else what this look says.
[[nodiscard]] CountsRow counts_of(const ExperimentRow& look);

// One line, without a line break.
[[nodiscard]] std::string render_json(const ExperimentRow& row);
// The row's identity as JSON: evaluator, experiment, end.
[[nodiscard]] std::string render_key(const ExperimentRow& row);

// A row and its JSON, rendered once for everyone who publishes or shows it.
struct RenderedExperimentRow {
  ExperimentRow row;
  std::string key;
  std::string json;
};
using SharedExperimentRow = std::shared_ptr<const RenderedExperimentRow>;
[[nodiscard]] SharedExperimentRow render(ExperimentRow row);

// Whether a line of JSON says that it is such a row.
[[nodiscard]] bool is_experiment_row(std::string_view json);

// Of a comparison it has what rows have: not `y` and `variance`. Errors: input_corrupt, with the member that is wrong.
[[nodiscard]] Result<ExperimentRow> read_experiment_row(std::string_view json);

}  // namespace recmeter
