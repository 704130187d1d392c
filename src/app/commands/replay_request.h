// ReplayRequest: what a run of `recmeter replay` is asked for, be it of a whole log or of a part.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/part_options.h"
#include "app/commands/sort_options.h"
#include "app/run/ordered_replay.h"
#include "app/run/pinned_ends.h"
#include "app/run/progress_meter.h"
#include "app/run/replay_inputs.h"
#include "app/run/replay_watch.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/merger.h"

namespace recmeter {

// The command line.
struct ReplayCommand {
  std::string config;
  std::string output;  // "": standard output
  std::string report;
  std::string lists;
  std::string curves;
  std::string experiments;
  std::string format;  // "": table on a terminal, else jsonl
  std::optional<unsigned> threads;
  std::string from;
  std::string to;
  std::string listen;         // "": nobody watches
  std::string speed = "max";  // of event time
  std::string progress;       // "": a line on a terminal, else plain
  SortOptions sort;
  PartOptions part;
  std::string pin;
  std::string ends;
  bool all = false;
  std::vector<std::string> inputs;
};

// What it means. All that is referred to outlives it.
struct ReplayRequest {
  const ReplayCommand& command;
  const Config& config;
  const EvaluatorPlan& plan;
  Merger::Range range;
  std::optional<double> speed;  // event time to the reader's
  Sorting sorting;
  const PinnedEnds& ends;
  const std::atomic<bool>& stop;
  ReplayWatch* watch = nullptr;
};

// By --progress; "": a line on a terminal, JSON where messages are.
[[nodiscard]] ProgressForm progress_form(const std::string& name);
// Errors: config_invalid, of an option.
[[nodiscard]] Result<Merger::Range> range_from(const ReplayCommand& command);
// No output is another, or is read.
[[nodiscard]] Result<void> check_outputs(const ReplayCommand& command, const Config& config,
                                         const std::vector<std::string>& inputs);
[[nodiscard]] std::size_t threads_for(const ReplayCommand& command, const Config& config);
// All but where its results go. `request` outlives it.
[[nodiscard]] OrderedReplay ordered_replay(const ReplayRequest& request);

}  // namespace recmeter
