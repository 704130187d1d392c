// Rows of the batch evaluator: lists laid into windows and segments, their values summed. [S6] to [S8].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/row.h"
#include "support/batch_join.h"
#include "support/batch_lists.h"

namespace recmeter::support {

// Where a log begins and ends, if it has timed events.
struct LogBounds {
  std::optional<std::int64_t> first_after_cut;  // the largest first time of the partitions that are cut at their start
  std::optional<std::int64_t> last;             // the log's last event time ([S3.16])
};

// Every row of a log, in the order of [S7].
[[nodiscard]] std::vector<Row> window_rows(const EvaluatorSpec& spec, const AcceptedEvents& events, const BatchJoin& join,
                                           const LogBounds& bounds);

}  // namespace recmeter::support
