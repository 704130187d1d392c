// merge_partials: the rows and the report of a whole log, of the partials of all its parts; and partials of some of its parts
// together. [S11.4] to [S11.6].
//
// A unit, which is one PartialReader, is to the Merger what a shard of a run is; with lanes there is a Merger for each.
// Memory: the bytes of the partials, which readers look at, what is in windows, as in a run, and the items shown. Thread
// safety: one thread, which runs the executor.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/experiment_look.h"
#include "recmeter/evaluation/partial_reader.h"
#include "recmeter/evaluation/partial_writer.h"
#include "recmeter/port/executor.h"
#include "recmeter/port/row_sink.h"

namespace recmeter {

// What the partials together are partials of. Errors: config_invalid, where they do not belong together, or a part is there
// twice. Requires: at least one.
[[nodiscard]] Result<PartialHeader> header_of_all(std::span<const PartialReader> partials);
// Errors: config_invalid, where a part is missing.
[[nodiscard]] Result<void> check_complete(const PartialHeader& header);

// Every row of the log, in order. The report's wall_seconds and events_per_second are the caller's to fill. Requires: the
// headers have been checked, and `plan` is that of their configuration. `looks` takes those of its experiments, as
// EvaluationOptions. `stop`: once true, merging ends. Errors: those of `sink` and `looks`; interrupted; state_unusable, a
// damaged pane; config_invalid, an experiment with more members than limits.experiment_users, for no part can sample them
// ([S10.8]).
[[nodiscard]] Result<Report> merge_to_rows(const EvaluatorPlan& plan, std::vector<PartialReader> partials, Executor& executor,
                                           RowSink& sink, const std::atomic<bool>& stop,
                                           const std::function<Result<void>(const ExperimentLook&)>& looks = {});
// The same sums as partials of all these parts. Requires: as above, begin() has been called. Errors: likewise.
[[nodiscard]] Result<void> merge_to_partials(const EvaluatorPlan& plan, std::vector<PartialReader> partials,
                                             PartialWriter& writer, const std::atomic<bool>& stop);

}  // namespace recmeter
