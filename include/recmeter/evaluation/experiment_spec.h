// ExperimentSpec: an experiment as configured: which lists belong to which arm, and what is tested of them.
// docs/semantics.md, section 10. Plain values; immutable after loading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/metric/definition.h"

namespace recmeter {

// What was randomised.
enum class Assign : std::uint8_t { user, list };

struct ArmSpec {
  std::string key;                  // of the segments of lists
  std::vector<std::string> values;  // 2 to 10, distinct, as rows show them
  std::size_t control = 0;          // which of them the others are compared with
};

// Lists that two recommenders drafted together, item by item, instead of arms. Its teams are the values of `arms`, the first
// is its control, and what was randomised is lists. [S10.37].
struct TeamDraft {
  std::string action;  // that shows which team's items people want
};

struct MetricTest {
  std::string metric;                 // its key in rows
  std::optional<Better> better = {};  // the metric's own by default
  double mde = 0;                     // > 0; the change worth acting on, of a guardrail the harm that is too much
  bool is_absolute = false;           // else `mde` is relative to control
};

struct ExperimentSpec {
  std::string name;
  ArmSpec arms;
  std::optional<TeamDraft> draft = {};  // then `primary` is its preference, and nothing else is tested
  std::vector<double> allocation;       // per arm; sums to 1
  EventTime start;                      // a multiple of `every`
  Duration duration;                    // a multiple of `every`
  Duration min_duration{0};             // at most `duration`
  bool is_min_duration_written = true;  // else it is the default
  Duration every = one_hour;            // a multiple of a minute
  Duration horizon;                     // one of the join's
  Assign assign = Assign::user;
  std::vector<MetricTest> primary;  // at least one
  std::vector<MetricTest> guardrails = {};
  std::vector<MetricTest> secondary = {};
  double alpha = 0.05;
  double fdr = 0.1;
  Duration cuped_before{0};  // 0: no CUPED
  double mixed_share = 0.01;
};

}  // namespace recmeter
