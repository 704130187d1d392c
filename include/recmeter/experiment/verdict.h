// Verdict: what to do with an arm, and why: the first line of the table of [S10.30] that holds.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "recmeter/experiment/comparison.h"

namespace recmeter {

enum class Decision : std::uint8_t { ship, hold, stop };
[[nodiscard]] std::string_view decision_name(Decision decision);

struct Verdict {
  Decision decision = Decision::hold;
  std::string reason = "no_data";  // with its metric: "better:precision@10"
  friend bool operator==(const Verdict&, const Verdict&) = default;
};

enum class TestRole : std::uint8_t { primary, guardrail, secondary };
[[nodiscard]] std::string_view role_name(TestRole role);

// One metric of an arm.
struct TestResult {
  std::string_view metric;
  TestRole role = TestRole::primary;
  bool is_higher_better = true;
  double mde = 0;  // of a guardrail its margin
  std::optional<Comparison> comparison = {};
  bool is_absolute = false;      // the mde; else it is a share of the control
  bool differed_before = false;  // the arms did before the start already: [S10.38]
};

// The experiment as a whole, and an arm's part in it, at this look.
struct ExperimentState {
  bool has_lists = false;       // of the arm and of the control
  bool is_ratio_wrong = false;  // the sample ratio was flagged, now or before
  bool is_mixed = false;        // too many users have seen more than one arm
  bool is_incomplete = false;   // of a kind that says nothing can be concluded
  bool is_long_enough = false;  // min_duration is over
  bool is_last = false;
};

[[nodiscard]] Verdict verdict_of(const ExperimentState& state, std::span<const TestResult> tests);

// Of the whole: ship if one arm ships, else hold if one holds, else stop; the reason of the first arm with that verdict.
[[nodiscard]] Verdict verdict_of_arms(std::span<const Verdict> arms);

// Says whether it says that nothing can be concluded, so that what was decided before does not count now. [S10.32].
[[nodiscard]] bool voids_decision(const Verdict& verdict);

}  // namespace recmeter
