// What users knew of a list before it, and `known_share`, from the words of the specification: [S5.46].
#pragma once

#include <optional>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_lists.h"
#include "support/batch_metrics.h"

namespace recmeter::support {

// By rank; nothing of a list of nobody. `feedback`: of the list's owner, as places in events.feedback.
[[nodiscard]] std::optional<std::vector<bool>> known_items(const EvaluatorSpec& spec, const AcceptedEvents& events,
                                                           const std::vector<std::size_t>& feedback, const BatchList& list);

[[nodiscard]] MetricDefinition known_share_definition();

}  // namespace recmeter::support
