// The batch evaluator: docs/semantics.md computed the slow and obvious way, over whole logs at once. The oracle of the tests.
//
// It shares no code with the product's decoder, join, metrics or windows, only the plain values that go in and come out,
// so that two readings of one specification meet; where they differ, one of them is wrong. Plain files only: no broker
// timestamps, no idleness, no live clock. A pure function; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "recmeter/base/event_time.h"
#include "recmeter/evaluation/evaluator_spec.h"
#include "recmeter/event/field_table.h"
#include "recmeter/result/report.h"
#include "recmeter/result/row.h"

namespace recmeter::support {

// One source partition: a file's bytes, one record a line.
struct BatchInput {
  std::string name;
  std::string bytes;
  FieldTable fields;
  Duration allowed_lateness{60000};
  bool is_cut_at_start = false;  // there were records before the first
};

struct BatchResult {
  std::vector<Row> rows;  // final, then truncated, in the order of [S7]
  Report report;          // without wall_seconds, events_per_second and the quantiles of disorder
};

// Requires: a spec that the configuration would accept, with known metric names.
[[nodiscard]] BatchResult evaluate_in_batch(const EvaluatorSpec& spec, std::span<const BatchInput> inputs);

}  // namespace recmeter::support
