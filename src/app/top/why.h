// Why a metric of a running evaluator changed, as it says it itself. Any thread.
#pragma once

#include <atomic>
#include <string>

#include "app/top/experiments.h"
#include "app/why/question.h"
#include "recmeter/base/result.h"

namespace recmeter::top {

// Errors: those of ask().
[[nodiscard]] Result<std::string> why_of(const EvaluatorAddress& evaluator, const why::Question& question,
                                         const std::atomic<bool>& stop);

// The part of the API that it asks.
[[nodiscard]] std::string path_of(const why::Question& question);

}  // namespace recmeter::top
