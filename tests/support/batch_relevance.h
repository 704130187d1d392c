// Which feedback is relevant by its value, the slow way: each rating beside all that its user rated before.
// docs/semantics.md, [S4.26], [S4.27].
#pragma once

#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_lists.h"

namespace recmeter::support {

// By the place in events.feedback: false where it is counted and nothing more.
[[nodiscard]] std::vector<bool> relevant_by_value(const EvaluatorSpec& spec, const AcceptedEvents& events);

}  // namespace recmeter::support
