// Choice: what an inference takes for a field, with what speaks for it and for the next best.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/infer/name_words.h"

namespace recmeter {

// A score is 3 for a usual name, 4 for values that fit, 5 for how they go together with other fields, each from 0 to 1.
[[nodiscard]] inline double score_of(double name, double values, double joint) {
  return 3 * name + 4 * values + 5 * joint;
}
inline constexpr double sure_score = 6;
inline constexpr double sure_lead = 1.3;  // times the runner-up

struct Candidate {
  std::string value;     // as a configuration writes it
  std::string evidence;  // a half-sentence
  double score = 0;
  std::size_t index = 0;  // of whoever made it
};

struct Choice {
  Role role = Role::time;
  Candidate best;
  Candidate runner_up;   // without a score: there is none
  std::string question;  // what the user knows and the log does not say; "": nothing

  [[nodiscard]] bool is_unsure() const {
    return !question.empty() || best.score < sure_score || best.score < sure_lead * runner_up.score;
  }
};

// Requires: candidates.
[[nodiscard]] inline Choice choose(Role role, std::vector<Candidate> candidates) {
  std::ranges::stable_sort(candidates, std::ranges::greater(), &Candidate::score);
  Choice choice{.role = role, .best = std::move(candidates.front()), .runner_up = {}, .question = {}};
  if (candidates.size() > 1) choice.runner_up = std::move(candidates[1]);
  return choice;
}

}  // namespace recmeter
