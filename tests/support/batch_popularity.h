// What users did in the trailing period before each list, recounted for every list from all accepted feedback.
// [S5.20] to [S5.24].
#pragma once

#include <cstdint>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "support/batch_lists.h"

namespace recmeter::support {

struct ListPopularity {
  std::vector<std::uint64_t> users_of;  // by rank: users who acted on its item
  std::vector<bool> popular;            // by rank: its item is among the most popular
  std::uint64_t users = 0;              // who acted on anything
};

// One for each list. Nothing but zeros unless the spec names a metric of popularity.
[[nodiscard]] std::vector<ListPopularity> list_popularity(const EvaluatorSpec& spec, const AcceptedEvents& events);

}  // namespace recmeter::support
