// replay_in_order: a replay whose inputs are sorted first where they have to be, and which starts over where one turns out to
// be out of order while it is read. [S3.26] to [S3.30].
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

struct OrderedReplay {
  const Config& config;
  const EvaluatorPlan& plan;
  Merger::Range range;
  Sorting sorting;
  std::size_t threads;  // and shards
  const std::atomic<bool>& stop;
  std::function<Result<ReplayInputs>()> open_again;  // the inputs, to start over
  // Before each start: where rows go, which outlives the start, and more options. `may_be_vain`: nothing may go out before
  // the run is whole.
  std::function<Result<RowSink*>(bool may_be_vain, ReplayOptions& options)> begin;
  // For each stage, what shows how far it is.
  std::function<std::function<void(const ReplayProgress&)>()> meter;
};

// Errors: those of the sources and of `begin`; interrupted while it sorts.
[[nodiscard]] Result<Report> replay_in_order(const OrderedReplay& replay, ReplayInputs inputs);

}  // namespace recmeter
