// A replay of which nothing is written: an answer wants its rows, looks at experiments, or what lists add up to.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/evaluator_plan.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/port/row_sink.h"
#include "recmeter/result/report.h"

namespace recmeter {

// A log, and how it is read.
struct AskedLog {
  // Opens it, as often as it is read, with the configuration that it is read by.
  std::function<Result<ReplayInputs>(const Config& config)> open;
  Sorting sorting = {};
  std::size_t threads = 1;
  // For each stage, what shows how far it is.
  std::function<std::function<void(const ReplayProgress&)>()> meter = [] { return [](const ReplayProgress&) {}; };
  const std::atomic<bool>& stop;
};

struct QuietReplay {
  bool follows_experiments = false;
  bool wants_lists = false;                               // scored lists
  std::function<void(EvaluatorPlan& plan)> planned = {};  // once; may be empty
  // Before each start; a replay starts over where its inputs have to be sorted. Where rows go; null: nowhere.
  std::function<RowSink*(const EvaluatorPlan& plan, ReplayOptions& options)> begin;
  std::function<void(const EvaluatorPlan& plan)> end = {};  // of a replay that is complete; may be empty
};

// A log that was read.
struct LogReading {
  bool is_complete = true;             // false: it was interrupted
  std::vector<std::string> exceeded;   // limits: too much of it is invalid or lost, or there was no list
  std::vector<InvalidRecord> invalid;  // the first for each reason
};

// Replays the log by `config`. Errors: those of the sources; interrupted while it sorts.
[[nodiscard]] Result<LogReading> read_log(const Config& config, const AskedLog& log, const QuietReplay& quiet);

}  // namespace recmeter
