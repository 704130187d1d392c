// read_stamped: the lines of `recmeter stamp` from files or standard input, as a part of the log needs them: records of its
// events by time (StampedLog::read), and what the summaries say. [S11.7].
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "recmeter/base/result.h"
#include "recmeter/evaluation/stamped_log.h"
#include "recmeter/file/sort_space.h"
#include "recmeter/port/record_source.h"

namespace recmeter {

// `log` is fed and finished. Errors: those of the files, of the lines, and of the sorter; interrupted.
[[nodiscard]] Result<std::unique_ptr<RecordSource>> read_stamped(const std::vector<std::string>& paths, StampedLog& log,
                                                                 const file::SortSpace& space, const std::atomic<bool>& stop);

}  // namespace recmeter
