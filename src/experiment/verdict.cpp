#include "recmeter/experiment/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace recmeter {

namespace {

// Whether it is known, for all looks together, that the arm is apart from the control; +1 in the good direction.
int known_side(const TestResult& test) {
  if (!test.comparison || !test.comparison->evidence.is_sure) return 0;
  return (test.comparison->evidence.y > 0) == test.is_higher_better ? 1 : -1;
}

// The end of the sequence that lies towards harm, as harm.
std::optional<double> harm_max(const TestResult& test) {
  if (!test.comparison) return std::nullopt;
  const auto& cs = test.comparison->decisive().cs;
  if (!cs) return std::nullopt;
  return test.is_higher_better ? -cs->first : cs->second;
}

// The mde or margin on the scale that decides: few events are compared by their difference alone. [S10.30].
double margin_of(const TestResult& test) {
  const bool is_share_of_few = test.comparison && test.comparison->is_few && !test.is_absolute;
  return is_share_of_few ? test.mde * std::abs(test.comparison->control) : test.mde;
}

bool is_without_effect(const TestResult& test) {
  if (!test.comparison) return false;
  const auto& cs = test.comparison->decisive().cs;
  const double margin = margin_of(test);
  return cs && cs->first > -margin && cs->second < margin;
}

}  // namespace

std::string_view decision_name(Decision decision) {
  constexpr std::array<std::string_view, 3> names{"ship", "hold", "stop"};
  return names[static_cast<std::size_t>(decision)];
}

std::string_view role_name(TestRole role) {
  constexpr std::array<std::string_view, 3> names{"primary", "guardrail", "secondary"};
  return names[static_cast<std::size_t>(role)];
}

bool voids_decision(const Verdict& verdict) {
  constexpr std::array<std::string_view, 5> broken{"no_data", "srm", "mixed_users", "incomplete", "arms_differed_before"};
  const std::string_view reason = std::string_view(verdict.reason).substr(0, verdict.reason.find(':'));
  return std::ranges::find(broken, reason) != broken.end();
}

Verdict verdict_of(const ExperimentState& state, std::span<const TestResult> tests) {
  const auto first = [&](TestRole role, auto&& is_so) -> const TestResult* {
    const auto found = std::ranges::find_if(tests, [&](const TestResult& t) { return t.role == role && is_so(t); });
    return found == tests.end() ? nullptr : &*found;
  };
  const auto named = [](std::string_view reason, const TestResult& test) {
    return std::string(reason) + ":" + std::string(test.metric);
  };
  const auto is_worse = [](const TestResult& test) { return known_side(test) < 0; };

  if (!state.has_lists) return {Decision::hold, "no_data"};
  if (state.is_ratio_wrong) return {Decision::hold, "srm"};
  if (state.is_mixed) return {Decision::hold, "mixed_users"};
  if (state.is_incomplete) return {Decision::hold, "incomplete"};
  if (const auto test = std::ranges::find_if(tests, &TestResult::differed_before); test != tests.end()) {
    return {Decision::hold, named("arms_differed_before", *test)};
  }
  if (const auto* test = first(TestRole::guardrail, is_worse)) return {Decision::stop, named("guardrail_worse", *test)};
  if (const auto* test = first(TestRole::primary, is_worse)) return {Decision::stop, named("worse", *test)};
  if (const auto* better = first(TestRole::primary, [](const TestResult& test) { return known_side(test) > 0; })) {
    const auto* unsure = first(TestRole::guardrail, [](const TestResult& test) {
      const auto harm = harm_max(test);
      return !harm || *harm >= margin_of(test);
    });
    if (unsure != nullptr) return {Decision::hold, named("guardrail_unsure", *unsure)};
    if (!state.is_long_enough) return {Decision::hold, named("min_duration", *better)};
    return {Decision::ship, named("better", *better)};
  }
  if (first(TestRole::primary, [](const TestResult& test) { return !is_without_effect(test); }) == nullptr) {
    return {Decision::stop, "no_effect"};
  }
  if (state.is_last) {
    // Nothing was learned of it; a stop would claim that something was.
    const auto* unknown = first(TestRole::primary, [](const TestResult& test) { return !test.comparison; });
    if (unknown != nullptr) return {Decision::hold, named("not_comparable", *unknown)};
    return {Decision::stop, "time_up"};
  }
  return {Decision::hold, "undecided"};
}

Verdict verdict_of_arms(std::span<const Verdict> arms) {
  for (const Decision decision : {Decision::ship, Decision::hold, Decision::stop}) {
    const auto found = std::ranges::find(arms, decision, &Verdict::decision);
    if (found != arms.end()) return *found;
  }
  return {};
}

}  // namespace recmeter
