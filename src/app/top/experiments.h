// The experiments of a running evaluator. Any thread.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "recmeter/base/result.h"

namespace recmeter::top {

struct EvaluatorAddress {
  std::string url;         // http://127.0.0.1:8080
  std::string token_file;  // "": no token
  std::string ca_file;     // "": the system's certificates alone
};

// The newest row of each, as `recmeter attach` publishes it. Errors: those of ask(); input_unreadable for what is no answer
// of an evaluator.
[[nodiscard]] Result<std::vector<std::string>> experiments_of(const EvaluatorAddress& evaluator,
                                                              const std::atomic<bool>& stop);

}  // namespace recmeter::top
