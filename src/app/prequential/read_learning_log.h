// read_learning_log: a log read once for recommenders: what they learn from, what they are asked for, and all feedback that
// their lists are judged by. Accepted events only, as a replay accepts them.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/run/input_sorter.h"
#include "app/run/replay_inputs.h"
#include "config/config.h"
#include "recmeter/base/result.h"
#include "recmeter/evaluation/replay.h"
#include "recmeter/recommend/learning_log.h"

namespace recmeter {

struct JudgingFeedback {
  EventTime ts;
  std::uint32_t user = 0;
  std::uint32_t item = 0;
  std::uint8_t action = 0;
  std::optional<double> value;
};

struct ReadLog {
  LearningLog log;
  std::vector<JudgingFeedback> feedback;  // of known users, by (ts, canonical bytes)
  Report report;
};

// Users that stand for nobody are asked nothing; what they did is learned as that of nobody. Memory follows the log: ids
// once, and about a hundred bytes an event. Errors: those of the sources; interrupted.
[[nodiscard]] Result<ReadLog> read_learning_log(const Config& config, ReplayInputs inputs, const Sorting& sorting,
                                                const std::function<void(const ReplayProgress&)>& progress,
                                                const std::atomic<bool>& stop);

}  // namespace recmeter
