#include "support/batch_relevance.h"

#include <cmath>
#include <cstddef>

namespace recmeter::support {
namespace {

// "above the mean of the user's earlier ratings": what was rated before, in the order of [S2], stands before.
bool is_above_mean(const AcceptedEvents& events, std::size_t at) {
  const BatchFeedback& rating = events.feedback[at];
  if (rating.owner.empty() || !rating.value) return false;
  const auto units = [](double value) { return static_cast<long double>(std::nearbyint(std::ldexp(value, 32))); };
  long double over = 0;  // by how much it is above each of them, together
  bool is_first = true;
  for (std::size_t i = 0; i < at; ++i) {
    const BatchFeedback& before = events.feedback[i];
    if (before.owner != rating.owner || before.action != rating.action || !before.value) continue;
    is_first = false;
    over += units(*rating.value) - units(*before.value);
  }
  return !is_first && over > 0;
}

}  // namespace

std::vector<bool> relevant_by_value(const EvaluatorSpec& spec, const AcceptedEvents& events) {
  std::vector<bool> relevant;
  for (std::size_t i = 0; i < events.feedback.size(); ++i) {
    const BatchFeedback& feedback = events.feedback[i];
    const Action& action = spec.join.actions[feedback.action];
    const bool is_below = action.from && (!feedback.value || *feedback.value < *action.from);
    relevant.push_back(action.is_from_mean ? is_above_mean(events, i) : !is_below);
  }
  return relevant;
}

}  // namespace recmeter::support
