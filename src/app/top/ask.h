// ask: one question to a running evaluator's API. Any thread.
//
// Errors: those of http::get; config_invalid where it wants a token; input_unreadable for an answer that is no 200.
#pragma once

#include <atomic>
#include <string>

#include "app/top/experiments.h"
#include "recmeter/base/result.h"
#include "recmeter/http/get.h"

namespace recmeter::top {

// Errors: config_invalid: of the token's file.
[[nodiscard]] Result<http::GetOptions> get_options(const EvaluatorAddress& evaluator, const std::atomic<bool>& stop);

// `url`: of the evaluator, with the path a proxy may give it. The body of the answer.
[[nodiscard]] Result<std::string> ask(std::string url, const std::string& path, const http::GetOptions& options);

}  // namespace recmeter::top
