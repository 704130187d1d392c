// ExplainedLists: the lists of an id, what happened to their feedback and why, and the arithmetic of every metric. Values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answers/read_log.h"
#include "app/explain/explanation.h"
#include "app/explain/list_watch.h"
#include "config/config.h"
#include "recmeter/base/result.h"

namespace recmeter {

struct ExplainedLists {
  bool is_complete = true;  // false: it was interrupted
  std::vector<explain::Explanation> lists = {};
  std::string missing = {};   // why there is none; "": there are some
  std::uint64_t invalid = 0;  // events, which have no ids to find them by
};

// Reads the log twice, so that memory holds only what is explained. Errors: those of its sources.
[[nodiscard]] Result<ExplainedLists> explain_lists(const explain::Wanted& wanted, const Config& config, const AskedLog& log);

}  // namespace recmeter
