// BatchPartition: one file gone through from its first line to its last, each event given its fate up to `late`.
// [S3] with the rules for plain files ([S3.11] to [S3.16]). What is left are candidates, accepted unless a duplicate.
//
// All partitions of a replay of files are counted, so `late` is judged by M_p - L_p alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/result/report.h"
#include "support/batch_evaluator.h"
#include "support/batch_event.h"

namespace recmeter::support {

struct BatchPartition {
  PartitionReport report;  // duplicates and accepted events not yet in it
  std::array<std::uint64_t, invalid_reason_count> invalid_reasons{};
  std::optional<std::int64_t> first_time;  // of records neither invalid, future nor late
  std::optional<std::int64_t> last_time;   // [S3.16]: M_p before events held at the end are released
  std::vector<BatchEvent> candidates;      // in their order
};

[[nodiscard]] BatchPartition judge_partition(const EvaluatorSpec& spec, const BatchInput& input, std::size_t index);

}  // namespace recmeter::support
